import { unsafeCast } from './plain-object'

/** Places where a component or field may be used, as a bit set; `NOWHERE` for received-only ones. */
export type Places = 0 | 1 | 2 | 3
export const NOWHERE = 0
export const MESSAGE = 1
export const MODAL = 2
export const ANYWHERE = 3

/** Type of a field; `value` allows anything. */
export type Kind = 'string' | 'integer' | 'boolean' | 'array' | 'object' | 'component' | 'value'

/** Minimum and maximum of a length, number or array; both are allowed. */
export interface Limit {
  readonly min?: number
  readonly max: number
}

/** Spec of a field. All properties are always present, so that every field has the same shape. */
export interface Field {
  readonly kind: Kind
  readonly min: number
  readonly max: number
  readonly required: boolean
  readonly nullable: boolean
  readonly places: Places
  readonly default: boolean | number | undefined
  /** Values of an enumeration by name, without gaps. */
  readonly values: Readonly<Record<string, number>> | undefined
  /** Required prefix of a string, followed by at least one character. */
  readonly prefix: string
  /** Spec of the items of an array. */
  readonly of: Field | undefined
  /** Spec of an object; `undefined` if the interface document does not show its fields. */
  readonly part: ComponentSpec | undefined
  /** Specs of the accepted components, by place. */
  readonly accepts: Readonly<Record<Places, readonly ComponentSpec[]>>
}

/** Fields by name. */
export type Shape = Readonly<Record<string, Field>>

/** Specs of the styles of a component. */
export type Styles = Readonly<Record<number, ComponentSpec>>

/** Spec of a component type, or of a part of one such as an option. */
export interface ComponentSpec<S extends Shape = Shape> {
  /** Component type; 0 for a part. */
  readonly type: number
  readonly name: string
  readonly places: Places
  readonly shape: S
  /** `shape` and the common component fields, for lookups by arbitrary names. */
  readonly fields: ReadonlyMap<string, Field>
  readonly required: readonly string[]
  /** Spec of each style, if the style determines which other fields are allowed. */
  readonly styles: Styles | undefined
}

// Builders for specs.

// @__NO_SIDE_EFFECTS__
function field(kind: Kind, options?: Partial<Field>): Field {
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
    ...options,
  }
}

/** Returns the spec of a string whose length is within limits. */
// @__NO_SIDE_EFFECTS__
export function string<const L extends Limit>(limit: L, prefix = ''): Field & L {
  return unsafeCast(field('string', { ...limit, prefix }))
}

/** Returns the spec of an integer within limits. */
// @__NO_SIDE_EFFECTS__
export function integer<const L extends Limit>(limit: L, fallback?: number): Field & L {
  return unsafeCast(field('integer', { ...limit, default: fallback }))
}

/** Returns the spec of an enumeration. */
// @__NO_SIDE_EFFECTS__
export function oneOf(values: Readonly<Record<string, number>>, fallback?: number): Field {
  return field('integer', { min: 1, max: Object.keys(values).length, values, default: fallback })
}

/** Returns the spec of an array whose length is within limits. */
// @__NO_SIDE_EFFECTS__
export function array<const L extends Limit>(limit: L, of: Field): Field & L {
  return unsafeCast(field('array', { ...limit, of }))
}

/** Returns the spec of an array of any length. */
// @__NO_SIDE_EFFECTS__
export function arrayOf(of: Field): Field {
  return field('array', { of })
}

/** Returns the spec of a boolean. */
// @__NO_SIDE_EFFECTS__
export function boolean(fallback: boolean, places: Places = ANYWHERE): Field {
  return field('boolean', { default: fallback, places })
}

/** Returns the spec of a child component, with the specs accepted in messages and in modals. */
// @__NO_SIDE_EFFECTS__
export function childComponent(message: readonly ComponentSpec[], modal: readonly ComponentSpec[] = []): Field {
  return field('component', { accepts: [[], message, modal, [...message, ...modal]] })
}

/** Returns the spec of an object; without `part`, of one whose fields the interface document does not show. */
// @__NO_SIDE_EFFECTS__
export function object(part?: ComponentSpec): Field {
  return field('object', { part })
}

/** Returns the spec with the field required. */
// @__NO_SIDE_EFFECTS__
export function required<F extends Field>(spec: F): F {
  return { ...spec, required: true }
}

/** Returns the spec with `null` allowed. */
// @__NO_SIDE_EFFECTS__
export function nullable<F extends Field>(spec: F): F {
  return { ...spec, nullable: true }
}

/** Returns the spec of a component type, including the common component fields. */
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

/** Returns the spec of a part of a component that is not a component itself. */
// @__NO_SIDE_EFFECTS__
export function partSpec<S extends Shape>(name: string, shape: S): ComponentSpec<S> {
  return componentSpec(0, name, ANYWHERE, shape)
}

/** Merges two shapes. */
// @__NO_SIDE_EFFECTS__
export function merge<A, B>(first: A, second: B): A & B {
  return { ...first, ...second }
}

/**
 * Common component fields. The interface document does not say whether an `id` is signed: both ranges are valid.
 * Interface, "Common component fields".
 */
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
/** String of any length; also used for snowflakes, whose characters the interface document does not show. */
export const STRING = field('string')
export const INTEGER = field('integer')
/** Received-only field. */
export const RECEIVED = field('value', { places: NOWHERE })
/** Field of another style. */
export const FORBIDDEN = field('value', { places: NOWHERE })
