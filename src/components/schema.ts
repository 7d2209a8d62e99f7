// Specs of components: the fields of each, with their limits.
import { unsafeCast } from './plain-object'

/** Places where a component or field may be used, as a bit set; `NOWHERE` for received-only ones. */
export type Places = 0 | 1 | 2 | 3
export const NOWHERE = 0
export const MESSAGE = 1
export const MODAL = 2
export const ANYWHERE = 3

/** Type of a field; `value` allows anything. */
export type Kind = 'string' | 'integer' | 'boolean' | 'array' | 'object' | 'component' | 'value'

/** Spec of a field. A class, so that all fields have one hidden class: validation is faster then. */
export class Field {
  readonly kind: Kind = 'value'
  readonly min: number | undefined
  readonly max: number | undefined
  readonly required: boolean | undefined
  readonly nullable: boolean | undefined
  readonly places: Places = ANYWHERE
  readonly default: boolean | number | undefined
  /** Values of an enumeration by name, without gaps. */
  readonly values: Readonly<Record<string, number>> | undefined
  /** Required prefix of a string, followed by at least one character. */
  readonly prefix: string | undefined
  /** Spec of the items of an array. */
  readonly of: Field | undefined
  /** Spec of an object; `undefined` if the API document does not show its fields. */
  readonly part: ComponentSpec | undefined
  /** Accepted component types, by place; only of a component. */
  readonly accepts: Readonly<Record<Places, readonly number[]>> | undefined
}

/** Fields by name. */
export type Shape = Readonly<Record<string, Field>>

/** Specs of the styles of a component. */
export type Styles = Readonly<Record<number, ComponentSpec>>

/** Spec of a component type, or of a part of one such as an option. */
export interface ComponentSpec<S extends Shape = Shape> {
  /** Component type; 0 for a part. */
  readonly type: number
  /** Name in messages. */
  readonly name: string
  readonly places: Places
  /** Fields, with the common component fields. */
  readonly fields: ReadonlyMap<string, Field>
  /** Number of required fields. */
  readonly required: number
  /** Spec of each style, if the style determines which other fields are allowed. */
  readonly styles: Styles | undefined
  /** Prototype of the components, once there is one. */
  prototype?: object
  /** Only a type: the fields with their limits. */
  readonly shape?: S
}

// Builders for specs.

const field = (...options: readonly Partial<Field>[]): Field => Object.assign(new Field(), ...options)

type Bound = number | undefined

/** Field whose limits are known to the compiler. */
type Limited<Max, Min> = Field & { readonly max: Max; readonly min: Min }

/** Returns the spec of a string, with limits of its length. */
export const string = <const Max extends Bound = undefined, const Min extends Bound = undefined>(
  max?: Max,
  min?: Min,
  prefix?: string,
): Limited<Max, Min> => unsafeCast(field({ kind: 'string', max, min, prefix }))

/** Returns the spec of an integer, with limits. */
export const integer = <const Max extends Bound = undefined, const Min extends Bound = undefined>(
  max?: Max,
  fallback?: number,
  min?: Min,
  values?: Readonly<Record<string, number>>,
): Limited<Max, Min> => unsafeCast(field({ kind: 'integer', max, min, default: fallback, values }))

export const oneOf = (values: Readonly<Record<string, number>>, fallback?: number): Field =>
  integer(Object.keys(values).length, fallback, 1, values)

/** Returns the spec of an array, with limits of its length. */
export const array = <const Max extends Bound = undefined, const Min extends Bound = undefined>(
  of: Field,
  max?: Max,
  min?: Min,
): Limited<Max, Min> => unsafeCast(field({ kind: 'array', of, max, min }))

export const boolean = (fallback: boolean, places: Places = ANYWHERE): Field =>
  field({ kind: 'boolean', default: fallback, places })

/** Returns the spec of a child component, with the types accepted in messages and in modals. */
export const childComponent = (message: readonly number[], modal: readonly number[] = []): Field =>
  field({ kind: 'component', accepts: [[], message, modal, [...message, ...modal]] })

/** Returns the spec of an object; without `part`, of one whose fields the API document does not show. */
export const object = (part?: ComponentSpec): Field => field({ kind: 'object', part })

/** Returns the spec with the field required. */
export const required = <F extends Field>(spec: F): F => unsafeCast(field(spec, { required: true }))

/** Returns the spec with `null` allowed. */
export const nullable = <F extends Field>(spec: F): F => unsafeCast(field(spec, { nullable: true }))

/** Returns the spec of a component type, including the common component fields. */
export const componentSpec = <S extends Shape>(
  type: number,
  name: string,
  places: Places,
  shape: S,
  styles?: Styles,
): ComponentSpec<S> => {
  const fields = new Map<string, Field>(Object.entries({ ...(type && COMMON), ...shape }))
  const required = [...fields.values()].filter((spec) => spec.required).length
  return { type, name, places, fields, required, styles }
}

/** Returns the spec of a part of a component that is not a component itself. */
export const partSpec = <S extends Shape>(name: string, shape: S): ComponentSpec<S> =>
  componentSpec(0, name, ANYWHERE, shape)

export const merge = <A, B>(first: A, second: B): A & B => ({ ...first, ...second })

/** Whether an `id` is signed is not shown: both ranges are valid. API, "Common component fields". */
const COMMON = {
  type: required(field()),
  id: integer(2 ** 32 - 1, undefined, -(2 ** 31)),
}
/** API, "Common component fields". */
export const CUSTOM_ID = string(100, 1)
export const DEFAULT_FALSE = boolean(false)
export const DEFAULT_TRUE = boolean(true)
/** API, "Open shapes". */
export const EMOJI = object()
/** String of any length; also used for snowflakes, whose characters the API document does not show. */
export const STRING = string()
export const INTEGER = integer()
/** Field that only the service sets. */
export const RECEIVED = field({ places: NOWHERE })
/** Field of another style, which cannot be written either. */
export { RECEIVED as FORBIDDEN }
