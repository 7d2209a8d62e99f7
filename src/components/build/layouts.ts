import type { ButtonRow, Container, Label, SectionDraft, SelectRow, TextInputRow } from '../built/layouts'
import type { Sized } from '../built/sized'
import type { ButtonInput } from '../input/buttons'
import type { TextDisplayInput } from '../input/content'
import type { ContainerChildInput, LabelChildInput } from '../input/layouts'
import type { TextInputInput } from '../input/modal-fields'
import type { SelectInput } from '../input/selects'
import * as table from '../table/layouts'
import { text } from './content'
import { define, listed } from './define'
import { owned } from './owned'

type Given = readonly (unknown | readonly unknown[])[]

const toText = (given: unknown) => (typeof given === 'string' ? text(given) : given)

const createRow = define<ButtonRow | SelectRow | TextInputRow>(table.actionRow)
const createSection = define<SectionDraft>(table.section, undefined, toText)
const createContainer = define<Container>(table.container)
const createLabel = define<Label>(table.label)

/**
 * A row of up to five buttons, one by one or as an array; or of one select. Interface, "Action Row".
 *
 * @example
 * import { button, option, row, stringSelect } from 'rapport-sdk/components'
 *
 * row(button.success('yes', 'Yes'), button.danger('no', 'No'))
 * row(stringSelect('size', option('Small', 's'), option('Large', 'l')))
 */
export function row<const Buttons extends readonly ButtonInput[]>(...buttons: Sized<Buttons, 5>): ButtonRow
export function row<const Buttons extends readonly ButtonInput[]>(buttons: Sized<Buttons, 5>): ButtonRow
export function row<const Selects extends readonly SelectInput<'message'>[]>(
  ...select: Sized<Selects, 1, [unknown]>
): SelectRow
export function row<const Selects extends readonly SelectInput<'message'>[]>(
  select: Sized<Selects, 1, [unknown]>,
): SelectRow
/** @deprecated Rows in modals are; put the input into a {@link label}. */
export function row<const Inputs extends readonly TextInputInput[]>(...input: Sized<Inputs, 1, [unknown]>): TextInputRow
/** @deprecated Rows in modals are; put the input into a {@link label}. */
export function row<const Inputs extends readonly TextInputInput[]>(input: Sized<Inputs, 1, [unknown]>): TextInputRow
export function row(...components: Given): ButtonRow | SelectRow | TextInputRow {
  return createRow({ type: 1, components: listed(components) })
}

/**
 * One to three texts with a button or a thumbnail beside them; it cannot be sent before it has that accessory.
 * Interface, "Section".
 *
 * @example
 * import { attachment, section, thumbnail } from 'rapport-sdk/components'
 *
 * section('## Release 2.0', 'Now with passkeys').withAccessory(thumbnail(attachment('shot.png')))
 */
export function section<const Texts extends readonly (string | TextDisplayInput)[]>(
  ...texts: Sized<Texts, 3, [unknown]>
): SectionDraft
export function section<const Texts extends readonly (string | TextDisplayInput)[]>(
  texts: Sized<Texts, 3, [unknown]>,
): SectionDraft
export function section(...texts: Given): SectionDraft {
  return createSection({ type: 9, components: listed(texts, toText) })
}

/**
 * A box around 1–10 components. Interface, "Container".
 *
 * @example
 * import { container, separator, text } from 'rapport-sdk/components'
 *
 * container(text('## News'), separator().withSpacing('large'), text('None')).withAccentColor(0x3366ff)
 */
export function container<const Components extends readonly ContainerChildInput[]>(
  ...components: Sized<Components, 10, [unknown]>
): Container
export function container<const Components extends readonly ContainerChildInput[]>(
  components: Sized<Components, 10, [unknown]>,
): Container
export function container(...components: Given): Container {
  return createContainer({ type: 17, components: listed(components) })
}

/**
 * A field of a modal with what it is called. Interface, "Label".
 *
 * @param labelText At most 45 characters.
 *
 * @example
 * import { checkbox, label } from 'rapport-sdk/components'
 *
 * label('Newsletter', checkbox('newsletter')).withDescription('Once a month')
 */
export function label(labelText: string, component: LabelChildInput): Label {
  return createLabel({ type: 18, label: labelText, component: owned(component) })
}
