import {
  ComponentError,
  checkbox,
  checkboxGroup,
  fileUpload,
  groupOption,
  label,
  modal,
  option,
  radioGroup,
  readModalAnswers,
  row,
  stringSelect,
  textInput,
  userSelect,
} from 'rapport-sdk/components'
import { describe, expect, expectTypeOf, test } from 'vitest'

const a = groupOption('A', 'a')
const b = groupOption('B', 'b')
const withRole = true as boolean
const sent = modal(
  'order',
  'Your order',
  'Only the team reads this.',
  label('Name', textInput.small('name').withMaxLength(80)),
  label('Size', stringSelect('size', option('S', 's')).withRequired(false)),
  [label('Who', userSelect('who'))],
  label('Delivery', radioGroup('delivery', a, b).withRequired(false)),
  label('Extras', checkboxGroup('extras', a, b).withMinValues(0)),
  label('News', checkbox('news').withDefault()),
  label('Files', fileUpload('files')),
  withRole && label('Role', textInput.paragraph('role')),
  row(textInput.small('old')),
)
const answered = (type: number, custom_id: string, answer: object) => ({
  type: 18,
  id: 1,
  component: { type, custom_id, ...answer },
})
const data = {
  custom_id: 'order',
  components: [
    { type: 10, id: 1 },
    answered(4, 'name', { value: 'Ada' }),
    answered(3, 'size', { values: ['s'] }),
    answered(5, 'who', { values: ['1', '2'] }),
    answered(21, 'delivery', { value: 'b' }),
    answered(22, 'extras', { values: ['a'] }),
    answered(23, 'news', { value: true }),
    answered(19, 'files', { values: ['9', '8'] }),
    answered(4, 'role', { value: 'Admin' }),
    { type: 1, id: 2, components: [{ type: 4, id: 3, custom_id: 'old', value: 'Old' }] },
  ],
  resolved: { attachments: { 9: { id: '9', filename: 'a.png', size: 5 } } },
}

describe('readModalAnswers', () => {
  test('readModalAnswers returns the answer to each form control by its custom_id', () => {
    const answers = readModalAnswers(data, sent)
    expect(answers).toEqual({
      name: 'Ada',
      size: ['s'],
      who: ['1', '2'],
      delivery: 'b',
      extras: ['a'],
      news: true,
      files: [{ id: '9', filename: 'a.png', size: 5 }, { id: '8' }],
      role: 'Admin',
      old: 'Old',
    })
    expectTypeOf(answers.name).toEqualTypeOf<string>()
    expectTypeOf(answers.size).toEqualTypeOf<readonly string[]>()
    expectTypeOf(answers.delivery).toEqualTypeOf<string | null>()
    expectTypeOf(answers.extras).toEqualTypeOf<readonly string[]>()
    expectTypeOf(answers.news).toEqualTypeOf<boolean>()
    expectTypeOf(answers.files[0]?.id).toEqualTypeOf<string | undefined>()
    expectTypeOf(answers.role).toEqualTypeOf<string | undefined>()
    expectTypeOf(answers.old).toEqualTypeOf<string>()
    // @ts-expect-error: the modal has no such control
    expect(answers.nobody).toBeUndefined()
  })

  test('controls without an answer have an empty one', () => {
    expect(readModalAnswers({ components: [] }, sent)).toEqual({
      name: '',
      size: [],
      who: [],
      delivery: null,
      extras: [],
      news: false,
      files: [],
      role: '',
      old: '',
    })
    expect(readModalAnswers({ components: [answered(21, 'delivery', { value: null })] }, sent).delivery).toBeNull()
  })

  test('the type follows a changed custom_id', () => {
    const changed = modal('m', 'M', label('A', textInput.small('a').withCustomId('b')))
    expect(readModalAnswers({ components: [answered(4, 'b', { value: 'B' })] }, changed).b).toBe('B')
  })

  test('a modal of JSON has answers of any type', () => {
    const answers = readModalAnswers(data, { custom_id: 'order', title: 'M', components: [...sent.components] })
    expectTypeOf(answers.name).toEqualTypeOf<
      string | boolean | readonly string[] | readonly import('rapport-sdk/components').ModalFile[] | null | undefined
    >()
    expect(answers.name).toBe('Ada')
  })

  test.each([
    ['a text', answered(4, 'name', { value: 5 }), 'name: expected string, got 5'],
    ['a select', answered(3, 'size', { values: 's' }), 'size: expected array of strings, got string'],
    ['a select with other items', answered(3, 'size', { values: [1] }), 'size: expected array of strings, got array'],
    ['a checkbox', answered(23, 'news', { value: 'yes' }), 'news: expected boolean, got string'],
    ['a radio group', answered(21, 'delivery', { value: ['a'] }), 'delivery: expected string, got array'],
  ])('an answer to %s of another type throws', (_, component, message) => {
    expect(() => readModalAnswers({ components: [component] }, sent)).toThrow(ComponentError)
    expect(() => readModalAnswers({ components: [component] }, sent)).toThrow(message)
  })

  test('readModalAnswers refuses the answers of another modal', () => {
    const other = { ...data, custom_id: 'another' }
    expect(() => readModalAnswers(other, sent)).toThrow(ComponentError)
    expect(() => readModalAnswers(other, sent)).toThrow('custom_id: of another modal')
    expect(() => readModalAnswers({ ...data, custom_id: null }, sent)).toThrow(ComponentError)
    expect(() => readModalAnswers(other, sent, { ignoreCustomId: false })).toThrow(ComponentError)
  })

  test('with ignoreCustomId, readModalAnswers reads the answers of a modal whose custom_id varies', () => {
    const answers = readModalAnswers({ ...data, custom_id: 'order:42' }, sent, { ignoreCustomId: true })
    expect(answers.name).toBe('Ada')
    expectTypeOf(answers.name).toEqualTypeOf<string>()
  })

  test('readModalAnswers reads answers without a custom_id', () => {
    expect(readModalAnswers({ components: data.components }, sent).name).toBe('Ada')
  })

  test('null is no answer', () => {
    const unanswered = [answered(4, 'name', { value: null }), answered(3, 'size', { values: null })]
    expect(readModalAnswers({ components: unanswered }, sent)).toMatchObject({ name: '', size: [] })
  })

  test('readModalAnswers asks for the data if it receives the whole interaction', () => {
    expect(() => readModalAnswers({ type: 5, data }, sent)).toThrow(
      'components: required: pass the data of the interaction',
    )
  })

  test.each([[null], ['text'], [{}], [[]], [{ components: 5 }]])(
    'readModalAnswers throws for %j, which is no data of a modal',
    (invalid) => {
      expect(() => readModalAnswers(invalid, sent)).toThrow(ComponentError)
    },
  )
})
