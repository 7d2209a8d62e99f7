/** Type guard for components of these types, in any union. */
type Guard<Type extends number> = <C>(component: C) => component is Extract<C, { readonly type: Type }>

// @__NO_SIDE_EFFECTS__
function guard<Type extends number>(...types: readonly Type[]): Guard<Type> {
  return <C>(component: C): component is Extract<C, { readonly type: Type }> => {
    try {
      return types.some((type) => type === Reflect.get(Object(component), 'type'))
    } catch {
      return false
    }
  }
}

/** Whether a component is an action row. */
export const isRow = guard(1)
/** Whether a component is a button. */
export const isButton = guard(2)
/** Whether a component is a string select. */
export const isStringSelect = guard(3)
/** Whether a component is a text input. */
export const isTextInput = guard(4)
/** Whether a component is a user select. */
export const isUserSelect = guard(5)
/** Whether a component is a role select. */
export const isRoleSelect = guard(6)
/** Whether a component is a mentionable select. */
export const isMentionableSelect = guard(7)
/** Whether a component is a channel select. */
export const isChannelSelect = guard(8)
/** Whether a component is a section. */
export const isSection = guard(9)
/** Whether a component is a text display. */
export const isText = guard(10)
/** Whether a component is a thumbnail. */
export const isThumbnail = guard(11)
/** Whether a component is a media gallery. */
export const isMediaGallery = guard(12)
/** Whether a component is a file. */
export const isFile = guard(13)
/** Whether a component is a separator. */
export const isSeparator = guard(14)
/** Whether a component is a content inventory entry. */
export const isContentInventoryEntry = guard(16)
/** Whether a component is a container. */
export const isContainer = guard(17)
/** Whether a component is a label. */
export const isLabel = guard(18)
/** Whether a component is a file upload. */
export const isFileUpload = guard(19)
/** Whether a component is a checkpoint card. */
export const isCheckpointCard = guard(20)
/** Whether a component is a radio group. */
export const isRadioGroup = guard(21)
/** Whether a component is a checkbox group. */
export const isCheckboxGroup = guard(22)
/** Whether a component is a checkbox. */
export const isCheckbox = guard(23)
/** Whether a component is a select of any kind. */
export const isSelect: Guard<3 | 5 | 6 | 7 | 8> = guard(3, 5, 6, 7, 8)
/** Whether users interact with a component. */
export const isInteractive: Guard<2 | 3 | 4 | 5 | 6 | 7 | 8 | 19 | 21 | 22 | 23> = guard(
  2,
  3,
  4,
  5,
  6,
  7,
  8,
  19,
  21,
  22,
  23,
)
/** Whether a component lays out others. */
export const isLayout = guard(1, 9, 14, 17, 18)
/** Whether a component shows content. */
export const isContent: Guard<10 | 11 | 12 | 13 | 16 | 20> = guard(10, 11, 12, 13, 16, 20)
