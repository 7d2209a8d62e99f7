import { TOTALS } from './table/envelopes'
import type { Fields } from './table/row'
import { TABLE } from './table/table'

type Bounds<F> = Pick<F, Extract<keyof F, 'min' | 'max'>>
type LimitsOf<F> = { readonly [K in keyof F as F[K] extends { readonly max: number } ? K : never]: Bounds<F[K]> }

/** The limits of the document: by what makes the component or the part, then by field. */
export type Limits = { readonly [K in keyof typeof TABLE]: LimitsOf<(typeof TABLE)[K]['fields']> } & {
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
  const entries = Object.entries(TABLE).map(([name, { fields }]) => [name, limitsOf(fields)])
  return { ...Object.fromEntries(entries), message: TOTALS }
}

function limitsOf(fields: Fields) {
  const found = Object.entries(fields).flatMap(([name, field]) => {
    if (!('max' in field)) return []
    return [[name, field.min === undefined ? { max: field.max } : { min: field.min, max: field.max }]]
  })
  return Object.fromEntries(found)
}
