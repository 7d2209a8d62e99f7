// The table: fields, limits and places of all components, of their parts, and of messages and modals.
import { ButtonStyle, SeparatorSpacing, TextInputStyle } from './constants'
import { unsafeCast } from './plain-object'
import {
  ANYWHERE,
  array,
  boolean,
  type ComponentSpec,
  CUSTOM_ID,
  childComponent,
  componentSpec,
  DEFAULT_FALSE,
  DEFAULT_TRUE,
  EMOJI,
  FORBIDDEN,
  INTEGER,
  integer,
  MESSAGE,
  MODAL,
  merge,
  NOWHERE,
  nullable,
  object,
  oneOf,
  partSpec,
  RECEIVED,
  required,
  type Shape,
  STRING,
  string,
} from './schema'

const BUTTON = {
  style: required(oneOf(ButtonStyle)),
  label: string(80),
  emoji: EMOJI,
  custom_id: CUSTOM_ID,
  sku_id: STRING,
  url: string(512),
  disabled: DEFAULT_FALSE,
}

const buttonOf = (shape: Shape) => componentSpec(2, 'button', MESSAGE, merge(BUTTON, shape))

// API, "Button", 2 to 4.
export const interactiveButtonSpec = buttonOf({ custom_id: required(CUSTOM_ID), url: FORBIDDEN, sku_id: FORBIDDEN })
export const linkButtonSpec = buttonOf({ url: required(BUTTON.url), custom_id: FORBIDDEN, sku_id: FORBIDDEN })
export const premiumButtonSpec = buttonOf({
  sku_id: required(STRING),
  custom_id: FORBIDDEN,
  label: FORBIDDEN,
  url: FORBIDDEN,
  emoji: FORBIDDEN,
})

/** The style determines which fields are required or forbidden. API, "Button", 2 to 4. */
export const buttonSpec = componentSpec(2, 'button', MESSAGE, BUTTON, {
  1: interactiveButtonSpec,
  2: interactiveButtonSpec,
  3: interactiveButtonSpec,
  4: interactiveButtonSpec,
  5: linkButtonSpec,
  6: premiumButtonSpec,
})

/** Fields of options of selects and groups. API, "String Select" and "Radio Group". */
const OPTION = {
  label: required(string(100)),
  value: required(string(100, 1)),
  description: string(100),
  default: DEFAULT_FALSE,
}

const SELECT = {
  custom_id: required(CUSTOM_ID),
  placeholder: string(150),
  min_values: integer(25, 1),
  max_values: integer(25, 1),
  required: boolean(true, MODAL),
  disabled: boolean(false, MESSAGE),
}

/** API, "String Select". */
export const optionSpec = partSpec('select option', merge(OPTION, { emoji: EMOJI }))

/** API, "String Select". */
const STRING_SELECT = merge(SELECT, { options: required(array(object(optionSpec), 25)) })
export const stringSelectSpec = componentSpec(3, 'string select', ANYWHERE, STRING_SELECT)

/** API, "User Select". */
const defaultValueSpec = partSpec('select default value', { id: required(STRING), type: required(STRING) })
const AUTO_SELECT = merge(SELECT, { default_values: array(object(defaultValueSpec), 25) })

// API, "User Select".
export const userSelectSpec = componentSpec(5, 'user select', ANYWHERE, AUTO_SELECT)
export const roleSelectSpec = componentSpec(6, 'role select', ANYWHERE, AUTO_SELECT)
export const mentionableSelectSpec = componentSpec(7, 'mentionable select', ANYWHERE, AUTO_SELECT)
const CHANNEL_SELECT = merge(AUTO_SELECT, { channel_types: array(INTEGER) })
export const channelSelectSpec = componentSpec(8, 'channel select', ANYWHERE, CHANNEL_SELECT)

/** API, "Unfurled Media Item". */
const RECEIVED_MEDIA = {
  id: RECEIVED,
  proxy_url: RECEIVED,
  height: RECEIVED,
  width: RECEIVED,
  flags: RECEIVED,
  content_type: RECEIVED,
  content_scan_metadata: RECEIVED,
  placeholder_version: RECEIVED,
  placeholder: RECEIVED,
  loading_state: RECEIVED,
  attachment_id: RECEIVED,
}

/** API, "Unfurled Media Item". */
export const mediaSpec = partSpec('media item', merge({ url: required(string(2048)) }, RECEIVED_MEDIA))

/** Accepts only attachment references. API, "File". */
const attachmentSpec = partSpec(
  'attachment',
  merge({ url: required(string(2048, undefined, 'attachment://')) }, RECEIVED_MEDIA),
)

const MEDIA = {
  media: required(object(mediaSpec)),
  description: nullable(string(1024)),
  spoiler: DEFAULT_FALSE,
}

/** API, "Text Display". */
export const textDisplaySpec = componentSpec(10, 'text display', ANYWHERE, {
  content: required(string(4000, 1)),
})

/** API, "Thumbnail". */
export const thumbnailSpec = componentSpec(11, 'thumbnail', MESSAGE, MEDIA)

/** API, "Media Gallery". */
export const galleryItemSpec = partSpec('media gallery item', MEDIA)

/** API, "Media Gallery". */
export const mediaGallerySpec = componentSpec(12, 'media gallery', MESSAGE, {
  items: required(array(object(galleryItemSpec), 10, 1)),
})

