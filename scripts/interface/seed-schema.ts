import { seedFileSchema } from '../../mocks/control/seed-data'
import { schemaOf } from '../../mocks/settings'
import { policySettingsCheck } from '../../mocks/state/policy-settings'
import { typeComments } from './comments'
import type { JsonSchema } from './schemas'

// The JSON Schemas of seed and policy files, for editors: those of the checks, with the comments of the types.

const DRAFT = 'http://json-schema.org/draft-07/schema#'

/** Types whose comments describe the properties of each list of a seed file; the first one that has a comment wins. */
const SECTIONS: Readonly<Record<string, readonly string[]>> = {
  users: ['SeedUser', 'CreateUserOptions'],
  applications: ['SeedApplication', 'CreateApplicationOptions'],
  identities: ['CreateIdentityOptions'],
  relationships: ['SeedRelationship', 'SeedRequestOptions'],
  suggestions: ['SeedRelationship', 'SuggestOptions'],
  gameSuggestions: ['SeedRelationship', 'SuggestGamesOptions'],
  layouts: ['LayoutDefinition'],
  faults: ['SeedFault', 'Fault'],
}

const LISTS: Readonly<Record<string, string>> = {
  users: 'Accounts.',
  applications: 'Applications with their bots.',
  identities: 'Accounts of users in applications. Users and applications are given by name or ID.',
  relationships: 'Relationships of two users, who are given by login, username or ID.',
  suggestions: 'Friend suggestions: `target` is suggested to `user`.',
  gameSuggestions: 'Games suggested for the widgets of a user. Applications are given by name or ID.',
  layouts: 'Layout definitions of widgets.',
  faults: 'Faults of endpoints, in the order in which they apply.',
}

const FILE: Readonly<Record<string, string>> = {
  $schema: 'Path or URL of this schema, for editors.',
  seed: 'Seed of IDs, tokens and secrets. Default: 1.',
  now: 'Lets the clock stand at this time, such as `2026-01-01T00:00:00Z`.',
}

/** Adds the comments of types to the properties of an object. */
function describe(schema: JsonSchema, types: readonly string[]): JsonSchema {
  const properties = Object.entries(schema.properties ?? {}).map(([name, property]): [string, JsonSchema] => {
    const text = types.map((type) => typeComments.get(type)?.properties.get(name)?.text).find(Boolean)
    return [name, { ...(text && { description: text }), ...property }]
  })
  return { ...schema, properties: Object.fromEntries(properties) }
}

function describePolicy(schema: JsonSchema): JsonSchema {
  const described = describe(schema, ['PolicySettings', 'Policy'])
  const { lifetimes = {}, password = {}, gateway = {}, $schema, ...properties } = described.properties ?? {}
  const { closeCodes = {} } = gateway.properties ?? {}
  const withCodes = {
    ...gateway,
    properties: { ...gateway.properties, closeCodes: describe(closeCodes, ['GatewayCloseCodes']) },
  }
  return {
    ...described,
    properties: {
      ...($schema && { $schema: { ...$schema, description: FILE.$schema ?? '' } }),
      ...properties,
      lifetimes: describe(lifetimes, ['Lifetimes']),
      password: describe(password, ['PasswordRules']),
      gateway: describe(withCodes, ['GatewayPolicy']),
    },
  }
}

/** Returns the JSON Schema of seed files. */
export function seedSchema(): JsonSchema {
  const schema = seedFileSchema() as JsonSchema
  const properties = Object.entries(schema.properties ?? {}).map(([name, property]): [string, JsonSchema] => {
    const types = SECTIONS[name]
    if (name === 'policy') return [name, { description: 'Decisions of the service.', ...describePolicy(property) }]
    if (types === undefined) return [name, { description: FILE[name] ?? '', ...property }]
    const items = describe(property.items as JsonSchema, types)
    return [name, { description: LISTS[name] ?? '', ...property, items }]
  })
  return {
    $schema: DRAFT,
    title: 'Seed file of rapport-mock',
    description: 'Initial data: `rapport-mock --seed seed.json`.',
    ...schema,
    properties: Object.fromEntries(properties),
  }
}

/** Returns the JSON Schema of policy files. */
export function policySchema(): JsonSchema {
  const settings = schemaOf(policySettingsCheck) as JsonSchema
  return {
    $schema: DRAFT,
    title: 'Policy file of rapport-mock',
    description: 'Decisions of the service: `rapport-mock --policy policy.json`.',
    ...describePolicy({ ...settings, properties: { $schema: { type: 'string' }, ...settings.properties } }),
  }
}
