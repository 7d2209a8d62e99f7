import {
  button,
  type Checkbox,
  type CheckboxGroup,
  type Child,
  channelSelect,
  checkbox,
  checkboxGroup,
  container,
  fileUpload,
  type GroupOptionInput,
  groupOption,
  type Label,
  type LabelChildInput,
  label,
  type Modal,
  mentionableSelect,
  modal,
  option,
  type RadioGroup,
  radioGroup,
  roleSelect,
  row,
  type SelectOptionInput,
  type StringSelect,
  separator,
  stringSelect,
  type TextInput,
  type TextInputInput,
  type TextInputRow,
  text,
  textInput,
  userSelect,
} from 'rapport-sdk/components'
import { type ModalFile, readModalAnswers } from 'rapport-sdk/interactions'
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

describe('what labels and modals hold', () => {
  const name = label('Name', textInput.small('name'))
  const news = label('News', checkbox('news'))
  const labels = [name, news, label('Size', radioGroup('size', a, b))]
  const answersOf = <M extends Modal>(sent: M) => readModalAnswers({}, sent).defaults

  test('labels in an array keep all their answers', () => {
    const answers = answersOf(modal('m', 'A modal', labels))
    expectTypeOf(answers.name).toEqualTypeOf<string>()
    expectTypeOf(answers.news).toEqualTypeOf<boolean>()
    expectTypeOf(answers.size).toEqualTypeOf<'a' | 'b' | null>()
  })

  test('answers are the values of the options that were sent', () => {
    const size = stringSelect('size', option('Small', 's'), [option('Large', 'l')])
    const sizes = label('Size', size.withRequired(false).withPlaceholder('Choose'))
    const more = label(
      'Extras',
      checkboxGroup('extras', a, [b]).addOptions({ label: 'C', value: 'c' }).withMinValues(0),
    )
    const delivery = label(
      'Delivery',
      radioGroup('x', a, b.withValue('z')).withCustomId('delivery').withRequired(false),
    )
    const literal = {
      type: 18,
      label: 'Drink',
      component: { type: 3, custom_id: 'drink', options: [{ label: 'Tea', value: 'tea' }] },
    } as const
    for (const answers of [
      answersOf(modal('m', 'A modal', sizes, more, delivery, literal)),
      answersOf(modal('m', 'A modal', [sizes, more, delivery, literal])),
    ]) {
      expectTypeOf(answers.size).toEqualTypeOf<readonly ('s' | 'l')[]>()
      expectTypeOf(answers.extras).toEqualTypeOf<readonly ('a' | 'b' | 'c')[]>()
      expectTypeOf(answers.delivery).toEqualTypeOf<'a' | 'z' | null>()
      expectTypeOf(answers.drink).toEqualTypeOf<readonly 'tea'[]>()
    }
    const inline = answersOf(modal('m', 'A modal', label('Size', size), { ...literal, label: 'Other' }))
    expectTypeOf(inline.size).toEqualTypeOf<readonly ('s' | 'l')[]>()
    const names: string[] = ['a']
    const options = names.map((name) => groupOption(name, name))
    const computed = answersOf(modal('m', 'A modal', label('Names', checkboxGroup('names', options))))
    expectTypeOf(computed.names).toEqualTypeOf<readonly string[]>()
  })

  test('options may be in arrays whose depth is unknown', () => {
    const sizes: readonly Child<SelectOptionInput>[] = [option('Small', 's'), [null, [option('Large', 'l')]]]
    const select = stringSelect('size', ...sizes).addOptions(sizes)
    expectTypeOf(select.options[0]?.value).toEqualTypeOf<string | undefined>()
    const extras: readonly Child<GroupOptionInput>[] = [a, [false, [b]]]
    expectTypeOf(checkboxGroup('extras', ...extras).options[0]?.value).toEqualTypeOf<string | undefined>()
  })

  test('an array holds selects and groups of different values', () => {
    const c = groupOption('C', 'c')
    const controls = [
      stringSelect('s', option('A', 'a')),
      stringSelect('t', option('B', 'b')).withRequired(),
      radioGroup('r', a, b).withRequired(false),
      radioGroup('q', b, c),
      checkboxGroup('g', a, b).addOptions(c),
      checkboxGroup('h', c, b),
      userSelect('u'),
      textInput.small('x'),
    ]
    expectTypeOf(controls).toExtend<LabelChildInput[]>()
    const answers = answersOf(
      modal(
        'm',
        'A modal',
        controls.map((control) => label('A', control)),
      ),
    )
    expectTypeOf(answers.q).toEqualTypeOf<'b' | 'c' | null>()
    expectTypeOf(answers.g).toEqualTypeOf<readonly ('a' | 'b' | 'c')[]>()
  })

  test('a label of known values fits one of any values', () => {
    const size = label('Size', stringSelect('size', option('Small', 's')))
    const any: Label<StringSelect>[] = [size]
    const group: Label<RadioGroup<'size'>> = label('Size', radioGroup('size', a, b))
    const sent: Modal<readonly [Label<StringSelect>]> = modal('m', 'A modal', size)
    // @ts-expect-error: other values
    const other: Label<StringSelect<'either', 'size', 'l'>> = size
    // @ts-expect-error: other values
    const groups: Label<CheckboxGroup<'c', 'a'>> = label('C', checkboxGroup('c', a, b))
    expectTypeOf([any, group, sent, other, groups]).toBeArray()
  })

  test('a label and a modal fit what holds more kinds of form controls', () => {
    const any: Label[] = labels
    const either: Label<TextInput | Checkbox>[] = [name, news]
    const sent: Modal = modal('m', 'A modal', name)
    const oneOf: Modal<readonly [Label<TextInput | Checkbox>]> = modal('m', 'A modal', name)
    expectTypeOf([any, either, sent, oneOf]).toBeArray()
  })

  test('a label or a modal of another form control does not compile', () => {
    // @ts-expect-error: a checkbox
    const checked: Label<TextInput<'name'>> = news
    // @ts-expect-error: a text input with another custom_id
    const other: Label<TextInput<'name'>> = label('Name', textInput.small('other'))
    // @ts-expect-error: one of them is a checkbox
    const texts: Label<TextInput>[] = labels
    // @ts-expect-error: a modal of a checkbox
    const sent: Modal<readonly [Label<TextInput>]> = modal('m', 'A modal', news)
    // @ts-expect-error: a row of another text input
    const old: TextInputRow<TextInput<'name'>> = row(textInput.small('other'))
    expectTypeOf([checked, other, texts, sent, old]).toBeArray()
  })

  test('a function with a type parameter passes form controls to a label', () => {
    const text = <const Id extends string>(id: Id) => label('x', textInput.small(id))
    const field = <T extends LabelChildInput>(x: T) => label('x', x)
    const choice = <T extends GroupOptionInput>(x: T) => field(checkboxGroup('choice', x, x))
    const files = <const Id extends string>(id: Id) => text('x').withComponent(fileUpload(id))
    const select = <const Id extends string>(id: Id) => field(stringSelect(id, option('A', 'a')).withRequired())
    const old = <T extends TextInputInput>(x: T) => modal('m', 'A modal', row(x))
    const form = <const Id extends string>(id: Id) => modal('m', 'A modal', text(id), [field(checkbox('news'))])
    const rest = modal('m', 'A modal', choice(a), files('files'), select('select'))
    expectTypeOf(text('name')).toEqualTypeOf<Label<TextInput<'name'>>>()
    expectTypeOf(answersOf(form('name')).name).toEqualTypeOf<string>()
    expectTypeOf(answersOf(form('name')).news).toEqualTypeOf<boolean>()
    expectTypeOf(answersOf(rest).files).toEqualTypeOf<readonly ModalFile[]>()
    expectTypeOf(answersOf(rest).select).toEqualTypeOf<readonly 'a'[]>()
    expectTypeOf(answersOf(rest).choice).toEqualTypeOf<readonly 'a'[]>()
    expectTypeOf(old(textInput.small('old'))).toExtend<Modal>()
  })
})

describe('an invalid modal', () => {
  test('with a component of a message does not compile', () => {
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
