import type { MessageComponentInput } from '../input/envelopes'
import type { ContainerChildInput } from '../input/layouts'
import type { TypeErrorMessage } from './refused'
import type { ArraySized, Sized } from './sized'

// One signature takes components one by one and as an array: of two, the compiler would first say that neither fits.

type InRow = 'a select is put in a row'
type ForModals = 'it is for modals'

/** Why a message does not take a component by itself, by type. */
interface InMessages {
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
interface InContainers extends InMessages {
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
type Held<
  Given extends readonly unknown[],
  Taken,
  Faults,
  Most extends number,
  Least extends readonly unknown[] = [],
> = [Given] extends [Checked<Given, Taken, Faults, Most, Least>] ? Given : Checked<Given, Taken, Faults, Most, Least>

/** What may be given as far as inference goes; {@link InMessage} and {@link InContainer} say what is wrong with it. */
export type Parts<Taken> = readonly (Taken | object | readonly object[])[]

/** What a message with the flag is given: components one by one, or as an array. */
export type InMessage<Given extends readonly unknown[]> = Held<Given, MessageComponentInput, InMessages, 40>

/** What a container is given. */
export type InContainer<Given extends readonly unknown[]> = Held<
  Given,
  ContainerChildInput,
  InContainers,
  10,
  [unknown]
>
