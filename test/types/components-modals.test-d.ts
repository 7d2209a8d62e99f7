import {
  button,
  channelSelect,
  checkbox,
  checkboxGroup,
  container,
  fileUpload,
  groupOption,
  label,
  mentionableSelect,
  modal,
  option,
  radioGroup,
  roleSelect,
  row,
  separator,
  stringSelect,
  text,
  textInput,
  userSelect,
} from 'rapport-sdk/components'
import { describe, expectTypeOf, test } from 'vitest'

const a = groupOption('A', 'a')
const b = groupOption('B', 'b')

describe('a valid modal', () => {
  test('a label accepts each type of field', () => {
    const labels = [
      label('Text', textInput.small('t')),
      label(
        'Long text',
        textInput.paragraph('p').withMinLength(1).withMaxLength(9).withValue('x').withPlaceholder('y'),
      ),
      label('Choice', stringSelect('s', option('A', 'a')).withRequired(false)),
      label('User', userSelect('u')),
      label('Role', roleSelect('r').withRequired()),
      label('Both', mentionableSelect('m')),
      label('Channel', channelSelect('c').withChannelTypes(0)),
      label('Files', fileUpload('f').withMinValues(0).withMaxValues(10).withRequired()),
      label('One', radioGroup('o', a.withDefault(), b.withDescription('Another')).withRequired(false)),
      label('Some', checkboxGroup('g', a, b).withMinValues(0).withMaxValues(2)),
      label('Yes', checkbox('x').withDefault()),
    ]
    expectTypeOf(modal('m', 'A modal', labels)).toExtend<{ custom_id: string; title: string }>()
    modal('m', 'A modal', ...labels)
  })

  test('a modal accepts texts and legacy rows', () => {
    modal('m', 'A modal', text('Hello'), label('Text', textInput.small('t')), row(textInput.small('old')))
    modal('m', 'A modal', { type: 18, label: 'A', component: { type: 23, custom_id: 'c' } })
  })

  test('a label has methods for each property', () => {
    label('A', checkbox('c')).withLabel('B').withDescription('C').withComponent(fileUpload('f')).withId(2)
  })

  test('a group accepts two to ten options, also as an array', () => {
    radioGroup('r', a, b, a, b, a, b, a, b, a, b)
    checkboxGroup('c', [a, b]).addOptions(a)
    const options: { label: string; value: string }[] = [{ label: 'A', value: 'a' }]
    radioGroup('r', options)
  })
})

describe('an invalid modal', () => {
  test('a modal with a component of a message does not compile', () => {
    // @ts-expect-error: a container
    modal('m', 'A modal', container(text('A text')))
    // @ts-expect-error: a row of buttons
    modal('m', 'A modal', row(button.primary('a')))
    // @ts-expect-error: a separator
    modal('m', 'A modal', separator())
    // @ts-expect-error: a row of a select: in modals it needs a label
    modal('m', 'A modal', row(userSelect('u')))
    // @ts-expect-error: a field without a label
    modal('m', 'A modal', textInput.small('t'))
    // @ts-expect-error: a field without a label, after one with a label
    modal('m', 'A modal', label('A', checkbox('c')), fileUpload('f'))
    // @ts-expect-error: a text has no such field
    modal('m', 'A modal', { type: 10, content: 'A', style: 1 })
    // @ts-expect-error: no title
    modal('m')
  })

  test('invalid labels do not compile', () => {
    // @ts-expect-error: a label contains no button
    label('A', button.primary('a'))
    // @ts-expect-error: a label contains no text
    label('A', text('A text'))
    // @ts-expect-error: a label contains no label
    label('A', label('B', checkbox('c')))
    // @ts-expect-error: a label contains a field
    label('A')
    // @ts-expect-error: a disabled select is for a message
    label('A', userSelect('u').withDisabled())
    // @ts-expect-error: so is a literal that is disabled
    label('A', { type: 5, custom_id: 'u', disabled: true })
    // @ts-expect-error: one field, not two
    label('A', [checkbox('a'), checkbox('b')])
  })

  test('invalid fields do not compile', () => {
    // @ts-expect-error: a radio group has at least two options
    radioGroup('r', a)
    // @ts-expect-error: and at most ten
    radioGroup('r', a, a, a, a, a, a, a, a, a, a, a)
    // @ts-expect-error: a checkbox group has at least two options
    checkboxGroup('c')
    // @ts-expect-error: an option of a group has no emoji
    a.withEmoji({ name: '🔥' })
    // @ts-expect-error: a checkbox is not required
    checkbox('c').withRequired()
    // @ts-expect-error: exactly one option of a radio group is chosen
    radioGroup('r', a, b).withMaxValues(1)
    // @ts-expect-error: a file upload is not disabled
    fileUpload('f').withDisabled()
    // @ts-expect-error: a text input is not disabled
    textInput.small('t').withDisabled()
    // @ts-expect-error: a text input has a length, not a number of values
    textInput.paragraph('t').withMaxValues(1)
    // @ts-expect-error: a length is a number
    textInput.small('t').withMaxLength('10')
    // @ts-expect-error: a file upload has no placeholder
    fileUpload('f').withPlaceholder('A file')
  })
})
