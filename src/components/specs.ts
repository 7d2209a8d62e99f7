// The table: fields, limits and places of all components, of their parts, and of messages and modals.
import { ButtonStyle, SeparatorSpacing, TextInputStyle } from './constants'
import { unsafeCast } from './plain-object'
import * as s from './schema'

const BUTTON = {
  style: s.required(s.oneOf(ButtonStyle)),
  label: s.string(80),
  emoji: s.EMOJI,
  custom_id: s.CUSTOM_ID,
  sku_id: s.STRING,
  url: s.string(512),
  disabled: s.DEFAULT_FALSE,
}

const buttonOf = (shape: s.Shape) => s.componentSpec(2, 'button', s.MESSAGE, s.merge(BUTTON, shape))

// API, "Button", 2 to 4.
export const interactiveButtonSpec = buttonOf({
  custom_id: s.required(s.CUSTOM_ID),
  url: s.FORBIDDEN,
  sku_id: s.FORBIDDEN,
})
export const linkButtonSpec = buttonOf({ url: s.required(BUTTON.url), custom_id: s.FORBIDDEN, sku_id: s.FORBIDDEN })
export const premiumButtonSpec = buttonOf({
  sku_id: s.required(s.STRING),
  custom_id: s.FORBIDDEN,
  label: s.FORBIDDEN,
  url: s.FORBIDDEN,
  emoji: s.FORBIDDEN,
})

/** The style determines which fields are required or forbidden. API, "Button", 2 to 4. */
export const buttonSpec = s.componentSpec(2, 'button', s.MESSAGE, BUTTON, {
  1: interactiveButtonSpec,
  2: interactiveButtonSpec,
  3: interactiveButtonSpec,
  4: interactiveButtonSpec,
  5: linkButtonSpec,
  6: premiumButtonSpec,
})

/** Fields of options of selects and groups. API, "String Select" and "Radio Group". */
const OPTION = {
  label: s.required(s.string(100)),
  value: s.required(s.string(100, 1)),
  description: s.string(100),
  default: s.DEFAULT_FALSE,
}

const SELECT = {
  custom_id: s.required(s.CUSTOM_ID),
  placeholder: s.string(150),
  min_values: s.integer(25, 1),
  max_values: s.integer(25, 1),
  required: s.boolean(true, s.MODAL),
  disabled: s.boolean(false, s.MESSAGE),
}

/** API, "String Select". */
export const optionSpec = s.partSpec('select option', s.merge(OPTION, { emoji: s.EMOJI }))

/** API, "String Select". */
const STRING_SELECT = s.merge(SELECT, { options: s.required(s.array(s.object(optionSpec), 25)) })
export const stringSelectSpec = s.componentSpec(3, 'string select', s.ANYWHERE, STRING_SELECT)

/** API, "User Select". */
const defaultValueSpec = s.partSpec('select default value', { id: s.required(s.STRING), type: s.required(s.STRING) })
const AUTO_SELECT = s.merge(SELECT, { default_values: s.array(s.object(defaultValueSpec), 25) })

// API, "User Select".
export const userSelectSpec = s.componentSpec(5, 'user select', s.ANYWHERE, AUTO_SELECT)
export const roleSelectSpec = s.componentSpec(6, 'role select', s.ANYWHERE, AUTO_SELECT)
export const mentionableSelectSpec = s.componentSpec(7, 'mentionable select', s.ANYWHERE, AUTO_SELECT)
const CHANNEL_SELECT = s.merge(AUTO_SELECT, { channel_types: s.array(s.INTEGER) })
export const channelSelectSpec = s.componentSpec(8, 'channel select', s.ANYWHERE, CHANNEL_SELECT)

/** API, "Unfurled Media Item". */
const RECEIVED_MEDIA = {
  id: s.RECEIVED,
  proxy_url: s.RECEIVED,
  height: s.RECEIVED,
  width: s.RECEIVED,
  flags: s.RECEIVED,
  content_type: s.RECEIVED,
  content_scan_metadata: s.RECEIVED,
  placeholder_version: s.RECEIVED,
  placeholder: s.RECEIVED,
  loading_state: s.RECEIVED,
  attachment_id: s.RECEIVED,
}

/** API, "Unfurled Media Item". */
export const mediaSpec = s.partSpec('media item', s.merge({ url: s.required(s.string(2048)) }, RECEIVED_MEDIA))

/** Accepts only attachment references. API, "File". */
const attachmentSpec = s.partSpec(
  'attachment',
  s.merge({ url: s.required(s.string(2048, undefined, 'attachment://')) }, RECEIVED_MEDIA),
)

const MEDIA = {
  media: s.required(s.object(mediaSpec)),
  description: s.nullable(s.string(1024)),
  spoiler: s.DEFAULT_FALSE,
}

/** API, "Text Display". */
export const textDisplaySpec = s.componentSpec(10, 'text display', s.ANYWHERE, {
  content: s.required(s.string(4000, 1)),
})

