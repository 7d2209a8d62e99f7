import { Ajv2020 } from 'ajv/dist/2020'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { refTo, schemas } from '../../scripts/interface/schemas'
import { gatewayEvents } from '../../src/contract/gateway-events'
import { UpdateProfileParamsSchema } from '../../src/contract/identities'
import { endpoints } from '../../src/contract/index'
import {
  RegisterParamsSchema,
  RegisterPhoneParamsSchema,
  SuggestUsernameParamsSchema,
} from '../../src/contract/registration'
import { FriendSuggestionReasonSchema } from '../../src/contract/relationships'
import type { Schema } from '../../src/contract/schema'
import { check, isValid } from '../../src/contract/validate'
import { WidgetConfigsByApplicationSchema } from '../../src/contract/widget-configs'
import { ReplaceWidgetsParamsSchema } from '../../src/contract/widgets'
import type { Issue } from '../../src/internal/issue'
import { toZod } from '../../src/zod/to-zod'
import { operationOf, recordExchanges } from '../scripts/recorded-exchanges'
import { runs } from './arbitraries'
import { applyChange, jsonChanges, otherChanges, valuesOf } from './schema-values'

/** Params or response of a call, or payload of an event. */
interface Subject {
  readonly title: string
  readonly name: string
  readonly part: 'params' | 'response' | 'payload'
  readonly schema: Schema<unknown>
}

const subjects: readonly Subject[] = [
  ...endpoints.flatMap(({ endpoint: { name, params, response } }) => [
    ...(params ? [{ title: `the params of ${name}`, name, part: 'params' as const, schema: params }] : []),
    ...(response ? [{ title: `the response of ${name}`, name, part: 'response' as const, schema: response }] : []),
  ]),
  ...Object.values(gatewayEvents).map(({ name, payload }) => {
    return { title: `the event ${name}`, name, part: 'payload' as const, schema: payload }
  }),
]

const titled = subjects.map((subject) => [subject.title, subject] as const)

const ajv = new Ajv2020({ strict: false, formats: { date: true, 'date-time': true } }).addSchema(
  { components: { schemas } },
  'openapi.json',
)

/** Whether the JSON Schema of the OpenAPI document, or of the AsyncAPI document, accepts a value. */
function isValidJsonSchema(schema: Schema<unknown>, value: unknown): boolean {
  const validate = ajv.getSchema(`openapi.json${refTo(schema).$ref}`)
  if (validate === undefined) throw new Error(`There is no ${refTo(schema).$ref}.`)
  return validate(value) === true
}

/** Whether JSON Schema cannot express the rule of an issue: it may then accept the value. */
function isInexpressible(schema: Schema<unknown>, value: unknown, { message, path: [field, key] }: Issue): boolean {
  if (message.includes('lone surrogates')) return true
  const isMetadata = schema === UpdateProfileParamsSchema && field === 'metadata' && key !== undefined
  return isMetadata && typeof Object(Object(value).metadata)[key] === 'object'
}

/** Returns the recorded params or responses of a call; params that are sent in the query are not recorded. */
async function recorded({ name, part }: Subject): Promise<unknown[]> {
  if (part === 'payload') return []
  const values: unknown[] = []
  for (const { request, body, response } of await recordExchanges(name)) {
    const url = new URL(request.url)
    if (!response.ok || operationOf(request.method, url.pathname).operation.summary !== name) continue
    const text = part === 'response' ? await response.text() : url.search === '' ? body : ''
    if (text !== '') values.push(JSON.parse(text))
  }
  return values
}

/** Checks a value with the walker, Zod and ajv, which must agree. */
function expectAgreement(schema: Schema<unknown>, value: unknown): boolean {
  const issues = check(schema, value)
  const accepted = isValid(schema, value)
  expect(issues.length === 0, 'the issues').toBe(accepted)
  expect(toZod(schema).safeParse(value).success, 'Zod').toBe(accepted)
  if (accepted || !issues.every((issue) => isInexpressible(schema, value, issue)))
    expect(isValidJsonSchema(schema, value), 'ajv').toBe(accepted)
  return accepted
}

