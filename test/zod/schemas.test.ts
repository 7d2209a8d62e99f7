import { readdirSync } from 'node:fs'
import * as schemas from 'rapport-sdk/zod'
import { describe, expect, test } from 'vitest'
import zod from 'zod/package.json'
import * as z from 'zod/v4'
import manifest from '../../package.json'
import type { Schema } from '../../src/contract/schema'
import { toZod } from '../../src/zod/to-zod'

const exported: Readonly<Record<string, z.ZodType>> = schemas
const contract = new Map<string, Schema<unknown>>()
for (const file of readdirSync('src/contract')) {
  const module: Record<string, Schema<unknown>> = await import(`../../src/contract/${file.slice(0, -3)}.ts`)
  for (const [name, schema] of Object.entries(module)) if (name.endsWith('Schema')) contract.set(name, schema)
}

/** Returns the issues of a value as lines: path, code and message. */
function issuesOf(schema: z.ZodType, value: unknown): string[] {
  return (schema.safeParse(value).error?.issues ?? []).map(({ path, code, message }) => {
    return `${path.join('.')} ${code}: ${message}`
  })
}

describe('rapport-sdk/zod', () => {
  test('these tests run with the version of zod that their project names', () => {
    expect(zod.version.split('.', 2).join('.')).toBe(
      process.env.ZOD_VERSION ?? manifest.devDependencies.zod.split('.', 2).join('.'),
    )
  })

  test('the entry exports every schema of the contract under its name, and nothing else', () => {
    expect(contract.size).toBeGreaterThan(100)
    expect(Object.keys(exported).sort()).toEqual([...contract.keys()].sort())
    for (const [name, schema] of contract) expect(exported[name], name).toBe(toZod(schema))
  })

  test('every schema is a Zod object, except those that are not of an interface', () => {
    const others = Object.keys(exported).filter((name) => !(exported[name] instanceof z.ZodObject))
    expect(others.sort()).toEqual(['DynamicDataValueSchema', 'PasswordSchema'])
  })

  test('shape contains every field, an optional one as ZodOptional', () => {
    const { shape } = schemas.LoginParamsSchema
    expect(Object.keys(shape).sort()).toEqual(['gift_code_sku_id', 'login', 'login_source', 'password', 'undelete'])
    expect(shape.undelete.unwrap().parse(true)).toBe(true)
    expect(Object.keys(schemas.PartialUserSchema.shape)).toEqual(['id'])
  })
})

describe('parsing', () => {
  const login = { login: 'ada@example.com', password: 'correct horse' }

  test('the schema of a request rejects unknown fields', () => {
    expect(schemas.LoginParamsSchema.parse(login)).toEqual(login)
    expect(issuesOf(schemas.LoginParamsSchema, { ...login, pasword: 'x' })).toEqual([
      ' unrecognized_keys: Unrecognized key: "pasword"',
    ])
  })

  test('the schema of a response keeps unknown fields', () => {
    const reason = { type: 9, platform: 'x', name: 'Ada', added_later: { by: 'the service' } }
    expect(schemas.FriendSuggestionReasonSchema.parse(reason)).toEqual(reason)
  })

  test('an optional field may be undefined, as in a call', () => {
    expect(schemas.LoginParamsSchema.safeParse({ ...login, undelete: undefined }).success).toBe(true)
  })

  test('a schema that contains itself reports the path of a nested problem', () => {
    const field = { value_type: 'data', presentation_type: 'text', value: 'x' }
    const nested = { ...field, fallback: { ...field, fallback: { ...field, value: 5 } } }
    expect(issuesOf(schemas.WidgetComponentFieldSchema, nested)).toEqual([
      'fallback.fallback.value invalid_type: Invalid input: expected string, received number',
    ])
  })
})

describe('messages', () => {
  test('a rule has the message, the path, the code and the limit of a RequestValidationError', () => {
    const { error } = schemas.LoginParamsSchema.safeParse({ login: 'ada@example.com', password: 'short' })
    expect(error?.issues).toEqual([
      {
        code: 'custom',
        path: ['password'],
        message: '5 characters, at least 8',
        params: { code: 'too_short', limit: 8 },
      },
    ])
  })

  test('a rule across fields has the path of a field', () => {
    expect(issuesOf(schemas.RegisterParamsSchema, {})).toEqual([
      'username custom: required: a username or a global_name',
    ])
  })

  test('a union has the issues of the alternative that applies', () => {
    const widgets = [{ data: { type: 'favorite_games', games: [{ game_id: 1 }] } }, { id: '2', data: { type: 5 } }]
    expect(issuesOf(schemas.ReplaceWidgetsParamsSchema, { widgets })).toEqual([
      'widgets.0.data.games.0.game_id invalid_type: Invalid input: expected string, received number',
      'widgets.1.data.type invalid_type: Invalid input: expected string, received number',
    ])
    const statistic = { name: 'level', type: 2, value: { url: 5 } }
    expect(issuesOf(schemas.DynamicDataSchema, statistic)).toEqual([
      'value.url invalid_type: Invalid input: expected string, received number',
    ])
  })

  test('the value of a statistic is checked according to its type', () => {
    expect(issuesOf(schemas.DynamicDataSchema, { name: 'level', type: 2, value: 'seven' })).toEqual([
      'value custom: not of type 2',
    ])
    const statistic = { name: 'level', type: 2, value: 'seven' }
    expect(issuesOf(schemas.DynamicDataInputSchema, statistic)).toEqual([
      'value custom: expected a number, got "seven"',
    ])
  })

  test('a refined schema can be extended, and converts to JSON Schema with its limits', () => {
    const form = schemas.LoginParamsSchema.extend({ remember: z.boolean() })
    expect(issuesOf(form, { login: 'ada@example.com', password: 'correct horse' })).toEqual([
      'remember invalid_type: Invalid input: expected boolean, received undefined',
    ])
    expect(z.toJSONSchema(schemas.LoginParamsSchema)).toMatchObject({
      properties: { password: { type: 'string', minLength: 8, maxLength: 72 } },
      required: ['login', 'password'],
      additionalProperties: false,
    })
  })
})
