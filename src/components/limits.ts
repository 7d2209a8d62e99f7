import { typed } from './edge'
import { TOTALS } from './table/envelopes'
import type { Limit } from './table/field'
import { TABLE } from './table/table'

type LimitsOf<S> = {
  readonly [K in keyof S as S[K] extends { readonly limit: Limit } ? K : never]: S[K] extends {
    readonly limit: infer L
  }
    ? L
    : never
}

/** The limits of the document: by what makes the component or the part, then by field. Interface, "Limits". */
export type Limits = { readonly [K in keyof typeof TABLE]: LimitsOf<(typeof TABLE)[K]['shape']> } & {
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
  const entries = Object.entries(TABLE).map(([name, { shape }]) => {
    const found = Object.entries(shape).flatMap(([field, { limit }]) => (limit ? [[field, limit]] : []))
    return [name, Object.fromEntries(found)]
  })
  return typed({ ...Object.fromEntries(entries), message: TOTALS })
}
