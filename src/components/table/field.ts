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
