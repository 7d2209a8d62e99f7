// One signature accepts components as arguments and as an array: with two overloads, the compiler would first report
// that no overload matches.

type InRow = 'a select is put in a row'
type ForModals = 'it is for modals'

/** Compiler messages for components that are not allowed at the top level of a message, by type. */
export interface InMessages {
  2: 'a button is put in a row'
  3: InRow
  4: ForModals
  5: InRow
  6: InRow
  7: InRow
  8: InRow
  9: 'a section needs withAccessory(…)'
  11: 'a thumbnail is put beside a section, by withAccessory(…)'
  18: ForModals
  19: ForModals
  21: ForModals
  22: ForModals
  23: ForModals
}

/** Compiler messages for components that are not allowed in a container, by type. */
export interface InContainers extends InMessages {
  17: 'a container is put in the message itself'
}

/**
 * Parameter type for one component. For an invalid section with an accessory, the compiler's own error is specific
 * enough.
 */
type Fit<Item, Taken, Faults> = Item extends Taken
  ? Item
  : Item extends { readonly accessory: unknown }
    ? Taken
    : Item extends { readonly type: infer Type extends keyof Faults }
      ? TypeErrorMessage<Faults[Type] & string>
      : Taken

/** Parameter type for an array of components. */
type Fits<Items extends readonly unknown[], Taken, Faults> = Items extends readonly Taken[]
  ? Items
  : number extends Items['length']
    ? readonly Taken[]
    : { readonly [Index in keyof Items]: Fit<Items[Index], Taken, Faults> }

/** Parameter type for all arguments. */
type Checked<
  Given extends readonly unknown[],
  Taken,
  Faults,
  Most extends number,
  Least extends readonly unknown[],
> = Given extends readonly [infer Items extends readonly unknown[]]
  ? readonly [ArraySized<Fits<Items, Taken, Faults>, Most, Least>]
  : Sized<Fits<Given, Taken, Faults>, Most, Least>

// The inferred type must itself be a branch of the result; otherwise the compiler widens a literal array to any length.
export type Held<
  Given extends readonly unknown[],
  Taken,
  Faults,
  Most extends number,
  Least extends readonly unknown[] = [],
> = [Given] extends [Checked<Given, Taken, Faults, Most, Least>] ? Given : Checked<Given, Taken, Faults, Most, Least>

/** Constraint for inference only; `InMessage` and `InContainer` report errors. */
export type Parts<Taken> = readonly (Taken | object | readonly object[])[]

type Counts<Most extends number, Seen extends 0[] = []> = Seen['length'] extends Most
  ? Most
  : Seen['length'] | Counts<Most, [...Seen, 0]>

/** Compiler message for an array of the wrong length. The length of a `T[]` is unknown and checked at run time. */
export type SizeFault<
  List extends readonly unknown[],
  Most extends number,
  Least extends readonly unknown[] = [],
> = number extends List['length']
  ? never
  : List extends readonly [...Least, ...unknown[]]
    ? List['length'] extends Counts<Most>
      ? never
      : `at most ${Most}`
    : `at least ${Least['length']}`

/** Parameter type for rest arguments: at least as many items as `Least` has, at most `Most`. */
export type Sized<List extends readonly unknown[], Most extends number, Least extends readonly unknown[] = []> = [
  SizeFault<List, Most, Least>,
] extends [never]
  ? List
  : readonly [TypeErrorMessage<SizeFault<List, Most, Least>>, ...TypeErrorMessage<SizeFault<List, Most, Least>>[]]

/**
 * {@link Sized} for an array argument, rejected as a whole: of several errors, the compiler omits the relevant ones.
 */
export type ArraySized<List extends readonly unknown[], Most extends number, Least extends readonly unknown[] = []> = [
  SizeFault<List, Most, Least>,
] extends [never]
  ? List
  : TypeErrorMessage<SizeFault<List, Most, Least>>

declare const reason: unique symbol

/** Type that no value satisfies. Used as a parameter type, so that the compiler prints the reason. */
export interface TypeErrorMessage<Reason extends string> {
  /** Reason that the compiler prints; no value has this property. */
  readonly [reason]: Reason
}
