import {
  button,
  ComponentError,
  channelSelect,
  container,
  mentionableSelect,
  messageV2,
  option,
  roleSelect,
  row,
  section,
  stringSelect,
  userSelect,
} from 'rapport-sdk/components'
import { readButton, readSelect } from 'rapport-sdk/interactions'
import { describe, expect, test } from 'vitest'

const colour = stringSelect('colour', option('Red', 'red'), option('Blue', 'blue').withDefault()).withMaxValues(2)

describe('readSelect', () => {
  test('returns the selected values and the defaults of a string select', () => {
    const data = { custom_id: 'colour', values: ['red', 'blue'] }
    expect(readSelect(data, colour)).toEqual({ ok: true, values: ['red', 'blue'], defaults: ['blue'] })
  })

  test('data without values are missing, and the defaults are still known', () => {
    const missing = { ok: false, reason: 'missing', values: [], defaults: ['blue'] }
    expect(readSelect({ custom_id: 'colour' }, colour)).toEqual({ ...missing, customId: 'colour' })
    for (const data of [undefined, null, 'a', [], {}, { values: ['red'] }, { custom_id: 5 }])
      expect(readSelect(data, colour)).toMatchObject({ ok: false, reason: 'missing', customId: undefined })
    expect(readSelect({ custom_id: 'colour', values: [1] }, colour)).toMatchObject({ reason: 'missing' })
  })

  test('data of another component are foreign, unless the custom ID is ignored', () => {
    const data = { custom_id: 'colour:42', values: ['red'] }
    expect(readSelect(data, colour)).toMatchObject({ ok: false, reason: 'foreign', customId: 'colour:42' })
    expect(readSelect(data, colour, { ignoreCustomId: true })).toMatchObject({ ok: true, values: ['red'] })
    expect(readSelect({ values: ['red'] }, colour, { ignoreCustomId: true })).toMatchObject({ ok: true })
  })

  test('values that the select does not offer are named', () => {
    const answer = readSelect({ custom_id: 'colour', values: ['red', 'green'] }, colour)
    expect(answer).toMatchObject({ ok: false, reason: 'unknown_values', values: ['green'] })
  })

  test('the number of values is checked against the select that was sent', () => {
    const read = (values: readonly string[], select = colour) => readSelect({ custom_id: 'colour', values }, select)
    expect(read([])).toMatchObject({ ok: false, reason: 'count' })
    expect(read(['red', 'blue', 'red'])).toMatchObject({ ok: false, reason: 'count' })
    expect(read([], colour.withMinValues(0))).toMatchObject({ ok: true, values: [] })
    const optional = stringSelect('colour', option('Red', 'red')).withRequired(false)
    expect(readSelect({ custom_id: 'colour', values: [] }, optional)).toMatchObject({ ok: true })
  })

  test('a select of users, roles or channels has the records that the adapter passes on', () => {
    const resolved = {
      users: { 1: { username: 'ada' }, 9: { username: 'eve' } },
      roles: { 2: { name: 'Admin' } },
      channels: { 3: { name: 'chess' } },
    }
    const read = (values: readonly string[]) => ({ custom_id: 's', values, resolved })
    expect(readSelect(read(['1']), userSelect('s'))).toEqual({
      ok: true,
      values: ['1'],
      defaults: [],
      users: { 1: { username: 'ada' } },
    })
    expect(readSelect(read(['2']), roleSelect('s'))).toMatchObject({ roles: { 2: { name: 'Admin' } } })
    expect(readSelect(read(['3']), channelSelect('s'))).toMatchObject({ channels: { 3: { name: 'chess' } } })
    const both = mentionableSelect('s').withMaxValues(2).withDefaultValues({ id: '5', type: 'role' })
    expect(readSelect(read(['1', '2']), both)).toEqual({
      ok: true,
      values: ['1', '2'],
      defaults: ['5'],
      users: { 1: { username: 'ada' } },
      roles: { 2: { name: 'Admin' } },
    })
  })

  test.each([undefined, null, 5, { users: 5 }, { users: { 1: 'ada' } }, {}])(
    'a record that is missing in %j is missing in the answer',
    (resolved) => {
      const answer = readSelect({ custom_id: 's', values: ['1'], resolved }, userSelect('s'))
      expect(answer).toEqual({ ok: true, values: ['1'], defaults: [], users: {} })
    },
  )

  test('an ID such as __proto__ finds no record', () => {
    const answer = readSelect({ custom_id: 's', values: ['__proto__'], resolved: { users: {} } }, userSelect('s'))
    expect(answer).toMatchObject({ ok: true, users: {} })
  })
})

describe('readButton', () => {
  const message = messageV2(
    container(
      section('Hello').withAccessory(button.primary('more', 'More')),
      row(button.danger('delete', 'Delete').withDisabled(), button.link('https://example.test', 'Site')),
      row(userSelect('who')),
    ),
  )

  test('returns the button of the message, wherever it is, with its methods', () => {
    const answer = readButton({ custom_id: 'more' }, message)
    expect(answer).toMatchObject({ ok: true, customId: 'more', button: { label: 'More', style: 1 } })
    expect(answer.ok && answer.button.withDisabled().disabled).toBe(true)
  })

  test.each([
    ['missing', {}, undefined],
    ['missing', undefined, undefined],
    ['foreign', { custom_id: 'other' }, 'other'],
    ['foreign', { custom_id: 'who' }, 'who'],
    ['disabled', { custom_id: 'delete' }, 'delete'],
  ] as const)('a button is %s for the data %j', (reason, data, customId) => {
    expect(readButton(data, message)).toEqual({ ok: false, reason, customId })
  })

  test('throws a ComponentError if the message has no components', () => {
    expect(() => readButton({ custom_id: 'a' }, JSON.parse('5'))).toThrow(ComponentError)
  })
})

test('an ID that is the name of a property of objects has no record', () => {
  const answer = readSelect({ custom_id: 'who', values: ['constructor'] }, userSelect('who'))
  expect(answer.ok && answer.users.constructor).toBeUndefined()
})