/** API, "Thumbnail". */
export const thumbnailSpec = s.componentSpec(11, 'thumbnail', s.MESSAGE, MEDIA)

/** API, "Media Gallery". */
export const galleryItemSpec = s.partSpec('media gallery item', MEDIA)

/** API, "Media Gallery". */
export const mediaGallerySpec = s.componentSpec(12, 'media gallery', s.MESSAGE, {
  items: s.required(s.array(s.object(galleryItemSpec), 10, 1)),
})

/** API, "File". */
export const fileSpec = s.componentSpec(13, 'file', s.MESSAGE, {
  file: s.required(s.object(attachmentSpec)),
  spoiler: s.DEFAULT_FALSE,
  name: s.RECEIVED,
  size: s.RECEIVED,
})

/** API, "Separator". */
export const separatorSpec = s.componentSpec(14, 'separator', s.MESSAGE, {
  divider: s.DEFAULT_TRUE,
  spacing: s.oneOf(SeparatorSpacing, 1),
})

/** Received only. API, "Content Inventory Entry". */
export const contentInventoryEntrySpec = s.componentSpec(16, 'content inventory entry', s.NOWHERE, {
  content_inventory_entry: s.RECEIVED,
})

/** Received only. API, "Checkpoint Card". */
export const checkpointCardSpec = s.componentSpec(20, 'checkpoint card', s.NOWHERE, { checkpoint_data: s.RECEIVED })

/** Fields of media and files that only the service sets. API, "Unfurled Media Item". */
export type ReceivedMediaField = keyof typeof RECEIVED_MEDIA

/** Contains up to five buttons or one select; in modals (deprecated) one text input. API, "Action Row". */
export const actionRowSpec = s.componentSpec(1, 'action row', s.ANYWHERE, {
  // Buttons and selects; text inputs.
  components: s.required(s.array(s.childComponent([2, 3, 5, 6, 7, 8], [4]), 5)),
})

/** API, "Section". */
export const sectionSpec = s.componentSpec(9, 'section', s.MESSAGE, {
  // Text displays.
  components: s.required(s.array(s.childComponent([10]), 3, 1)),
  // Buttons and thumbnails.
  accessory: s.required(s.childComponent([2, 11])),
})

/** API, "Container". */
export const containerSpec = s.componentSpec(17, 'container', s.MESSAGE, {
  // Rows, text displays, sections, media galleries, separators and files.
  components: s.required(s.array(s.childComponent([1, 10, 9, 12, 14, 13]), 10, 1)),
  accent_color: s.nullable(s.INTEGER),
  spoiler: s.DEFAULT_FALSE,
})

/** API, "Label". */
export const labelSpec = s.componentSpec(18, 'label', s.MODAL, {
  label: s.required(s.string(45)),
  description: s.string(100),
  // Text inputs, selects, file uploads, groups and checkboxes.
  component: s.required(s.childComponent([], [3, 4, 5, 6, 7, 8, 19, 21, 22, 23])),
})

/** `label` is optional because it is deprecated in favor of a label component. API, "Text Input". */
export const textInputSpec = s.componentSpec(4, 'text input', s.MODAL, {
  custom_id: s.required(s.CUSTOM_ID),
  style: s.required(s.oneOf(TextInputStyle)),
  label: s.string(45),
  min_length: s.integer(4000),
  max_length: s.integer(4000, undefined, 1),
  required: s.DEFAULT_TRUE,
  value: s.string(4000),
  placeholder: s.string(100),
})

/** API, "File Upload". */
export const fileUploadSpec = s.componentSpec(19, 'file upload', s.MODAL, {
  custom_id: s.required(s.CUSTOM_ID),
  min_values: s.integer(10, 0),
  max_values: s.integer(10, 10),
  required: s.DEFAULT_FALSE,
})

/** API, "Radio Group". */
export const groupOptionSpec = s.partSpec('group option', OPTION)

const GROUP = {
  custom_id: s.required(s.CUSTOM_ID),
  options: s.required(s.array(s.object(groupOptionSpec), 10, 2)),
  required: s.DEFAULT_TRUE,
}

// API, "Radio Group".
export const radioGroupSpec = s.componentSpec(21, 'radio group', s.MODAL, GROUP)
const CHECKBOX_GROUP = s.merge(GROUP, { min_values: s.integer(10, 1), max_values: s.integer(10, undefined, 1) })
export const checkboxGroupSpec = s.componentSpec(22, 'checkbox group', s.MODAL, CHECKBOX_GROUP)
export const checkboxSpec = s.componentSpec(23, 'checkbox', s.MODAL, {
  custom_id: s.required(s.CUSTOM_ID),
  default: s.DEFAULT_FALSE,
})

/** Rows, text displays, sections, media galleries, separators, files and containers. */
export const MESSAGE_COMPONENTS = s.array(s.childComponent([1, 10, 9, 12, 14, 13, 17]))

