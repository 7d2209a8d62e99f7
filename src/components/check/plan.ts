import { ENVELOPES } from '../table/envelopes'
import { ID } from '../table/fields'
import type { Field, Part, Row } from '../table/row'
import { RULES, type Rule } from './rules'
import type { Check } from './values'

/** One field as it is checked: its own bit in the sets of fields, and what looks at its value. */
export interface PlannedField {
  readonly bit: number
  readonly check: Check | undefined
}

/** Sets of fields, as bits. */
export interface Demands {
  readonly required: number
  readonly refused: number
}

/** A row of the table, or a part, as it is checked. */
export interface Plan {
  readonly name: string
  readonly fields: ReadonlyMap<string, PlannedField>
  readonly required: number
  /** What is received alone. */
  readonly received: number
  /** What is for messages alone, and for modals. */
  readonly message: number
  readonly modal: number
  readonly styles: ReadonlyMap<unknown, Demands> | undefined
  readonly rule: Rule | undefined
  /** Whether fields of other components are refused; a message has fields that the document does not show. */
  readonly isClosed: boolean
}

/** Turns what the table says of a row, or of a part, into what a check wants to know. */
export function plan(part: Part | Row, checkOf: (field: Field, part: Part) => Check | undefined): Plan {
  const isRow = 'type' in part
  const fields = new Map<string, PlannedField>()
  const sets = { required: 0, received: 0, message: 0, modal: 0 }
  // `type` has been looked at by what has found the row.
  if (isRow) fields.set('type', { bit: 1, check: undefined })
  for (const [name, field] of Object.entries(isRow ? { id: ID, ...part.fields } : part.fields)) {
    const bit = 1 << fields.size
    fields.set(name, { bit, check: checkOf(field, part) })
    if (field.required) sets.required |= bit
    if (field.only) sets[field.only] |= bit
  }
  const bits = (names: readonly string[]) => names.reduce((set, name) => set | (fields.get(name)?.bit ?? 0), 0)
  const styles = isRow ? part.styles : undefined
  return {
    name: part.name,
    fields,
    ...sets,
    styles:
      styles &&
      new Map(
        styles.flatMap(({ values, needs, refuses }) => {
          return values.map((value) => [value, { required: bits([needs]), refused: bits(refuses) }])
        }),
      ),
    rule: isRow ? RULES[part.type] : undefined,
    isClosed: !ENVELOPES.includes(part),
  }
}
