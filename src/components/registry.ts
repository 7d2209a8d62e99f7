import { buttonSpec } from './buttons'
import {
  checkpointCardSpec,
  contentInventoryEntrySpec,
  fileSpec,
  galleryItemSpec,
  mediaGallerySpec,
  mediaSpec,
  separatorSpec,
  textDisplaySpec,
  thumbnailSpec,
} from './content'
import { actionRowSpec, containerSpec, labelSpec, sectionSpec } from './layouts'
import { TOTALS } from './messages'
import {
  checkboxGroupSpec,
  checkboxSpec,
  fileUploadSpec,
  groupOptionSpec,
  radioGroupSpec,
  textInputSpec,
} from './modal-fields'
import { type ComponentSpec, type Field, unsafeCast } from './schema'
import {
  channelSelectSpec,
  mentionableSelectSpec,
  optionSpec,
  roleSelectSpec,
  stringSelectSpec,
  userSelectSpec,
} from './selects'

/** Every type of the document, those that are received alone among them. Interface, "Component Type". */
export const ROWS: readonly ComponentSpec[] = [
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
  contentInventoryEntrySpec,
  containerSpec,
  labelSpec,
  fileUploadSpec,
  checkpointCardSpec,
  radioGroupSpec,
  checkboxGroupSpec,
  checkboxSpec,
]
let byType: ReadonlyMap<unknown, ComponentSpec> | undefined

/** What the document says of a type. */
export function rowOf(type: unknown): ComponentSpec | undefined {
  byType ??= new Map(ROWS.map((row) => [row.type, row]))
  return byType.get(type)
}

/** What has limits, by the name of what makes it. */
const LIMITED = {
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

/** What of a field is a limit: its bounds, as the table spells them. */
type LimitOf<F> = {
  readonly [K in 'min' | 'max' as K extends keyof F ? (number extends F[K] ? never : K) : never]: F[K & keyof F]
}
type LimitsOf<S> = {
  readonly [K in keyof S as S[K] extends { readonly max: infer Max }
    ? number extends Max
      ? never
      : K
    : never]: LimitOf<S[K]>
}

/** The limits of the document: by what makes the component or the part, then by field. Interface, "Limits". */
export type Limits = { readonly [K in keyof typeof LIMITED]: LimitsOf<(typeof LIMITED)[K]['shape']> } & {
  /** Of a message with the flag: all components, and the text of all of them. */
  readonly message: typeof TOTALS
}

/**
 * Every limit of the interface, read from the table that the checks read. Texts are in characters, lists in items.
 * Interface, "Limits".
 *
 * @example
 * import { LIMITS } from 'rapport-sdk/components'
 *
 * const { max } = LIMITS.button.label // 80
 */
export const LIMITS: Limits = /*@__PURE__*/ limits()

function limits(): Limits {
  const entries = Object.entries(LIMITED).map(([name, { shape }]) => {
    const found = Object.entries<Field>(shape).flatMap(([field, { min, max, values }]) => {
      return max < Infinity && !values ? [[field, min > 0 ? { min, max } : { max }]] : []
    })
    return [name, Object.fromEntries(found)]
  })
  return unsafeCast({ ...Object.fromEntries(entries), message: TOTALS })
}
