import type { InContainer, Parts } from '../built/held'
import type { ButtonRow, Container, Label, SectionDraft, SelectRow, TextInputRow } from '../built/layouts'
import type { ArrayInRow, InRow, RowItem, RowOf } from '../built/placed'
import type { ArraySized, Sized } from '../built/sized'
import { unsafeCast } from '../edge'
import type { TextDisplayInput } from '../input/content'
import type { ContainerChildInput, LabelChildInput } from '../input/layouts'
import { actionRowSpec, sectionSpec, containerSpec, labelSpec } from '../table/layouts'
import { text } from './content'
import { define } from './define'
import { byComponents } from './makers'
import { toFrozen } from './owned'

/**
 * A row of up to five buttons, one by one or as an array; or of one select. In a modal, deprecated, of one text input: put
 * that into a label. Interface, "Action Row".
 *
 * @example
 * import { button, option, row, stringSelect } from 'rapport-sdk/components'
 *
 * row(button.success('yes', 'Yes'), button.danger('no', 'No'))
 * row(stringSelect('size', option('Small', 's'), option('Large', 'l')))
 */
export const row: {
  <const Given extends readonly RowItem[]>(...items: InRow<Given>): RowOf<Given>
  <const Given extends readonly RowItem[]>(items: ArrayInRow<Given>): RowOf<Given>
} = byComponents<ButtonRow & SelectRow & TextInputRow>(actionRowSpec)

/**
 * One to three texts with a button or a thumbnail beside them; it cannot be sent before it has that accessory.
 * Interface, "Section".
 *
 * @example
 * import { attachment, section, thumbnail } from 'rapport-sdk/components'
 *
 * section('## Release 2.0', 'Now with passkeys').withAccessory(thumbnail(attachment('shot.png')))
 */
export const section: {
  <const Given extends readonly (string | TextDisplayInput)[]>(...texts: Sized<Given, 3, [unknown]>): SectionDraft
  <const Given extends readonly (string | TextDisplayInput)[]>(texts: ArraySized<Given, 3, [unknown]>): SectionDraft
} = byComponents(sectionSpec, (given) => {
  const texts = unsafeCast<Record<string, unknown>>([])
  // Not by `map`, which goes through the holes of a list as well.
  for (const key in given) texts[key] = typeof given[key] === 'string' ? text(given[key]) : given[key]
  return unsafeCast(texts)
})

/**
 * A box around 1–10 components, one by one or as an array. Interface, "Container".
 *
 * @example
 * import { container, separator, text } from 'rapport-sdk/components'
 *
 * container(text('## News'), separator().withSpacing('large'), text('None')).withAccentColor(0x3366ff)
 */
export const container: <const Given extends Parts<ContainerChildInput>>(
  ...components: InContainer<Given>
) => Container = byComponents(containerSpec)

const createLabel = define<Label>(labelSpec)

/**
 * A field of a modal with what it is called, in at most 45 characters. Interface, "Label".
 *
 * @example
 * import { checkbox, label } from 'rapport-sdk/components'
 *
 * label('Newsletter', checkbox('newsletter')).withDescription('Once a month')
 */
export function label(labelText: string, component: LabelChildInput): Label {
  return createLabel({ type: 18, label: labelText, component: toFrozen(component) })
}