describe('the walker, Zod and the JSON Schemas', () => {
  test('the subjects are the params and responses of all 55 calls, and the eight events', () => {
    expect(endpoints).toHaveLength(55)
    expect(subjects.filter(({ part }) => part === 'payload')).toHaveLength(8)
    const without = endpoints.filter(({ endpoint: { params, response } }) => !params && !response)
    expect(subjects.length).toBeGreaterThan(55)
    expect(new Set(subjects.map(({ name }) => name)).size).toBe(55 + 8 - without.length)
  })

  test.each(titled)('%s: all accept the same recorded, generated and changed values', async (_, subject) => {
    const examples = await recorded(subject)
    for (const value of examples) expect(expectAgreement(subject.schema, value)).toBe(true)
    const generated = valuesOf(subject.schema)
    const values = examples.length > 0 ? fc.oneof(generated, fc.constantFrom(...examples)) : generated
    const outcomes = new Set<boolean>()
    fc.assert(
      fc.property(values, jsonChanges, (value, changes) => {
        outcomes.add(expectAgreement(subject.schema, changes.reduce(applyChange, value)))
      }),
      runs(2),
    )
    expect(outcomes, 'both valid and invalid values').toEqual(new Set([true, false]))
  })

  test.each(titled)('%s: the walker and Zod accept the same values that JSON does not have', (_, { schema }) => {
    fc.assert(
      fc.property(valuesOf(schema), otherChanges, (value, changes) => {
        const changed = changes.reduce(applyChange, value)
        expect(toZod(schema).safeParse(changed).success).toBe(isValid(schema, changed))
      }),
      runs(),
    )
  })
})

const widget = { type: 'favorite_games', games: [{ game_id: '1' }] }
const twoSkillTags = { ...widget, games: [{ game_id: '1', tags: ['noob', 'expert'] }] }
const tooManyGames = { ...widget, games: [{ game_id: '1' }, { game_id: '2' }] }
const games = (length: number) => Array.from({ length }, (_, index) => ({ game_id: String(index) }))
const metadata = (keys: number) => Object.fromEntries(Array.from({ length: keys }, (_, index) => [index, '']))
const statistic = (type: number, value: unknown) => ({ data: { dynamic: [{ name: 'level', type, value }] } })

/** For each rule, a value that only this rule rejects, and a value at its limit. */
const rules: readonly (readonly [rule: string, schema: Schema<unknown>, violation: unknown, valid: unknown])[] = [
  ['a username or a global_name is required', RegisterParamsSchema, { global_name: null }, { global_name: '' }],
  [
    'the date of birth is a date',
    RegisterParamsSchema,
    { username: 'ada', date_of_birth: '2023-02-29' },
    { username: 'ada', date_of_birth: '2024-02-29' },
  ],
  ['the phone number is in E.164 form', RegisterPhoneParamsSchema, { phone: '15550100' }, { phone: '+15550100' }],
  [
    'a profile has one widget of a type',
    ReplaceWidgetsParamsSchema,
    { widgets: [{ data: widget }, { id: '1', data: widget }] },
    { widgets: [{ data: widget }, { id: '1', data: { type: 'later' } }, { id: '2', data: { type: 'later' } }] },
  ],
  ...Object.entries({ favorite_games: 1, current_games: 5, played_games: 20, want_to_play_games: 20 }).map(
    ([type, limit]) =>
      [
        `a ${type} widget has at most ${limit} games`,
        ReplaceWidgetsParamsSchema,
        { widgets: [{ data: { type, games: games(limit + 1) } }] },
        { widgets: [{ data: { type, games: games(limit) } }] },
      ] as const,
  ),
  [
    'an application widget has no games',
    ReplaceWidgetsParamsSchema,
    { widgets: [{ data: { type: 'application', application_id: '1', games: games(1) } }] },
    { widgets: [{ data: { type: 'application', application_id: '1', games: [] } }] },
  ],
  [
    'only an application widget has an application_id',
    ReplaceWidgetsParamsSchema,
    { widgets: [{ data: { ...widget, application_id: '1' } }] },
    { widgets: [{ id: '1', data: { type: 'later', application_id: '1', games: games(30) } }] },
  ],
  [
    'a game of a new widget has one skill tag',
    ReplaceWidgetsParamsSchema,
    { widgets: [{ data: twoSkillTags }] },
    { widgets: [{ data: { ...widget, games: [{ game_id: '1', tags: ['noob', 'obsessed', 'love_it'] }] } }] },
  ],
  [
    'an existing widget has a limited number of games',
    ReplaceWidgetsParamsSchema,
    { widgets: [{ id: '1', data: { ...tooManyGames, later: 1 } }] },
    { widgets: [{ id: '1', data: { ...widget, later: 1 } }] },
  ],
  [
    'a game of an existing widget has one skill tag',
    ReplaceWidgetsParamsSchema,
    { widgets: [{ id: '1', data: { ...twoSkillTags, later: 1 } }] },
    { widgets: [{ id: '1', data: { ...widget, games: [{ game_id: '1', tags: ['noob', 'later'], later: 1 }] } }] },
  ],
  ['metadata has at most 25 keys', UpdateProfileParamsSchema, { metadata: metadata(26) }, { metadata: metadata(25) }],
  [
    'a key of metadata has at most 1024 characters',
    UpdateProfileParamsSchema,
    { metadata: { ['x'.repeat(1025)]: 1 } },
    { metadata: { ['\u{1f600}'.repeat(1024)]: 1 } },
  ],
  [
    'a string of metadata has at most 1024 characters',
    UpdateProfileParamsSchema,
    { metadata: { x: 'y'.repeat(1025) } },
    { metadata: { x: '\u{1f600}'.repeat(1024) } },
  ],
  [
    'an array of metadata has at most 1024 characters of JSON',
    UpdateProfileParamsSchema,
    { metadata: { x: Array(512).fill(1) } },
    { metadata: { x: Array(511).fill(1) } },
  ],
  ['the value of a TEXT is a string', UpdateProfileParamsSchema, statistic(1, 7), statistic(1, '7')],
  ['the value of a NUMBER is an integer', UpdateProfileParamsSchema, statistic(2, 7.5), statistic(2, -7)],
  ['the value of an IMAGE is a media item', UpdateProfileParamsSchema, statistic(3, '7'), statistic(3, { url: '' })],
  [
    'the URL of an IMAGE has at most 2048 characters',
    UpdateProfileParamsSchema,
    statistic(3, { url: 'x'.repeat(2049) }),
    statistic(3, { url: 'x'.repeat(2048) }),
  ],
  ['a statistic has a value', UpdateProfileParamsSchema, statistic(4, undefined), statistic(4, 7.5)],
  [
    'the value of a NUMBER is a safe integer',
    UpdateProfileParamsSchema,
    statistic(2, 2 ** 53),
    statistic(2, 1 - 2 ** 53),
  ],
  [
    'an integer in a request is a safe integer',
    UpdateProfileParamsSchema,
    { data: { primary: { total_wins: 2 ** 53 } } },
    { data: { primary: { total_wins: 2 ** 53 - 1 } } },
  ],
]

