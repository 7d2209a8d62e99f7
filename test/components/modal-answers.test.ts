import {
  channelSelect,
  checkbox,
  checkboxGroup,
  fileUpload,
  groupOption,
  type LabelChildInput,
  label,
  mentionableSelect,
  modal,
  option,
  radioGroup,
  roleSelect,
  row,
  stringSelect,
  textInput,
  userSelect,
} from 'rapport-sdk/components'
import { type ModalFile, readModalAnswers } from 'rapport-sdk/interactions'
import { describe, expect, expectTypeOf, test } from 'vitest'

const a = groupOption('A', 'a')
const b = groupOption('B', 'b')
const withRole = true as boolean
const sent = modal(
  'order',
  'Your order',
  'Only the team reads this.',
  label('Name', textInput.small('name').withMaxLength(80).withValue('Bob')),
  label('Size', stringSelect('size', option('S', 's').withDefault(), option('L', 'l')).withRequired(false)),
  [label('Who', userSelect('who').withMaxValues(2).withDefaultValues({ id: '1', type: 'user' }))],
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
  resolved: { attachments: { 9: { id: '9', filename: 'a.png', size: 5 } }, users: { 1: { username: 'ada' }, 3: {} } },
}
const defaults = {
  name: 'Bob',
  size: ['s'],
  who: ['1'],
  delivery: null,
  extras: [],
  news: true,
  files: [],
  role: '',
  old: '',
}
/** Returns what is wrong with the answer to one form control. */
function problemOf(control: LabelChildInput, answer: object) {
  const components = [answered(control.type, control.custom_id, answer)]
  const result = readModalAnswers({ custom_id: 'm', components }, modal('m', 'M', label('A', control)))
  return result.ok ? undefined : result.invalid
}

