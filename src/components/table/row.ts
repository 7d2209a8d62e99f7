/** What a field may say beside its kind. */
interface FieldFacts {
  /** Whether it must be there. */
  readonly required?: true
  /** Whether `null` is allowed. */
  readonly nullable?: true
  /** Where alone it may be set; what is received may not be sent at all. */
  readonly only?: 'message' | 'modal' | 'received'
}

/** A text; its size is in characters. */
interface TextField extends FieldFacts {
  readonly kind: 'text'
  readonly min?: number
  readonly max?: number
  /** What it must start with, more following. */
  readonly prefix?: string
}

/** An integer of a range, or one of an enumeration. */
interface IntegerField extends FieldFacts {
  readonly kind: 'integer'
  readonly min?: number
  readonly max?: number
  readonly values?: Readonly<Record<string, number>>
  readonly default?: number
}

interface BooleanField extends FieldFacts {
  readonly kind: 'boolean'
  readonly default?: boolean
}

/** An object whose fields the document does not show. */
interface OpenField extends FieldFacts {
  readonly kind: 'open'
}

/** What is received alone, whatever it is. */
interface ReceivedField extends FieldFacts {
  readonly kind: 'any'
  readonly only: 'received'
}

/** An object with fields of its own. */
interface PartField extends FieldFacts {
  readonly kind: 'part'
  readonly part: Part
}

/** One component: a child. */
interface SlotField extends FieldFacts {
  readonly kind: 'slot'
  /** What it takes in messages, and in modals. */
  readonly message?: readonly Row[]
  readonly modal?: readonly Row[]
}

interface ListField extends FieldFacts {
  readonly kind: 'list'
  readonly of: Field
  readonly min?: number
  readonly max?: number
}

/** What a field may be. */
export type Field =
  | TextField
  | IntegerField
  | BooleanField
  | OpenField
  | ReceivedField
  | PartField
  | SlotField
  | ListField

/** The fields of a component or of a part, by name. */
export type Fields = Readonly<Record<string, Field>>

/** What a component is made of beside components: options, items, media. */
export interface Part {
  readonly name: string
  readonly fields: Fields
}

/** A style, or several, of a component: which field it needs and which it refuses. */
export interface Variant {
  readonly values: readonly number[]
  readonly needs: string
  readonly refuses: readonly string[]
}

/** All that the document says of one type of component. `type` and `id`, which all have, are understood. */
export interface Row extends Part {
  readonly type: number
  readonly group: 'layout' | 'content' | 'interactive'
  /** Where it is usable; nowhere: it is received alone. */
  readonly usableIn: readonly ('message' | 'modal')[]
  /** What its `style` changes. */
  readonly styles?: readonly Variant[]
}
