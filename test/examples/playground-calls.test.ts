import { expect, test } from 'vitest'
import { callCode, callModule } from '../../examples/playground/calls/call-code'
import { type FormField, formFields, initialEntry, readEntry } from '../../examples/playground/calls/form-fields'
import { readForm } from '../../examples/playground/calls/read-form'
import { hasSecret } from '../../examples/playground/journal/redaction'
import { endpoints } from '../../src/contract'
import { isValid } from '../../src/contract/validate'
import { compilerErrors } from '../compiler-errors'

const EXAMPLES = { login: 'ada@example.test', global_name: 'Ada', authenticator_type: 'totp' }
const all = endpoints.map(({ call, endpoint }) => ({ call, endpoint, fields: formFields(endpoint, EXAMPLES) }))

const fieldsOf = (name: string) => all.find(({ call }) => call === `client.${name}`)?.fields ?? []
const fieldOf = (name: string, field: string): Partial<FormField> =>
  fieldsOf(name).find((each) => each.name === field) ?? {}

/** Returns the call of a form as it opens. */
const callOf = ({ call, fields }: (typeof all)[number]) =>
  readForm(
    call,
    fields.map((field) => [field, initialEntry(field)] as const),
  ).call

test('each of the 55 calls has a form with all of its parameters', () => {
  expect(all).toHaveLength(55)
  for (const { call, endpoint, fields } of all) {
    const names = fields.map(({ name }) => name)
    expect(new Set(names).size, call).toBe(names.length)
    for (const [, parameter = ''] of endpoint.path.matchAll(/\{(.*?)\}/g)) expect(names, call).toContain(parameter)
    for (const name of endpoint.query ?? []) expect(fieldOf(call.slice(7), name).place, call).toBe('query')
    // The schema accepts no other name.
    const sent = Object.fromEntries(names.map((name) => [name, undefined]))
    if (endpoint.params) expect(fields.some(({ place }) => place !== 'path') || names.length === 0, call).toBe(true)
    else
      expect(
        Object.keys(sent).every((name) => endpoint.path.includes(`{${name}}`)),
        call,
      ).toBe(true)
  }
})

test('a field has the type, the limits, the values and the marks of the contract', () => {
  expect(fieldsOf('relationships.create')).toEqual([
    {
      name: 'user.id',
      place: 'path',
      kind: 'text',
      type: 'string',
      isRequired: true,
      isNullable: false,
      options: [],
      initial: '',
    },
    {
      name: 'type',
      place: 'body',
      kind: 'choice',
      type: 'integer',
      isRequired: false,
      isNullable: false,
      options: [
        ['-1', '-1'],
        ['0', '0 · NONE'],
        ['1', '1 · FRIEND'],
        ['2', '2 · BLOCKED'],
        ['3', '3 · INCOMING_REQUEST'],
        ['4', '4 · OUTGOING_REQUEST'],
        ['5', '5 · IMPLICIT'],
      ],
      initial: '',
    },
    ...['from_friend_suggestion', 'confirm_stranger_request'].map((name) => ({
      name,
      place: 'body',
      kind: 'choice',
      type: 'boolean',
      isRequired: false,
      isNullable: false,
      options: [
        ['true', 'true'],
        ['false', 'false'],
      ],
      initial: '',
    })),
    {
      name: 'note',
      place: 'body',
      kind: 'text',
      type: '?string, at most 120 characters',
      isRequired: false,
      isNullable: true,
      options: [],
      initial: '',
    },
  ])
  expect(fieldOf('auth.login', 'password')).toMatchObject({ kind: 'secret', type: 'string, 8–72 characters' })
  expect(fieldOf('auth.sessions.logout', 'session_id_hashes')).toMatchObject({
    kind: 'lines',
    type: 'array[string], 1–64 items',
  })
  expect(fieldOf('relationships.deleteBulk', 'filters')).toMatchObject({
    kind: 'choices',
    type: 'array[integer]',
    options: [
      ['1', '1 · SPAM'],
      ['2', '2 · IGNORED'],
    ],
  })
  expect(fieldOf('relationships.deleteBulk', 'relationship_type').options).toEqual([['3', '3']])
  expect(fieldOf('gameRelationships.createForApplication', 'type').options).toEqual([['1', '1']])
  expect(fieldOf('widgets.replace', 'widgets')).toMatchObject({
    kind: 'json',
    type: 'array[object]',
    initial: JSON.stringify([{ data: { type: 'favorite_games' } }], null, 2),
  })
})

