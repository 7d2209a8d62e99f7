import { typed } from './edge'
import { button } from './table/buttons'
import { galleryItem, media, mediaGallery, textDisplay, thumbnail } from './table/content'
import { TOTALS } from './table/envelopes'
import type { Field } from './table/field'
import { actionRow, container, label, section } from './table/layouts'
import { checkbox, checkboxGroup, fileUpload, groupOption, radioGroup, textInput } from './table/modal-fields'
import { channelSelect, mentionableSelect, option, roleSelect, stringSelect, userSelect } from './table/selects'

/** What has limits, by the name of what makes it. */
const LIMITED = {
  row: actionRow,
  button,
  stringSelect,
  option,
  userSelect,
  roleSelect,
  mentionableSelect,
  channelSelect,
  textInput,
  section,
  text: textDisplay,
  thumbnail,
  mediaGallery,
  galleryItem,
  media,
  container,
  label,
  fileUpload,
  radioGroup,
  checkboxGroup,
  groupOption,
  checkbox,
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
  return typed({ ...Object.fromEntries(entries), message: TOTALS })
}