/** Only shows the fields that concern components. API, "Messages using the v2 component system". */
export const messageV2Spec = s.partSpec('message with IS_COMPONENTS_V2', {
  flags: s.INTEGER,
  components: MESSAGE_COMPONENTS,
})

/** Message without the flag: only rows. API, "Messages using the v2 component system". */
export const legacyMessageSpec = s.partSpec('message without IS_COMPONENTS_V2', {
  flags: s.INTEGER,
  components: s.array(s.childComponent([1])),
})

/** Envelope of a modal; a convention, since the API document does not show one. */
export const modalSpec = s.partSpec('modal', {
  custom_id: s.required(s.CUSTOM_ID),
  title: s.required(s.STRING),
  // Labels, text displays and rows.
  components: s.required(s.array(s.childComponent([], [18, 10, 1]))),
})

/** Fields that do not work with the flag. API, "Messages using the v2 component system". */
export const DISABLED_FIELDS = ['content', 'embeds', 'poll', 'stickers'] as const

/** Limits of a whole message with the flag. API, "Limits". */
export const MESSAGE_LIMITS = { components: { max: 40 }, text: { max: 4000 } } as const

/** Specs with limits, by the name of their factory. */
const SPECS_WITH_LIMITS = {
  row: actionRowSpec,
  button: buttonSpec,
  stringSelect: stringSelectSpec,
  option: optionSpec,
  userSelect: userSelectSpec,
  roleSelect: roleSelectSpec,
  mentionableSelect: mentionableSelectSpec,
  channelSelect: channelSelectSpec,
  textInput: textInputSpec,
  section: sectionSpec,
  text: textDisplaySpec,
  thumbnail: thumbnailSpec,
  mediaGallery: mediaGallerySpec,
  galleryItem: galleryItemSpec,
  media: mediaSpec,
  container: containerSpec,
  label: labelSpec,
  fileUpload: fileUploadSpec,
  radioGroup: radioGroupSpec,
  checkboxGroup: checkboxGroupSpec,
  groupOption: groupOptionSpec,
  checkbox: checkboxSpec,
}

/** Specs of all documented types, including received-only ones, at the index of their type. API, "Component Type". */
const BY_TYPE: readonly (s.ComponentSpec | undefined)[] = [
  undefined,
  actionRowSpec,
  buttonSpec,
  stringSelectSpec,
  textInputSpec,
  userSelectSpec,
  roleSelectSpec,
  mentionableSelectSpec,
  channelSelectSpec,
  sectionSpec,
  textDisplaySpec,
  thumbnailSpec,
  mediaGallerySpec,
  fileSpec,
  separatorSpec,
  undefined,
  contentInventoryEntrySpec,
  containerSpec,
  labelSpec,
  fileUploadSpec,
  checkpointCardSpec,
  radioGroupSpec,
  checkboxGroupSpec,
  checkboxSpec,
]

/** Specs of all documented types, without gaps. */
export const SPECS: readonly s.ComponentSpec[] = BY_TYPE.filter((spec) => spec !== undefined)

/** Returns the spec of a component type, or `undefined` if the type is unknown. */
export const specOf = (type: unknown): s.ComponentSpec | undefined =>
  typeof type === 'number' ? BY_TYPE[type] : undefined

/** Whether any component has a field of this name. */
export const isKnownField = (name: string): boolean => BY_TYPE.some((spec) => spec?.fields.has(name))

/** Bounds of a field, with the literal types of its spec. */
type LimitOf<F> = {
  readonly [K in 'min' | 'max' as F extends { readonly [_ in K]: number } ? K : never]: F[K & keyof F]
}
type LimitsOf<S> = {
  readonly [K in keyof S as S[K] extends { readonly max: number } ? K : never]: LimitOf<S[K]>
}

/** Documented limits: by factory of the component or part, then by field. API, "Limits". */
export type Limits = {
  readonly [K in keyof typeof SPECS_WITH_LIMITS]: LimitsOf<NonNullable<(typeof SPECS_WITH_LIMITS)[K]['shape']>>
} & {
  /** Totals of a message with the flag: all components, and the text of all of them. */
  readonly message: typeof MESSAGE_LIMITS
}

/**
 * Every documented limit, read from the specs that validation uses: characters of strings, items of arrays. API,
 * "Limits".
 *
 * @example
 * import { LIMITS } from 'rapport-sdk/components'
 *
 * const { max } = LIMITS.button.label // 80
 */
export const LIMITS: Limits = readLimits()

function readLimits(): Limits {
  const entries = Object.entries<s.ComponentSpec>(SPECS_WITH_LIMITS).map(([name, { fields }]) => {
    const bounds = [...fields].flatMap(([field, { min, max, values }]) => {
      return max === undefined || values || field === 'id' ? [] : [[field, min ? { min, max } : { max }]]
    })
    return [name, Object.fromEntries(bounds)]
  })
  // `Object.fromEntries` loses the names.
  return unsafeCast({ ...Object.fromEntries(entries), message: MESSAGE_LIMITS })
}
