import type { ButtonInput } from '../input/buttons'
import type { ModalComponentInput } from '../input/envelopes'
import type { TextInputInput } from '../input/modal-fields'
import type { SelectInput } from '../input/selects'
import type { ButtonRow, SelectRow, TextInputRow } from './layouts'
import type { TypeErrorMessage } from './refused'
import type { SizeFault } from './sized'

/** What a row may hold, in whichever place. */
export type RowItem = ButtonInput | SelectInput | TextInputInput

/** Why a row cannot hold these. A list of anything that rows hold, of whatever length, falls to run time. */
type RowFault<Items extends readonly RowItem[]> = Items extends readonly ButtonInput[]
  ? SizeFault<Items, 5>
  : Items extends readonly SelectInput<'message'>[] | readonly TextInputInput[]
    ? SizeFault<Items, 1, [unknown]>
    : [RowItem] extends [Items[number]]
      ? never
      : Items extends readonly SelectInput[]
        ? 'a required select is for modals: put it in a label'
        : 'a row holds buttons alone, or one select, or one text input'

/** What a row is given: up to five buttons, one select for messages, or one text input. */
export type InRow<Items extends readonly RowItem[]> = [RowFault<Items>] extends [never]
  ? Items
  : { readonly [Index in keyof Items]: TypeErrorMessage<RowFault<Items>> }

/** The same as an array, which is refused as a whole: of several errors the compiler leaves out those that matter. */
export type ArrayInRow<Items extends readonly RowItem[]> = [RowFault<Items>] extends [never]
  ? Items
  : TypeErrorMessage<RowFault<Items>>

/** What a row of these is. */
export type RowOf<Items extends readonly RowItem[]> = Items extends readonly ButtonInput[]
  ? ButtonRow
  : Items extends readonly TextInputInput[]
    ? TextInputRow
    : SelectRow

type Field = { readonly type: 3 | 4 | 5 | 6 | 7 | 8 | 19 | 21 | 22 | 23 }

type Unlabelled = TypeErrorMessage<'a field of a modal is put in a label'>

type ModalItem<Item> = Item extends ModalComponentInput ? Item : Item extends Field ? Unlabelled : ModalComponentInput

/** What a modal is given. */
export type InModal<Items extends readonly unknown[]> = Items extends readonly ModalComponentInput[]
  ? readonly ModalComponentInput[]
  : { readonly [Index in keyof Items]: ModalItem<Items[Index]> }

/** The same as an array, which is refused as a whole where all are without a label. */
export type ArrayInModal<Items extends readonly unknown[]> = Items extends readonly Field[]
  ? Items extends readonly ModalComponentInput[]
    ? readonly ModalComponentInput[]
    : Unlabelled
  : InModal<Items>
