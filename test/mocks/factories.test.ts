import { readdirSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020'
import { createFactories, type Factories } from 'rapport-sdk/mocks/factories'
import * as zod from 'rapport-sdk/zod'
import { describe, expect, test } from 'vitest'
import type { z } from 'zod'
import { schemas } from '../../scripts/interface/schemas'
import { gatewayEvents } from '../../src/contract/gateway-events'
import { endpoints } from '../../src/contract/index'
import { definitionOf, OpenObjectSchema, type Schema } from '../../src/contract/schema'
import { isValid } from '../../src/contract/validate'
import { setUp } from './set-up'

const SEEDS = Array.from({ length: 1000 }, (_, index) => index + 1)
/** Seeds whose objects are checked by three validators. `scripts/fuzz.ts` checks thousands. */
const VALID_SEEDS = Array.from({ length: Number(process.env.FUZZ_RUNS ?? 200) }, (_, index) => index + 1)
const names = Object.keys(createFactories()) as (keyof Factories)[]
const schemaName = (name: string) => name.charAt(0).toUpperCase() + name.slice(1)

const contract = new Map<string, Schema<unknown>>()
for (const file of readdirSync('src/contract')) {
  const module: Record<string, Schema<unknown>> = await import(`../../src/contract/${file.slice(0, -3)}.ts`)
  for (const [name, schema] of Object.entries(module)) if (name.endsWith('Schema')) contract.set(name, schema)
}
const zodSchemas: Readonly<Record<string, z.ZodType>> = { ...zod }
const ajv = new Ajv2020({ strict: false, formats: { 'date-time': (text: string) => text === new Date(text).toJSON() } })
ajv.addSchema({ components: { schemas } }, 'openapi.json')

/** Returns the objects that a schema contains: itself, those of its items and fields. */
function objectsIn(schema: Schema<unknown>, found: Set<Schema<unknown>> = new Set()): Set<Schema<unknown>> {
  if (found.has(schema)) return found
  const { kind, of, more } = definitionOf(schema)
  const named = [...contract.values()].includes(schema)
  if (kind === 'object' && named) found.add(schema)
  if (kind === 'rule' && named && definitionOf(of).kind === 'object') found.add(schema)
  if (kind === 'array' || kind === 'optional' || kind === 'nullable') objectsIn(of, found)
  if (kind === 'rule') for (const field of Object.values(definitionOf(of).of ?? {})) objectsIn(field, found)
  if (kind === 'union') for (const one of of) objectsIn(one, found)
  if (kind === 'object') for (const field of [...Object.values(of), ...(more ? [more] : [])]) objectsIn(field, found)
  return found
}

describe('factories', () => {
  test('there is a factory for every object in a response or an event, and for nothing else', () => {
    const responses = endpoints.flatMap(({ endpoint }) => endpoint.response ?? [])
    const payloads = Object.values(gatewayEvents).map(({ payload }) => payload)
    expect([responses.length, payloads.length]).toEqual([36, 8])
    const received = new Set([...responses, ...payloads].flatMap((schema) => [...objectsIn(schema)]))
    received.delete(OpenObjectSchema)
    const nameOf = (schema: Schema<unknown>) => [...contract].find(([, one]) => one === schema)?.[0]
    // The layouts are a map whose structure the API does not show; the body of a 60003 and its parts are no response.
    const others = ['LayoutDefinition', 'LayoutComponent', 'LayoutField', 'MfaVerificationRequest', 'MfaMethod']
    expect(
      [...received]
        .map(nameOf)
        .concat(others.map((name) => `${name}Schema`))
        .sort(),
    ).toEqual(names.map((name) => `${schemaName(name)}Schema`).sort())
  })

  test.each(names)('%s: the objects of many seeds are valid by the walker, Zod and ajv', (name) => {
    const id = schemaName(name)
    const schema = contract.get(`${id}Schema`)
    const validate = ajv.getSchema(`openapi.json#/components/schemas/${id}`)
    if (schema === undefined || validate === undefined) throw new Error(`There is no schema ${id}.`)
    const invalid = VALID_SEEDS.map((seed) => createFactories({ seed })[name]()).filter(
      (value) => !(isValid(schema, value) && zodSchemas[`${id}Schema`]?.safeParse(value).success && validate(value)),
    )
    expect(invalid).toEqual([])
  })

  test('the same seed and calls produce the same objects, and another seed others', () => {
    const objects = (seed: number) => {
      const { relationship, widgetConfig } = createFactories({ seed })
      return [relationship(), relationship(), widgetConfig()]
    }
    expect(objects(7)).toEqual(objects(7))
    expect(objects(8)).not.toEqual(objects(7))
    expect(createFactories().relationship()).toEqual(createFactories({ seed: 1 }).relationship())
  })

  test('optional fields are present in some objects and absent in others, and nullable ones null in some', () => {
    const { relationship, widgetComponentField } = createFactories()
    const objects = SEEDS.map(() => relationship())
    expect(new Set(objects.map(({ since }) => since === undefined))).toEqual(new Set([true, false]))
    expect(new Set(objects.map(({ nickname }) => nickname === null))).toEqual(new Set([true, false]))
    expect(new Set(objects.map(({ type }) => type))).toEqual(new Set([0, 1, 2, 3, 4, 5]))
    const isNested = SEEDS.map(() => widgetComponentField().fallback !== undefined)
    expect(new Set(isNested)).toEqual(new Set([true, false]))
  })

  test('no two objects have the same ID, and none has that of a mock with the same seed', () => {
    const { relationship } = createFactories({ seed: 1 })
    const { ada, grace } = setUp({ seed: 1 })
    const ids = [...SEEDS.map(() => relationship().id), ada.id, grace.id]
    expect(new Set(ids).size).toBe(1002)
  })
})

describe('given fields', () => {
  test('they are those of the object, and undefined leaves an optional one out', () => {
    const { relationship } = createFactories()
    const objects = SEEDS.map(() => relationship({ type: 1, nickname: 'Ada', note: undefined }))
    expect(new Set(objects.map(({ type, nickname }) => `${type} ${nickname}`))).toEqual(new Set(['1 Ada']))
    expect(objects.filter((object) => 'note' in object)).toEqual([])
  })

  test('can be some that the document does not show, of a user', () => {
    const user = { id: '7', username: 'ada' }
    expect(createFactories().friendSuggestion({ suggested_user: user }).suggested_user).toEqual(user)
  })

  test('they are a TypeError that names those that do not belong to the object', () => {
    const { relationship } = createFactories()
    expect(() => relationship({ type: 'friend' as never })).toThrow(TypeError)
    expect(() => relationship({ type: 'friend' as never })).toThrow(/type: expected a number/)
    expect(() => relationship({ id: undefined as never })).toThrow(/\bid\b/)
  })

  test('an unknown option of createFactories is a TypeError', () => {
    expect(() => createFactories({ seeds: 1 } as never)).toThrow(/seeds/)
  })
})

describe('fields that depend on each other', () => {
  test('the ID of a relationship is that of its user, whichever of them is given', () => {
    const { relationship, readyEvent } = createFactories()
    for (const object of SEEDS.map(() => relationship())) expect(object.user.id).toBe(object.id)
    expect(relationship({ id: '7' }).user).toEqual({ id: '7' })
    expect(relationship({ user: { id: '8' } }).id).toBe('8')
    const { user, relationships = [] } = readyEvent({ user: { id: '9' }, relationships: [relationship({ id: '7' })] })
    expect([user?.id, relationships[0]?.id]).toEqual(['9', '7'])
    const ready = SEEDS.map(() => readyEvent())
    expect(ready.filter(({ user, relationships }) => user && relationships?.some(({ id }) => id === user.id))).toEqual(
      [],
    )
  })

  test('a sign-in is completed unless mfa or a ticket is given, and the same holds for a reset', () => {
    const { loginResponse, resetPasswordResponse } = createFactories()
    for (const make of [loginResponse, resetPasswordResponse]) {
      for (const completed of SEEDS.map(() => make())) {
        expect(completed.token).toEqual(expect.any(String))
        expect(Object.keys(completed)).not.toContain('mfa')
        expect(Object.keys(completed)).not.toContain('ticket')
      }
      for (const response of SEEDS.flatMap(() => [make({ mfa: true }), make({ ticket: 'the-ticket' })])) {
        expect(response).toMatchObject({ mfa: true, ticket: expect.any(String), totp: true })
        expect(Object.keys(response)).not.toContain('token')
      }
    }
    expect(loginResponse()).toHaveProperty('user_settings')
  })

  test('a method of the second factor has a challenge if it is a passkey, in JSON', () => {
    const { mfaMethod } = createFactories()
    for (const { type, challenge } of SEEDS.map(() => mfaMethod())) {
      expect(challenge !== undefined).toBe(type === 'webauthn')
      if (challenge !== undefined) expect(JSON.parse(challenge)).toHaveProperty('challenge')
    }
  })

  test('the value of dynamic data has the given type, and its type is that of the given value', () => {
    const { dynamicData } = createFactories()
    expect(SEEDS.map(() => typeof dynamicData({ type: 2 }).value)).toEqual(SEEDS.map(() => 'number'))
    expect(SEEDS.map(() => dynamicData({ value: 'gold' }).type)).toEqual(SEEDS.map(() => 1))
    expect(dynamicData({ value: { url: 'https://media.example/1.png' } }).type).toBe(3)
  })

  test('surfaces have a layout that belongs to them, and configs the application that they are listed by', () => {
    const { widgetConfig, layoutDefinition, featuredWidgetConfigs } = createFactories()
    for (const { surfaces } of SEEDS.map(() => widgetConfig())) {
      for (const [surface, { layout }] of Object.entries(surfaces)) expect(layout).toMatch(new RegExp(`^${surface}_`))
    }
    for (const { surface, key } of SEEDS.map(() => layoutDefinition())) expect(key).toMatch(new RegExp(`^${surface}_`))
    for (const { application_ids, configs } of SEEDS.map(() => featuredWidgetConfigs())) {
      expect(Object.keys(configs).sort()).toEqual([...application_ids].sort())
      for (const [id, list] of Object.entries(configs))
        for (const { application_id } of list) expect(application_id).toBe(id)
    }
  })

  test('the mock accepts every generated widget and config back', async () => {
    const { service, ada, as } = setUp({ strict: false })
    const application = service.applications.create({ owner: ada })
    const { gameWidgetData, widgetConfig } = createFactories()
    for (const _ of SEEDS.slice(0, 100)) {
      const widget = await as(ada)('PUT /users/@me/widgets', { widgets: [{ data: gameWidgetData() }] })
      expect(widget.status, JSON.stringify(widget.body)).toBe(200)
      const { display_name, surfaces } = widgetConfig()

      const config = await as(ada)(`POST /applications/${application.id}/widget-configs`, { display_name, surfaces })
      expect([200, 201], JSON.stringify(config.body)).toContain(config.status)
    }
  })
})

class Account {
  readonly id = '7'
}
const cycle: Record<string, unknown> = { id: '7' }
cycle.self = [cycle]

test.each<[string, unknown, string]>([
  ['a Date', new Date(0), 'user.field: expected a value that JSON can represent, got an instance of Date'],
  ['a Map in an array', [new Map()], 'user.field[0]: expected a value that JSON can represent, got an instance of Map'],
  ['a class of one’s own', new Account(), 'user.field: .*, got an instance of Account'],
  ['an object without a class', Object.create(Object.create(null)), 'user.field: .*, got an instance of a class'],
  ['a BigInt', 1n, 'user.field: .*, got a bigint'],
  ['a function', () => 1, 'user.field: .*, got a function'],
  ['Infinity', Number.POSITIVE_INFINITY, 'user.field: .*, got Infinity'],
  ['a cycle', cycle, 'user.field.self[0]: .*, got an object that contains itself'],
  ['a deep object', JSON.parse(`${'{"a":'.repeat(200)}1${'}'.repeat(200)}`), 'got an object in more than 100 others'],
])('a factory refuses %s in the given fields, and says what is allowed', (_, field, message) => {
  const { relationship } = createFactories()
  const make = () => relationship({ user: { id: '7', field } as never })
  expect(make).toThrow(TypeError)
  expect(make).toThrow(new RegExp(message.replaceAll(/[[\]]/g, '\\$&')))
})

test('a factory accepts the same object twice, and one without a prototype', () => {
  const user = Object.assign(Object.create(null), { id: '7' })
  expect(createFactories().relationship({ user: { ...user, one: user, two: user } as never }).id).toBe('7')
})

test.each([
  [null, 'null'],
  [[], 'an array'],
  ['friend', '"friend"'],
  [new Date(0), 'an instance of Date'],
  [new Map(), 'an instance of Map'],
  [1n, 'a bigint'],
])('a factory refuses %o instead of fields', (changes, shown) => {
  const { relationship } = createFactories()
  expect(() => relationship(changes as never)).toThrow(`expected an object with fields to set, got ${shown}`)
})
