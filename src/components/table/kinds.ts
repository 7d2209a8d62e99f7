import { unsafeCast } from '../edge'
import {
  ANYWHERE,
  type Field,
  type Kind,
  type Limit,
  NOWHERE,
  type Places,
  type ComponentSpec,
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
    accepts: [[], [], [], []],
    ...facts,
  }
}

/** A text of so many characters. */
// @__NO_SIDE_EFFECTS__
export function string<const L extends Limit>(limit: L, prefix = ''): Field & L {
  return unsafeCast(field('string', { ...limit, prefix }))
}

/** An integer, both ends allowed. */
// @__NO_SIDE_EFFECTS__
export function integer<const L extends Limit>(limit: L, fallback?: number): Field & L {
  return unsafeCast(field('integer', { ...limit, default: fallback }))
}

/** One of the values of an enumeration. */
// @__NO_SIDE_EFFECTS__
export function oneOf(values: Readonly<Record<string, number>>, fallback?: number): Field {
  return field('integer', { min: 1, max: Object.keys(values).length, values, default: fallback })
}

/** A list of so many items. */
// @__NO_SIDE_EFFECTS__
export function array<const L extends Limit>(limit: L, of: Field): Field & L {
  return unsafeCast(field('list', { ...limit, of }))
}

/** A list of as many items as one likes. */
// @__NO_SIDE_EFFECTS__
export function arrayOf(of: Field): Field {
  return field('list', { of })
}

/** Something that is on or off. */
// @__NO_SIDE_EFFECTS__
export function boolean(fallback: boolean, places: Places = ANYWHERE): Field {
  return field('boolean', { default: fallback, places })
}

/** A component of one of some rows: those that are taken in messages, and in modals. */
// @__NO_SIDE_EFFECTS__
export function childComponent(message: readonly ComponentSpec[], modal: readonly ComponentSpec[] = []): Field {
  return field('component', { accepts: [[], message, modal, [...message, ...modal]] })
}

/** An object of fields; without a part, one whose fields the document does not show. */
// @__NO_SIDE_EFFECTS__
export function object(part?: ComponentSpec): Field {
  return field('object', { part })
}

/** The same, and it must be there. */
// @__NO_SIDE_EFFECTS__
export function required<F extends Field>(given: F): F {
  return { ...given, required: true }
}

/** The same, or `null`. */
// @__NO_SIDE_EFFECTS__
export function nullable<F extends Field>(given: F): F {
  return { ...given, nullable: true }
}

/** A type of component, with the fields that all have. */
// @__NO_SIDE_EFFECTS__
export function componentSpec<S extends Shape>(type: number, name: string, places: Places, shape: S, styles?: Styles): ComponentSpec<S> {
  const fields = new Map<string, Field>(Object.entries({ ...(type > 0 && COMMON), ...shape }))
  const required = [...fields.keys()].filter((key) => fields.get(key)?.required)
  return { type, name, places, shape, fields, required, styles }
}

/** What a component is made of beside components. */
// @__NO_SIDE_EFFECTS__
export function partSpec<S extends Shape>(name: string, shape: S): ComponentSpec<S> {
  return componentSpec(0, name, ANYWHERE, shape)
}

/** Fields of two shapes together. */
// @__NO_SIDE_EFFECTS__
export function merge<A, B>(some: A, more: B): A & B {
  return { ...some, ...more }
}

/** Interface, "Common component fields". The document does not say whether 32 bits are signed: either passes. */
const COMMON = {
  type: required(field('value')),
  id: field('integer', { min: -(2 ** 31), max: 2 ** 32 - 1 }),
}
/** Interface, "Common component fields". */
export const CUSTOM_ID = required(string({ min: 1, max: 100 }))
export const DEFAULT_FALSE = boolean(false)
export const DEFAULT_TRUE = boolean(true)
/** Interface, "Open shapes". */
export const EMOJI = object()
/** A text of any length; a snowflake is one, for the document does not say of which characters. */
export const STRING = field('string')
export const INTEGER = field('integer')
/** What is received alone. */
export const RECEIVED = field('value', { places: NOWHERE })
