import { PROFILE_METADATA } from '../../src/contract/identities'
import { DynamicDataType } from '../../src/contract/profile-data'
import { GAME_WIDGET_MAX_GAMES, GameWidgetSkillTag, GameWidgetType } from '../../src/contract/widgets'
import type { JsonSchema } from './schemas'

// The contract has these rules as code. Their keywords are here, so that no client contains them; the property tests of
// test/fuzz/schemas.test.ts compare both. Conditions use `if` and `not`, which generators of types ignore.

/** Returns a schema of the contract with the keywords of its rules. */
export function withRules(id: string, schema: JsonSchema): JsonSchema {
  return RULES[id]?.(schema) ?? schema
}

const ref = (id: string): JsonSchema => ({ $ref: `#/components/schemas/${id}` })

/** Adds keywords to a property. */
function extend(schema: JsonSchema, name: string, keywords: JsonSchema): JsonSchema {
  return { ...schema, properties: { ...schema.properties, [name]: { ...schema.properties?.[name], ...keywords } } }
}

/** One branch of a condition on the property `type`. */
type Branch = readonly [type: string | number, then: JsonSchema]

/** Returns a chain of conditions on the property `type`; `otherwise` applies to values added later. */
function byType([branch, ...rest]: readonly Branch[], otherwise: JsonSchema = {}): JsonSchema {
  if (branch === undefined) return otherwise
  const [type, consequence] = branch
  const alternative = byType(rest, otherwise)
  return {
    if: { properties: { type: { const: type } } },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: consequence,
    ...(Object.keys(alternative).length > 0 && { else: alternative }),
  }
}

/** At most one element of an array matches. */
const atMostOne = (element: JsonSchema): JsonSchema => ({ contains: element, minContains: 0, maxContains: 1 })

const SKILL_TAGS = atMostOne({ enum: Object.values(GameWidgetSkillTag) })

const WIDGET_DATA = byType(
  Object.entries(GAME_WIDGET_MAX_GAMES).map(([type, maxItems]): Branch => {
    const isApplication = type === GameWidgetType.application
    // `{ not: {} }` accepts no value.
    return [type, { properties: { games: { maxItems }, ...(!isApplication && { application_id: { not: {} } }) } }]
  }),
)

const isWidgetOf = (type: string): JsonSchema => ({
  type: 'object',
  properties: { data: { type: 'object', properties: { type: { const: type } }, required: ['type'] } },
  required: ['data'],
})

/** Longest array and largest object that can have so many characters of JSON: `[1,1]`, `{"":1,"a":1}`. */
const MAX_ITEMS = Math.floor((PROFILE_METADATA.maxCharacters - 1) / 2)
const MAX_PROPERTIES = Math.floor(PROFILE_METADATA.maxCharacters / 6)

/** Integers that numbers of JavaScript represent exactly. */
const SAFE: JsonSchema = { minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER }

/** A date of the calendar, with leap years. */
const DATE =
  '^(?:[0-9]{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12][0-9]|3[01])|(?:0[469]|11)-(?:0[1-9]|[12][0-9]|30)|02-(?:0[1-9]|1[0-9]|2[0-8]))|' +
  '(?:[0-9]{2}(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)-02-29)$'

/** Returns the conditions on the value of dynamic data. */
function valueByType(image: JsonSchema, otherwise?: JsonSchema): JsonSchema {
  const valueIs = (value: JsonSchema): JsonSchema => ({ properties: { value } })
  const branches: readonly Branch[] = [
    [DynamicDataType.TEXT, valueIs({ type: 'string' })],
    [DynamicDataType.NUMBER, valueIs({ type: 'integer', ...SAFE })],
    [DynamicDataType.IMAGE, valueIs(image)],
  ]
  return byType(branches, otherwise)
}

const RULES: Readonly<Record<string, (schema: JsonSchema) => JsonSchema>> = {
  // A username, or a global_name that is not null.
  RegisterParams: (schema) => ({
    ...extend(schema, 'date_of_birth', { format: 'date', pattern: DATE }),
    if: { properties: { global_name: { type: 'null' } } },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: { properties: { username: {} }, required: ['username'] },
  }),
  RegisterPhoneParams: (schema) => extend(schema, 'phone', { pattern: '^\\+[1-9][0-9]{1,14}$' }),
  GameWidgetGameInput: (schema) => extend(schema, 'tags', SKILL_TAGS),
  GameWidgetDataInput: (schema) => ({ ...schema, ...WIDGET_DATA }),
  ExistingGameWidget(schema) {
    const games = schema.properties?.data?.properties?.games
    const data = extend(schema.properties?.data ?? {}, 'games', {
      items: { allOf: [games?.items ?? {}], properties: { tags: SKILL_TAGS } },
    })
    return extend(schema, 'data', { ...data, ...WIDGET_DATA })
  },
  ReplaceWidgetsParams: (schema) =>
    extend(schema, 'widgets', {
      not: { anyOf: Object.values(GameWidgetType).map((type) => ({ contains: isWidgetOf(type), minContains: 2 })) },
    }),
  // A value that is not a string is measured by its JSON, which only the limits of its parts can express.
  UpdateProfileParams: (schema) =>
    extend(schema, 'metadata', {
      maxProperties: PROFILE_METADATA.maxKeys,
      propertyNames: { maxLength: PROFILE_METADATA.maxCharacters },
      additionalProperties: {
        maxLength: PROFILE_METADATA.maxCharacters,
        maxItems: MAX_ITEMS,
        maxProperties: MAX_PROPERTIES,
      },
    }),
  // In responses the range is left out: tools that make samples would show its minimum.
  PrimaryDataInput: (schema) => ({
    ...schema,
    properties: Object.fromEntries(
      Object.entries(schema.properties ?? {}).map(([name, property]) => [
        name,
        property.type === 'integer' ? { ...property, ...SAFE } : property,
      ]),
    ),
  }),
  DynamicData: (schema) => ({ ...schema, ...valueByType(ref('UnfurledMediaItem')) }),
  DynamicDataInput(schema) {
    const image = ref('MediaItemInput')
    return {
      ...extend(extend(schema, 'type', SAFE), 'value', {
        description: 'String for TEXT, integer for NUMBER, media item for IMAGE.',
        anyOf: [{ type: 'string' }, { type: 'number' }, image, ref('UnfurledMediaItem')],
      }),
      required: ['name', 'type', 'value'],
      ...valueByType(image, { properties: { value: ref('DynamicDataValue') } }),
    }
  },
}
