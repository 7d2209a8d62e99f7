import { typed } from '../edge'
import {
  ANYWHERE,
  type Field,
  type Kind,
  type Limit,
  NOWHERE,
  type Places,
  type Row,
  type Shape,
  type Styles,
} from './field'

// The words that the table is written in.

// @__NO_SIDE_EFFECTS__
function field(kind: Kind, facts?: Partial<Field>): Field {
  return {
    kind,
    min: -Infinity,
    max: Infinity,
    required: false,
    nullable: false,
    places: ANYWHERE,
    default: undefined,
    values: undefined,
    prefix: '',
    of: undefined,
    part: undefined,
    takes: [[], [], [], []],
    ...facts,
  }
}

/** A text of so many characters. */
// @__NO_SIDE_EFFECTS__
export function text<const L extends Limit>(limit: L, prefix = ''): Field & L {
  return typed(field('string', { ...limit, prefix }))
}

/** An integer, both ends allowed. */
// @__NO_SIDE_EFFECTS__
export function integer<const L extends Limit>(limit: L, fallback?: number): Field & L {
  return typed(field('integer', { ...limit, default: fallback }))
}

/** One of the values of an enumeration. */
// @__NO_SIDE_EFFECTS__
export function oneOf(values: Readonly<Record<string, number>>, fallback?: number): Field {
  return field('integer', { min: 1, max: Object.keys(values).length, values, default: fallback })
}

/** A list of so many items. */
// @__NO_SIDE_EFFECTS__
export function list<const L extends Limit>(limit: L, of: Field): Field & L {
  return typed(field('list', { ...limit, of }))
}

/** A list of as many items as one likes. */
// @__NO_SIDE_EFFECTS__
export function listOf(of: Field): Field {
  return field('list', { of })
}

/** Something that is on or off. */
// @__NO_SIDE_EFFECTS__
export function flag(fallback: boolean, places: Places = ANYWHERE): Field {
  return field('boolean', { default: fallback, places })
}

/** A component of one of some rows: those that are taken in messages, and in modals. */
// @__NO_SIDE_EFFECTS__
export function slot(message: readonly Row[], modal: readonly Row[] = []): Field {
  return field('component', { takes: [[], message, modal, [...message, ...modal]] })
}

/** An object of fields; without a part, one whose fields the document does not show. */
// @__NO_SIDE_EFFECTS__
export function object(part?: Row): Field {
  return field('object', { part })
}

/** The same, and it must be there. */
// @__NO_SIDE_EFFECTS__
export function needed<F extends Field>(given: F): F {
  return { ...given, required: true }
}

/** The same, or `null`. */
// @__NO_SIDE_EFFECTS__
export function nullable<F extends Field>(given: F): F {
  return { ...given, nullable: true }
}

/** A type of component, with the fields that all have. */
// @__NO_SIDE_EFFECTS__
export function row<S extends Shape>(type: number, name: string, places: Places, shape: S, styles?: Styles): Row<S> {
  const fields = new Map<string, Field>(Object.entries({ ...(type > 0 && COMMON), ...shape }))
  const required = [...fields.keys()].filter((key) => fields.get(key)?.required)
  return { type, name, places, shape, fields, required, styles }
}

/** What a component is made of beside components. */
// @__NO_SIDE_EFFECTS__
export function part<S extends Shape>(name: string, shape: S): Row<S> {
  return row(0, name, ANYWHERE, shape)
}

/** Fields of two shapes together. */
// @__NO_SIDE_EFFECTS__
export function both<A, B>(some: A, more: B): A & B {
  return { ...some, ...more }
}

/** Interface, "Common component fields". The document does not say whether 32 bits are signed: either passes. */
const COMMON = {
  type: needed(field('value')),
  id: field('integer', { min: -(2 ** 31), max: 2 ** 32 - 1 }),
}
/** Interface, "Common component fields". */
export const CUSTOM_ID = needed(text({ min: 1, max: 100 }))
export const OFF = flag(false)
export const ON = flag(true)
/** Interface, "Open shapes". */
export const EMOJI = object()
/** A text of any length; a snowflake is one, for the document does not say of which characters. */
export const STRING = field('string')
export const INTEGER = field('integer')
/** What is received alone. */
export const RECEIVED = field('value', { places: NOWHERE })