/** API, "File". */
export const fileSpec = componentSpec(13, 'file', MESSAGE, {
  file: required(object(attachmentSpec)),
  spoiler: DEFAULT_FALSE,
  name: RECEIVED,
  size: RECEIVED,
})

/** API, "Separator". */
export const separatorSpec = componentSpec(14, 'separator', MESSAGE, {
  divider: DEFAULT_TRUE,
  spacing: oneOf(SeparatorSpacing, 1),
})

/** Received only. API, "Content Inventory Entry". */
export const contentInventoryEntrySpec = componentSpec(16, 'content inventory entry', NOWHERE, {
  content_inventory_entry: RECEIVED,
})

/** Received only. API, "Checkpoint Card". */
export const checkpointCardSpec = componentSpec(20, 'checkpoint card', NOWHERE, { checkpoint_data: RECEIVED })

/** Fields of media and files that only the service sets. API, "Unfurled Media Item". */
export type ReceivedMediaField = keyof typeof RECEIVED_MEDIA

/** Contains up to five buttons or one select; in modals (deprecated) one text input. API, "Action Row". */
export const actionRowSpec = componentSpec(1, 'action row', ANYWHERE, {
  // Buttons and selects; text inputs.
  components: required(array(childComponent([2, 3, 5, 6, 7, 8], [4]), 5)),
})

/** API, "Section". */
export const sectionSpec = componentSpec(9, 'section', MESSAGE, {
  // Text displays.
  components: required(array(childComponent([10]), 3, 1)),
  // Buttons and thumbnails.
  accessory: required(childComponent([2, 11])),
})

/** API, "Container". */
export const containerSpec = componentSpec(17, 'container', MESSAGE, {
  // Rows, text displays, sections, media galleries, separators and files.
  components: required(array(childComponent([1, 10, 9, 12, 14, 13]), 10, 1)),
  accent_color: nullable(INTEGER),
  spoiler: DEFAULT_FALSE,
})

/** API, "Label". */
export const labelSpec = componentSpec(18, 'label', MODAL, {
  label: required(string(45)),
  description: string(100),
  // Text inputs, selects, file uploads, groups and checkboxes.
  component: required(childComponent([], [3, 4, 5, 6, 7, 8, 19, 21, 22, 23])),
})

/** `label` is optional because it is deprecated in favor of a label component. API, "Text Input". */
export const textInputSpec = componentSpec(4, 'text input', MODAL, {
  custom_id: required(CUSTOM_ID),
  style: required(oneOf(TextInputStyle)),
  label: string(45),
  min_length: integer(4000),
  max_length: integer(4000, undefined, 1),
  required: DEFAULT_TRUE,
  value: string(4000),
  placeholder: string(100),
})

/** API, "File Upload". */
export const fileUploadSpec = componentSpec(19, 'file upload', MODAL, {
  custom_id: required(CUSTOM_ID),
  min_values: integer(10, 0),
  max_values: integer(10, 10),
  required: DEFAULT_FALSE,
})

/** API, "Radio Group". */
export const groupOptionSpec = partSpec('group option', OPTION)

const GROUP = {
  custom_id: required(CUSTOM_ID),
  options: required(array(object(groupOptionSpec), 10, 2)),
  required: DEFAULT_TRUE,
}

// API, "Radio Group".
export const radioGroupSpec = componentSpec(21, 'radio group', MODAL, GROUP)
const CHECKBOX_GROUP = merge(GROUP, { min_values: integer(10, 1), max_values: integer(10, undefined, 1) })
export const checkboxGroupSpec = componentSpec(22, 'checkbox group', MODAL, CHECKBOX_GROUP)
export const checkboxSpec = componentSpec(23, 'checkbox', MODAL, {
  custom_id: required(CUSTOM_ID),
  default: DEFAULT_FALSE,
})

/** Rows, text displays, sections, media galleries, separators, files and containers. */
export const MESSAGE_COMPONENTS = array(childComponent([1, 10, 9, 12, 14, 13, 17]))

/** Only shows the fields that concern components. API, "Messages using the v2 component system". */
export const messageV2Spec = partSpec('message with IS_COMPONENTS_V2', {
  flags: INTEGER,
  components: MESSAGE_COMPONENTS,
})

/** Message without the flag: only rows. API, "Messages using the v2 component system". */
export const legacyMessageSpec = partSpec('message without IS_COMPONENTS_V2', {
  flags: INTEGER,
  components: array(childComponent([1])),
})

/** Envelope of a modal; a convention, since the API document does not show one. */
export const modalSpec = partSpec('modal', {
  custom_id: required(CUSTOM_ID),
  title: required(STRING),
  // Labels, text displays and rows.
  components: required(array(childComponent([], [18, 10, 1]))),
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
const BY_TYPE: readonly (ComponentSpec | undefined)[] = [
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
export const SPECS: readonly ComponentSpec[] = BY_TYPE.filter((spec) => spec !== undefined)

/** Returns the spec of a component type, or `undefined` if the type is unknown. */
export const specOf = (type: unknown): ComponentSpec | undefined =>
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
  const entries = Object.entries<ComponentSpec>(SPECS_WITH_LIMITS).map(([name, { fields }]) => {
    const bounds = [...fields].flatMap(([field, { min, max, values }]) => {
      return max === undefined || values || field === 'id' ? [] : [[field, min ? { min, max } : { max }]]
    })
    return [name, Object.fromEntries(bounds)]
  })
  // `Object.fromEntries` loses the names.
  return unsafeCast({ ...Object.fromEntries(entries), message: MESSAGE_LIMITS })
}
