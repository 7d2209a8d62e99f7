import type { ComponentType } from '../components/constants'
import type { PlainObject } from '../components/schema'
import { button } from './buttons'
import { file, mediaGallery, separator, textDisplay, thumbnail } from './content'
import { placeholder } from './element'
import { checkbox, choices, fileUpload, label, textInput } from './fields'
import { actionRow, container, section } from './layouts'
import { DEEPEST, type Field, fieldsOf, type Page, tried } from './page'
import { select } from './selects'

type Writer = (value: PlainObject, page: Page, field?: Field) => string

/** What stands in a label. Without one it gets one: a text input in a row has its own, a lone component is one to look at. */
function labelled(write: (value: PlainObject, page: Page, field: Field) => string): Writer {
  return (value, page, field) =>
    field ? write(value, page, field) : label({ label: value.label || 'Field', component: value }, page)
}

const group = labelled(choices)

/** By type. The interface does not say how what cannot be sent looks: it is a box with a name. */
const WRITERS: Readonly<Record<number, Writer | string>> = {
  1: actionRow,
  2: button,
  3: select,
  4: labelled(textInput),
  5: select,
  6: select,
  7: select,
  8: select,
  9: section,
  10: textDisplay,
  11: thumbnail,
  12: mediaGallery,
  13: file,
  14: separator,
  16: 'Content inventory entry',
  17: container,
  18: label,
  19: labelled(fileUpload),
  20: 'Checkpoint card',
  21: group,
  22: group,
  23: labelled(checkbox),
} satisfies Record<ComponentType, Writer | string>

/** A component as HTML. What cannot be read is said to be so. */
export function component(value: unknown, page: Page, field?: Field): string {
  if (page.depth >= DEEPEST) return placeholder('Nested too deeply')
  page.depth++
  const html = tried(() => {
    const fields = fieldsOf(value)
    const { type } = fields
    if (typeof type !== 'number') return placeholder('Not a component')
    const write = WRITERS[type] ?? 'Unknown component'
    return typeof write === 'string' ? placeholder(`${write} (type ${type})`) : write(fields, page, field)
  })
  page.depth--
  return html ?? placeholder('Cannot be read')
}
