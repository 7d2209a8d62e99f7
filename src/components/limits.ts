import { unsafeCast } from './edge'
import { buttonSpec } from './table/buttons'
import { galleryItemSpec, mediaSpec, mediaGallerySpec, textDisplaySpec, thumbnailSpec } from './table/content'
import { TOTALS } from './table/envelopes'
import type { Field } from './table/field'
import { actionRowSpec, containerSpec, labelSpec, sectionSpec } from './table/layouts'
import { checkboxSpec, checkboxGroupSpec, fileUploadSpec, groupOptionSpec, radioGroupSpec, textInputSpec } from './table/modal-fields'
import { channelSelectSpec, mentionableSelectSpec, optionSpec, roleSelectSpec, stringSelectSpec, userSelectSpec } from './table/selects'

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
