/** Where something may be: a set of two bits. What is received alone may be sent nowhere. */
export type Places = 0 | 1 | 2 | 3
export const NOWHERE = 0
export const MESSAGE = 1
export const MODAL = 2
export const ANYWHERE = 3

/** What a value has to be; a `value` may be anything. */
export type Kind = 'string' | 'integer' | 'boolean' | 'list' | 'object' | 'component' | 'value'

/** The least and the most that a length, a number or a list may have. */
export interface Limit {
  readonly min?: number
  readonly max: number
}

/** All that the document says of one field. Every field says all of it, so that each is read alike. */
export interface Field {
  readonly kind: Kind
  readonly min: number
  readonly max: number
  readonly required: boolean
  readonly nullable: boolean
  readonly places: Places
  readonly default: boolean | number | undefined
  /** The values of an enumeration, by name; they have no gaps. */
  readonly values: Readonly<Record<string, number>> | undefined
  /** What a text must start with, more following. */
  readonly prefix: string
  /** What the items of a list are. */
  readonly of: Field | undefined
  /** What an object is made of; one whose fields the document does not show, of nothing. */
  readonly part: ComponentSpec | undefined
  /** Which components are taken, by place. */
  readonly accepts: Readonly<Record<Places, readonly ComponentSpec[]>>
}

/** Fields by name. */
export type Shape = Readonly<Record<string, Field>>

/** Which field a style needs, and which it refuses. */
export type Styles = Readonly<Record<number, readonly [needed: string, ...refused: string[]]>>

/** All that the document says of one type of component, or of a part of one, such as an option. */
export interface ComponentSpec<S extends Shape = Shape> {
  /** 0 for a part. */
  readonly type: number
  readonly name: string
  readonly places: Places
  readonly shape: S
  /** The same with what every component has, for reading by names that may be anything. */
  readonly fields: ReadonlyMap<string, Field>
  readonly required: readonly string[]
  readonly styles: Styles | undefined
}

/** An object of any fields. */
export type PlainObject = Readonly<Record<string, unknown>>

/**
 * A value as the type that documents it. The factories say so of what they make and the checks of what has passed: the
 * one place where the wire's values are bound to types by hand.
 */
export function unsafeCast<T>(value: unknown): T {
  return value as T
}

/** Whether a value is an object that is no list. */
export function isObject(value: unknown): value is PlainObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Whether a value is a component: a received message has a `type` as well, but a text for an `id`. */
export function isComponent(value: unknown): value is PlainObject & { readonly type: number } {
  return isObject(value) && typeof value.type === 'number' && typeof value.id !== 'string'
}

/** Whether an object has a field of its own; one that is undefined is none. */
export function has(value: PlainObject, name: string): boolean {
  return value[name] !== undefined && Object.hasOwn(value, name)
}

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
export function componentSpec<S extends Shape>(
  type: number,
  name: string,
  places: Places,
  shape: S,
  styles?: Styles,
): ComponentSpec<S> {
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