describe('readModalAnswers', () => {
  test('returns the answer to each form control by its custom_id', () => {
    const result = readModalAnswers(data, sent)
    expect(result).toEqual({
      ok: true,
      answers: {
        name: 'Ada',
        size: ['s'],
        who: ['1', '2'],
        delivery: 'b',
        extras: ['a'],
        news: true,
        files: [{ id: '9', filename: 'a.png', size: 5 }, { id: '8' }],
        role: 'Admin',
        old: 'Old',
      },
      defaults,
      users: { 1: { username: 'ada' } },
      roles: {},
      channels: {},
    })
    if (!result.ok) return
    const { answers } = result
    expectTypeOf(answers.name).toEqualTypeOf<string>()
    expectTypeOf(answers.size).toEqualTypeOf<readonly ('s' | 'l')[]>()
    expectTypeOf(answers.who).toEqualTypeOf<readonly string[]>()
    expectTypeOf(answers.delivery).toEqualTypeOf<'a' | 'b' | null>()
    expectTypeOf(answers.extras).toEqualTypeOf<readonly ('a' | 'b')[]>()
    expectTypeOf(answers.news).toEqualTypeOf<boolean>()
    expectTypeOf(answers.files[0]?.id).toEqualTypeOf<string | undefined>()
    expectTypeOf(answers.role).toEqualTypeOf<string | undefined>()
    expectTypeOf(answers.old).toEqualTypeOf<string>()
    // @ts-expect-error: the modal has no such control
    expect(answers.nobody).toBeUndefined()
  })

  test('required form controls without an answer are missing, optional ones have an empty answer', () => {
    const missing = ['name', 'who', 'role', 'old'].map((customId) => ({ customId, reason: 'missing', values: [] }))
    const failed = { ok: false, reason: 'invalid', customId: 'order', invalid: missing, defaults }
    expect(readModalAnswers({ custom_id: 'order', components: [] }, sent)).toEqual(failed)
    const components = data.components.filter((_, index) => [0, 1, 3, 8, 9].includes(index))
    expect(readModalAnswers({ custom_id: 'order', components }, sent)).toMatchObject({
      ok: true,
      answers: { size: [], delivery: null, extras: [], news: false, files: [] },
    })
  })

  test.each<[name: string, optional: LabelChildInput, empty: object]>([
    ['text input', textInput.small('c').withRequired(false), { value: '' }],
    ['string select', stringSelect('c', option('A', 'a')).withRequired(false), { values: [] }],
    ['role select', roleSelect('c').withMinValues(3).withRequired(false), { values: [] }],
    ['file upload', fileUpload('c').withMinValues(1).withRequired(false), { values: [] }],
    ['radio group', radioGroup('c', a, b).withRequired(false), { value: null }],
    ['checkbox group', checkboxGroup('c', a, b).withRequired(false), { values: [] }],
  ])('an optional %s left empty is valid, and a required one is not', (_, optional, empty) => {
    for (const answer of [empty, {}, { value: null, values: null }]) expect(problemOf(optional, answer)).toBeUndefined()
    const required: LabelChildInput = JSON.parse(JSON.stringify({ ...optional, required: true }))
    expect(problemOf(required, empty)).toMatchObject([{ reason: required.type === 21 ? 'missing' : 'count' }])
    expect(problemOf(required, {})).toEqual([{ customId: 'c', reason: 'missing', values: [] }])
  })

  test.each([
    ['a text input', textInput.small('c'), { value: 5 }],
    ['a text input', textInput.small('c').withRequired(false), { value: ['a'] }],
    ['a select', stringSelect('c', option('A', 'a')), { values: 'a' }],
    ['a select with other items', userSelect('c').withRequired(false), { values: [1] }],
    ['a file upload', fileUpload('c'), { values: '9' }],
    ['a radio group', radioGroup('c', a, b), { value: ['a'] }],
    ['a checkbox group', checkboxGroup('c', a, b), { values: { 0: 'a' } }],
    ['a checkbox', checkbox('c'), { value: 'yes' }],
  ])('an answer to %s of another type is missing', (_, control, answer) => {
    expect(problemOf(control, answer)).toMatchObject([{ customId: 'c', reason: 'missing' }])
  })

  test.each([
    ['a select', stringSelect('c', option('A', 'a')).withMaxValues(2), { values: ['a', 'zzz'] }],
    ['a checkbox group', checkboxGroup('c', a, b), { values: ['zzz', 'b'] }],
    ['a radio group', radioGroup('c', a, b), { value: 'zzz' }],
  ])('values that %s does not offer are named', (_, control, answer) => {
    expect(problemOf(control, answer)).toEqual([{ customId: 'c', reason: 'unknown_values', values: ['zzz'] }])
  })

  const ids = (count: number) => Array.from({ length: count }, (_, index) => `${index}`)
  const group = checkboxGroup('c', a, b)
  test.each<[name: string, control: LabelChildInput, min: number, max: number]>([
    ['a select', userSelect('c'), 1, 1],
    ['a select with limits', mentionableSelect('c').withMinValues(2).withMaxValues(5), 2, 5],
    ['a file upload', fileUpload('c'), 0, 10],
    ['a required file upload', fileUpload('c').withRequired(), 1, 10],
    ['a file upload with limits', fileUpload('c').withMinValues(2).withMaxValues(3), 2, 3],
    ['a checkbox group', group, 1, 2],
    ['a checkbox group with limits', group.withMinValues(2).withMaxValues(2), 2, 2],
    ['a checkbox group of any number', group.withMinValues(0), 0, 2],
  ])('%s has the number of values that it was sent with', (_, control, min, max) => {
    const valuesOf = (count: number) => (control.type === 22 ? ['a', 'b', 'a'] : ids(count)).slice(0, count)
    for (const count of [min, max]) expect(problemOf(control, { values: valuesOf(count) })).toBeUndefined()
    for (const values of [valuesOf(max + 1), ...(min > 0 ? [valuesOf(min - 1)] : [])])
      expect(problemOf(control, { values })).toEqual([{ customId: 'c', reason: 'count', values }])
  })

  test('an optional select has no values, or as many as it was sent with', () => {
    const optional = channelSelect('c').withMinValues(2).withMaxValues(3).withRequired(false)
    const read = (count: number) => problemOf(optional, { values: ids(count) })?.[0]?.reason
    expect([0, 1, 2, 3, 4].map(read)).toEqual([undefined, 'count', undefined, undefined, 'count'])
  })

  test('a text has the number of characters that its input was sent with', () => {
    const read = (value: string) => problemOf(textInput.small('c').withMinLength(3).withMaxLength(5), { value })
    expect([read('abc'), read('abcde')]).toEqual([undefined, undefined])
    expect(read('ab')).toEqual([{ customId: 'c', reason: 'count', values: ['ab'] }])
    expect(read('abcdef')).toEqual([{ customId: 'c', reason: 'count', values: ['abcdef'] }])
    // Five code points, and three UTF-16 units.
    expect([read('🔥🔥🔥🔥🔥'), read('🔥a')]).toEqual([undefined, undefined])
    expect(problemOf(textInput.small('c').withMinLength(0), { value: '' })).toBeUndefined()
    expect(problemOf(textInput.small('c'), { value: 'a'.repeat(9_000) })).toBeUndefined()
  })

  test('every answer that is not valid is named', () => {
    const components = [...data.components, answered(4, 'x', {})].map((component, index) =>
      index === 1
        ? answered(4, 'name', { value: 'a'.repeat(81) })
        : index === 2
          ? answered(3, 'size', { values: ['m'] })
          : component,
    )
    const result = readModalAnswers({ ...data, components }, sent)
    expect(result).toMatchObject({
      ok: false,
      reason: 'invalid',
      invalid: [{ reason: 'count' }, { reason: 'unknown_values' }],
    })
    if (!result.ok) expectTypeOf(result.reason).toEqualTypeOf<'missing' | 'foreign' | 'invalid'>()
  })

  test('the users, roles and channels that the adapter passes on are those that were selected', () => {
    const selects = modal(
      'm',
      'M',
      label('User', userSelect('user')),
      label('Role', roleSelect('role')),
      label('Both', mentionableSelect('both').withMaxValues(2)),
      label('Channel', channelSelect('channel')),
    )
    const resolved = {
      users: { 1: { username: 'ada' }, 3: { username: 'bob' }, 9: { username: 'eve' } },
      roles: { 2: { name: 'Admin' }, 4: { name: 'Guest' }, 1: { name: 'Other' } },
      channels: { 5: { name: 'chess' }, 1: { name: 'other' } },
    }
    const components = [
      answered(5, 'user', { values: ['1'] }),
      answered(6, 'role', { values: ['2'] }),
      answered(7, 'both', { values: ['3', '4'] }),
      answered(8, 'channel', { values: ['5'] }),
    ]
    const { users, roles, channels } = resolved
    expect(readModalAnswers({ custom_id: 'm', components, resolved }, selects)).toMatchObject({
      users: { 1: users[1], 3: users[3] },
      roles: { 2: roles[2], 4: roles[4] },
      channels: { 5: channels[5] },
    })
    const without = readModalAnswers({ custom_id: 'm', components, resolved: { users: { 1: 'ada' } } }, selects)
    expect(without).toMatchObject({ ok: true, answers: { user: ['1'] }, users: {}, roles: {}, channels: {} })
    if (without.ok) expect([without.users[1], without.users.constructor]).toEqual([undefined, undefined])
  })

  test('the type follows a changed custom_id', () => {
    const changed = modal('m', 'M', label('A', textInput.small('a').withCustomId('b')))
    const result = readModalAnswers({ custom_id: 'm', components: [answered(4, 'b', { value: 'B' })] }, changed)
    expect(result.ok && result.answers.b).toBe('B')
  })

  test('a modal of JSON has answers of any type', () => {
    const result = readModalAnswers(data, { custom_id: 'order', title: 'M', components: [...sent.components] })
    expect(result).toMatchObject({ ok: true, answers: { name: 'Ada' } })
    if (!result.ok) return
    expectTypeOf(result.answers.name).toEqualTypeOf<
      string | boolean | readonly string[] | readonly ModalFile[] | null | undefined
    >()
  })

  test('answers of another modal are foreign, unless the custom_id is ignored', () => {
    const other = { ...data, custom_id: 'order:42' }
    const foreign = { ok: false, reason: 'foreign', customId: 'order:42', invalid: [], defaults }
    expect(readModalAnswers(other, sent)).toEqual(foreign)
    expect(readModalAnswers(other, sent, { ignoreCustomId: false })).toEqual(foreign)
    const result = readModalAnswers(other, sent, { ignoreCustomId: true })
    expect(result).toMatchObject({ ok: true, answers: { name: 'Ada' } })
    if (result.ok) expectTypeOf(result.answers.name).toEqualTypeOf<string>()
  })

  test('answers without a custom_id are missing, unless the custom_id is ignored', () => {
    const { custom_id: _, ...without } = data
    const missing = { ok: false, reason: 'missing', customId: undefined, invalid: [], defaults }
    expect(readModalAnswers(without, sent)).toEqual(missing)
    expect(readModalAnswers({ ...data, custom_id: null }, sent)).toEqual(missing)
    expect(readModalAnswers(without, sent, { ignoreCustomId: true })).toMatchObject({ ok: true })
  })

  test.each([[null], ['text'], [{}], [[]], [{ components: 5 }], [{ type: 5, data }]])(
    'answers are missing in %j, which is not the data of a modal',
    (invalid) => {
      for (const ignoreCustomId of [false, true])
        expect(readModalAnswers(invalid, sent, { ignoreCustomId })).toMatchObject({ ok: false, reason: 'missing' })
    },
  )

  test.each([[[null]], [['a', 5, []]], [[{ component: 5 }, { components: 'a' }, { components: [null] }]]])(
    'components such as %j have no answers',
    (components) => {
      const result = readModalAnswers({ custom_id: 'order', components }, sent)
      expect(result).toMatchObject({
        reason: 'invalid',
        invalid: [{ customId: 'name', reason: 'missing' }, {}, {}, {}],
      })
    },
  )
})
