type PutInRow = 'put a select in a row'
type OnlyInModals = 'only allowed in modals'

/** Compiler messages for components that are not allowed at the top level of a message, by type. */
export interface MessageErrors {
  2: 'put a button in a row'
  3: PutInRow
  4: OnlyInModals
  5: PutInRow
  6: PutInRow
  7: PutInRow
  8: PutInRow
  9: 'a section needs withAccessory(…)'
  11: 'put a thumbnail next to a section, by withAccessory(…)'
  18: OnlyInModals
  19: OnlyInModals
  21: OnlyInModals
  22: OnlyInModals
  23: OnlyInModals
}

/** Compiler messages for components that are not allowed in a container, by type. */
export interface ContainerErrors extends MessageErrors {
  17: 'put a container at the top level of the message'
}

/**
 * Parameter type for one component. For an invalid section with an accessory, the compiler's own error is specific
 * enough.
 */
type CheckedItem<Item, Allowed, Errors> = Item extends Allowed
  ? Item
  : Item extends { readonly accessory: unknown }
    ? Allowed
    : Item extends { readonly type: infer Type extends keyof Errors }
      ? TypeErrorMessage<Errors[Type] & string>
      : Allowed

/** Parameter type for an array of components. */
type CheckedArray<Items extends readonly unknown[], Allowed, Errors> = Items extends readonly Allowed[]
  ? Items
  : number extends Items['length']
    ? readonly Allowed[]
    : { readonly [Index in keyof Items]: CheckedItem<Items[Index], Allowed, Errors> }

/** Parameter type for all arguments. */
type CheckedArguments<
  Given extends readonly unknown[],
  Allowed,
  Errors,
  Max extends number,
  Min extends readonly unknown[],
> = Given extends readonly [infer Items extends readonly unknown[]]
  ? readonly [SizedArray<CheckedArray<Items, Allowed, Errors>, Max, Min>]
  : SizedArguments<CheckedArray<Given, Allowed, Errors>, Max, Min>

/**
 * Type of arguments that are components, or one array of them. One signature for both: with two overloads, the compiler
 * would first report that no overload matches. The inferred type must itself be a branch of the result; otherwise the
 * compiler widens a literal array to any length.
 */
export type ComponentArguments<
  Given extends readonly unknown[],
  Allowed,
  Errors,
  Max extends number,
  Min extends readonly unknown[] = [],
> = [Given] extends [CheckedArguments<Given, Allowed, Errors, Max, Min>]
  ? Given
  : CheckedArguments<Given, Allowed, Errors, Max, Min>

/** Constraint for inference only; `InMessage` and `InContainer` report errors. */
export type AnyArguments<Allowed> = readonly (Allowed | object | readonly object[])[]

type UpTo<Max extends number, Seen extends 0[] = []> = Seen['length'] extends Max
  ? Max
  : Seen['length'] | UpTo<Max, [...Seen, 0]>

/** Compiler message for an array of the wrong length. The length of a `T[]` is unknown and checked at run time. */
export type SizeError<
  List extends readonly unknown[],
  Max extends number,
  Min extends readonly unknown[] = [],
> = number extends List['length']
  ? never
  : List extends readonly [...Min, ...unknown[]]
    ? List['length'] extends UpTo<Max>
      ? never
      : `at most ${Max}`
    : `at least ${Min['length']}`

/** Parameter type for rest arguments: at least as many items as `Min` has, at most `Max`. */
export type SizedArguments<List extends readonly unknown[], Max extends number, Min extends readonly unknown[] = []> = [
  SizeError<List, Max, Min>,
] extends [never]
  ? List
  : readonly [TypeErrorMessage<SizeError<List, Max, Min>>, ...TypeErrorMessage<SizeError<List, Max, Min>>[]]

/**
 * {@link SizedArguments} for an array argument, rejected as a whole: of several errors, the compiler omits the relevant
 * ones.
 */
export type SizedArray<List extends readonly unknown[], Max extends number, Min extends readonly unknown[] = []> = [
  SizeError<List, Max, Min>,
] extends [never]
  ? List
  : TypeErrorMessage<SizeError<List, Max, Min>>

declare const reason: unique symbol

/** Type that no value satisfies. Used as a parameter type, so that the compiler prints the reason. */
export interface TypeErrorMessage<Reason extends string> {
  /** Reason that the compiler prints; no value has this property. */
  readonly [reason]: Reason
}
