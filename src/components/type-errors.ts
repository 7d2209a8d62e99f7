// One signature takes components one by one and as an array: of two, the compiler would first say that neither fits.

type InRow = 'a select is put in a row'
type ForModals = 'it is for modals'

/** Why a message does not take a component by itself, by type. */
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

/** The same in a container. */
export interface InContainers extends InMessages {
  17: 'a container is put in the message itself'
}

/** What stands in for one component. Of a section with an accessory, the compiler itself says what is wrong. */
type Fit<Item, Taken, Faults> = Item extends Taken
  ? Item
  : Item extends { readonly accessory: unknown }
    ? Taken
    : Item extends { readonly type: infer Type extends keyof Faults }
      ? TypeErrorMessage<Faults[Type] & string>
      : Taken

/** What stands in for a list. */
type Fits<Items extends readonly unknown[], Taken, Faults> = Items extends readonly Taken[]
  ? Items
  : number extends Items['length']
    ? readonly Taken[]
    : { readonly [Index in keyof Items]: Fit<Items[Index], Taken, Faults> }

/** What stands in for all that is given. */
type Checked<
  Given extends readonly unknown[],
  Taken,
  Faults,
  Most extends number,
  Least extends readonly unknown[],
> = Given extends readonly [infer Items extends readonly unknown[]]
  ? readonly [ArraySized<Fits<Items, Taken, Faults>, Most, Least>]
  : Sized<Fits<Given, Taken, Faults>, Most, Least>

// What it infers has to be an outcome itself, or the compiler takes an array as it is written for one of any length.
export type Held<
  Given extends readonly unknown[],
  Taken,
  Faults,
  Most extends number,
  Least extends readonly unknown[] = [],
> = [Given] extends [Checked<Given, Taken, Faults, Most, Least>] ? Given : Checked<Given, Taken, Faults, Most, Least>

/** What may be given as far as inference goes; `InMessage` and `InContainer` report what is wrong. */
export type Parts<Taken> = readonly (Taken | object | readonly object[])[]

type Counts<Most extends number, Seen extends 0[] = []> = Seen['length'] extends Most
  ? Most
  : Seen['length'] | Counts<Most, [...Seen, 0]>

/** Why a list cannot be of its length; that of a `T[]` is not known, and is checked as it runs. */
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

/** Items one by one, of which there must be as many as `Least` has at least and `Most` at most. */
export type Sized<List extends readonly unknown[], Most extends number, Least extends readonly unknown[] = []> = [
  SizeFault<List, Most, Least>,
] extends [never]
  ? List
  : readonly [TypeErrorMessage<SizeFault<List, Most, Least>>, ...TypeErrorMessage<SizeFault<List, Most, Least>>[]]

/** The same as an array, which is refused as a whole: of several errors the compiler leaves out those that matter. */
export type ArraySized<List extends readonly unknown[], Most extends number, Least extends readonly unknown[] = []> = [
  SizeFault<List, Most, Least>,
] extends [never]
  ? List
  : TypeErrorMessage<SizeFault<List, Most, Least>>

declare const reason: unique symbol

/** What nothing fits. It stands where something else is expected, so that the compiler says why. */
export interface TypeErrorMessage<Reason extends string> {
  /** The reason, which the compiler quotes; no value has it. */
  readonly [reason]: Reason
}