test('every field that may hold a secret is one, whatever the call', () => {
  const secrets = all.flatMap(({ fields }) => fields.filter(({ kind }) => kind === 'secret').map(({ name }) => name))
  expect([...new Set(secrets)].sort()).toEqual(
    'code credential data fingerprint handoff_token key password phone_token ticket token voip_token'.split(' '),
  )
})

test('the values that a form opens with are valid, except for texts that the user must enter', () => {
  for (const each of all) {
    const { endpoint } = each
    const { method, params = {} } = callOf(each)
    const isEmpty = Object.values(params).some((value) => value === '' || (Array.isArray(value) && value.length === 0))
    if (endpoint.params && !isEmpty) expect(isValid(endpoint.params, params), method).toBe(true)
  }
})

test('the code of each call compiles, as shown and as copied, and has no secret', () => {
  const calls = all.map(callOf)
  const shown = Object.fromEntries(calls.map((call, at) => [`shown-${at}`, callCode(call)]))
  expect(compilerErrors(shown)).toEqual([])
  const copied = Object.fromEntries(calls.map((call, at) => [`copied-${at}`, callModule(call)]))
  expect(compilerErrors(copied, '')).toEqual([])
  const params = { login: 'ada', password: 'correct horse', nested: [{ token: 'secret' }] }
  expect(callCode({ method: 'client.auth.login', path: [], params })).toBe(
    "await client.auth.login({\n  login: 'ada',\n  password: '[redacted]',\n  nested: [{ token: '[redacted]' }],\n})\n",
  )
})

test.each([
  ['text', ' a ', ' a '],
  ['number', '1.5', 1.5],
  ['choice', '-1', -1],
  ['choice', 'true', true],
  ['choices', '1\n2', [1, 2]],
  ['lines', ' a \n\nb', ['a', 'b']],
  ['json', '{"a":[1]}', { a: [1] }],
] as const)('a field of the kind %s with the text %j has the value %j', (kind, text, value) => {
  expect(readEntry({ ...fieldsOf('auth.login')[0], kind } as FormField, { text, isNull: false })).toEqual({ value })
})

test('a field that is empty, null, not a number or broken JSON says so', () => {
  const field = (kind: FormField['kind'], isRequired = true) =>
    ({ ...fieldsOf('auth.login')[0], kind, isRequired }) as FormField
  expect(readEntry(field('text'), { text: ' ', isNull: false })).toEqual({ problem: 'Required.' })
  expect(readEntry(field('json', false), { text: '', isNull: false })).toEqual({})
  expect(readEntry(field('text'), { text: 'a', isNull: true })).toEqual({ value: null })
  expect(readEntry(field('number'), { text: 'a', isNull: false })).toEqual({ problem: 'Not a number.' })
  expect(readEntry(field('json'), { text: '{\n"a": }', isNull: false })).toEqual({
    problem: 'Invalid JSON from line 2 on.',
  })
})

test('a form with null, with empty fields and with broken JSON has a call, its problems, and the first broken field', () => {
  const entries = fieldsOf('relationships.sendRequest').map((field) => [field, initialEntry(field)] as const)
  expect(readForm('f', entries)).toEqual({
    call: { method: 'f', path: [], params: { username: '', discriminator: null } },
    problems: new Map([['username', 'Required.']]),
    broken: undefined,
  })
  const fields = fieldsOf('identities.updateProfile')
  const broken = fields.map((field) => [field, { text: field.kind === 'json' ? '{\n}}' : '1', isNull: false }] as const)
  expect(readForm('f', broken)).toMatchObject({
    call: { path: ['1', '1', '1'], params: { username: '1' } },
    broken: 'metadata: Invalid JSON from line 2 on.',
  })
})

test.each([
  ['{"token": "a"}', true],
  ['[{"a": {"new_password": "b"}}]', true],
  ['{"to\\u006ben": "a"}', true],
  ['{"token": "a"', true],
  ['{"token": 1', true],
  ['{"data": {"type": 1}}', false],
  ['{"type": 10, "content": "token"}', false],
  ['{"content": "token', false],
  ['', false],
])('whether the JSON %j has a secret, and so stays out of the URL, is %j', (text, expected) => {
  expect(hasSecret(text)).toBe(expected)
})
