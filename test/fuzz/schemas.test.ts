import { Ajv2020 } from 'ajv/dist/2020'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { refTo, schemas } from '../../scripts/interface/schemas'
import { FriendSuggestionReasonSchema } from '../../src/contract/friend-suggestions'
import { gatewayEvents } from '../../src/contract/gateway-events'
import { UpdateProfileParamsSchema } from '../../src/contract/identities'
import { endpoints } from '../../src/contract/index'
import {
  RegisterParamsSchema,
  RegisterPhoneParamsSchema,
  SuggestUsernameParamsSchema,
} from '../../src/contract/registration'
import type { Definition, Schema } from '../../src/contract/schema'
import { isValid } from '../../src/contract/validate'
import { WidgetConfigsByApplicationSchema } from '../../src/contract/widget-configs'
import { ReplaceWidgetsParamsSchema } from '../../src/contract/widgets'
import { toZod } from '../../src/zod/to-zod'
import { operationOf, recordExchanges } from '../scripts/recorded-exchanges'
import { runs } from './runs'
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

const ajv = new Ajv2020({ strict: false }).addSchema({ components: { schemas } }, 'openapi.json')

/** Whether the JSON Schema of the OpenAPI document, or of the AsyncAPI document, accepts a value. */
function isValidJsonSchema(schema: Schema<unknown>, value: unknown): boolean {
  const validate = ajv.getSchema(`openapi.json${refTo(schema).$ref}`)
  if (validate === undefined) throw new Error(`There is no ${refTo(schema).$ref}.`)
  return validate(value) === true
}

const simplified = new WeakMap<object, Schema<unknown>>()

/** Returns a schema without those rules that have no keyword in JSON Schema, such as a rule across fields. */
function withoutRules(schema: Schema<unknown>): Schema<unknown> {
  const known = simplified.get(schema)
  if (known !== undefined) return known
  const definition: { kind: string; of: unknown; more: unknown } = { ...(schema as Definition) }
  simplified.set(schema, definition as Definition as Schema<unknown>)
  const { kind, of, more } = schema as Definition
  switch (kind) {
    case 'rule':
      if (Object.keys(more.keywords).length === 0) {
        simplified.set(schema, withoutRules(of))
        return withoutRules(of)
      }
      definition.of = withoutRules(of)
      break
    case 'optional':
    case 'nullable':
    case 'array':
      definition.of = withoutRules(of)
      break
    case 'object':
      definition.of = Object.fromEntries(Object.entries(of).map(([name, field]) => [name, withoutRules(field)]))
      definition.more = more && withoutRules(more)
      break
    case 'union':
      definition.of = of.map(withoutRules)
      definition.more = (value: unknown) => withoutRules(more(value))
      break
  }
  return definition as Definition as Schema<unknown>
}

/** Adds the rules of a schema that have no keyword in JSON Schema. */
function collectRules(schema: Schema<unknown>, rules: Set<unknown>, visited: Set<unknown>): void {
  if (visited.has(schema)) return
  visited.add(schema)
  const { kind, of, more } = schema as Definition
  if (kind === 'rule' && Object.keys(more.keywords).length === 0) rules.add(schema)
  const inner = kind === 'object' ? [...Object.values(of), ...(more ? [more] : [])] : kind === 'union' ? of : [of]
  if (kind === 'enum') return
  for (const one of inner) if (one !== null) collectRules(one as Schema<unknown>, rules, visited)
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
  const accepted = isValid(schema, value)
  expect(toZod(schema).safeParse(value).success, 'Zod').toBe(accepted)
  // JSON Schema cannot express some rules, so ajv may accept a value that only such a rule rejects. Nothing else differs.
  expect(isValidJsonSchema(schema, value), 'ajv').toBe(isValid(withoutRules(schema), value))
  if (accepted) expect(isValidJsonSchema(schema, value), 'ajv').toBe(true)
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

describe('what JSON Schema cannot express', () => {
  const widget = { type: 'favorite_games', games: [{ game_id: '1' }] }
  const twoSkillTags = { ...widget, games: [{ game_id: '1', tags: ['noob', 'expert'] }] }
  const tooManyGames = { ...widget, games: [{ game_id: '1' }, { game_id: '2' }] }

  /** For each rule without keywords, a value that only this rule rejects. */
  const violations: readonly (readonly [rule: string, schema: Schema<unknown>, value: unknown])[] = [
    ['a username or a global_name is required', RegisterParamsSchema, {}],
    ['the date of birth is a date', RegisterParamsSchema, { username: 'ada', date_of_birth: '2023-02-29' }],
    ['the phone number is in E.164 form', RegisterPhoneParamsSchema, { phone: '15550100' }],
    ['text in a query has no lone surrogate', SuggestUsernameParamsSchema, { global_name: '\ud83d' }],
    [
      'a profile has one widget of a type',
      ReplaceWidgetsParamsSchema,
      { widgets: [{ data: widget }, { data: widget }] },
    ],
    ['a new widget has a limited number of games', ReplaceWidgetsParamsSchema, { widgets: [{ data: tooManyGames }] }],
    ['a game of a new widget has one skill tag', ReplaceWidgetsParamsSchema, { widgets: [{ data: twoSkillTags }] }],
    [
      'an existing widget has a limited number of games',
      ReplaceWidgetsParamsSchema,
      { widgets: [{ id: '1', data: { ...tooManyGames, later: 1 } }] },
    ],
    [
      'a game of an existing widget has one skill tag',
      ReplaceWidgetsParamsSchema,
      { widgets: [{ id: '1', data: { ...twoSkillTags, later: 1 } }] },
    ],
    ['metadata has a limited number of keys', UpdateProfileParamsSchema, { metadata: { ['x'.repeat(1025)]: 1 } }],
    ['a value of metadata has a limited length', UpdateProfileParamsSchema, { metadata: { x: ['y'.repeat(1024)] } }],
    [
      'the value of a statistic has the type of the statistic',
      UpdateProfileParamsSchema,
      { data: { dynamic: [{ name: 'level', type: 2, value: '7' }] } },
    ],
  ]

  test('every rule without keywords has an example', () => {
    const rules = new Set<unknown>()
    for (const { schema } of subjects) collectRules(schema, rules, new Set())
    expect(rules.size).toBe(violations.length)
  })

  test.each(violations)('%s: the walker and Zod reject a violation, ajv accepts it', (_, schema, value) => {
    expect(expectAgreement(schema, value)).toBe(false)
    expect(isValidJsonSchema(schema, value)).toBe(true)
  })

  test('integers beyond 2^53, which numbers cannot represent, are rejected by the walker and Zod, not by ajv', () => {
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