test.each(rules)('%s: the walker, Zod and ajv reject a violation, and accept a value at the limit', (...rule) => {
  const [, schema, violation, valid] = rule
  const sent: unknown = JSON.parse(JSON.stringify(violation))
  expect(isValid(schema, sent)).toBe(false)
  expect(isValidJsonSchema(schema, sent)).toBe(false)
  expect(expectAgreement(schema, sent)).toBe(false)
  expect(expectAgreement(schema, valid)).toBe(true)
})

describe('what the JSON Schemas do not express', () => {
  test('lone surrogates, which no text in a query has, are rejected by the walker and Zod, not by ajv', () => {
    const value = { global_name: '\ud83d' }
    expect(expectAgreement(SuggestUsernameParamsSchema, value)).toBe(false)
    expect(isValidJsonSchema(SuggestUsernameParamsSchema, value)).toBe(true)
  })

  test('the length of a nested value of metadata in JSON is limited by the walker and Zod, not by ajv', () => {
    const value = { metadata: { x: ['y'.repeat(1024)] } }
    expect(expectAgreement(UpdateProfileParamsSchema, value)).toBe(false)
    expect(isValidJsonSchema(UpdateProfileParamsSchema, value)).toBe(true)
  })

  test('integers beyond 2^53 in responses, which numbers cannot represent, are rejected by the walker and Zod, not by ajv', () => {
    const value = { type: 2 ** 53, platform: 'x', name: 'y' }
    expect(isValid(FriendSuggestionReasonSchema, value)).toBe(false)
    expect(toZod(FriendSuggestionReasonSchema).safeParse(value).success).toBe(false)
    expect(isValidJsonSchema(FriendSuggestionReasonSchema, value)).toBe(true)
  })

  test('a key __proto__ of a map, which the client never parses or sends, is ignored by the walker and Zod, not by ajv', () => {
    const value = { configs: Object.fromEntries([['__proto__', 5]]) }
    expect(isValid(WidgetConfigsByApplicationSchema, value)).toBe(true)
    expect(toZod(WidgetConfigsByApplicationSchema).safeParse(value).success).toBe(true)
    expect(isValidJsonSchema(WidgetConfigsByApplicationSchema, value)).toBe(false)
  })
})
