// OpenAPI document of the control API, from the schemas that validate its calls.
import { version } from '../../package.json'
import type { Schema } from '../../src/contract/schema'
import { type FindReference, type JsonSchema, toJsonSchema } from '../settings'
import { NAME, type Row } from './row'
import { EventsSchema } from './rows-service'

/** Returns the values or names of fields that a JSON Schema allows at a path. */
export function allowedAt(schema: JsonSchema, path: readonly PropertyKey[]): readonly (string | number)[] | undefined {
  const { enum: values, anyOf, items, properties, propertyNames, additionalProperties } = schema
  const [key, ...rest] = path
  if (key === undefined && Array.isArray(values)) return values.every(isName) ? values : undefined
  if (typeof key === 'number' && isSchema(items)) return allowedAt(items, rest)
  if (key !== undefined && isSchema(properties)) {
    const property = Object.hasOwn(properties, key) ? Reflect.get(properties, key) : undefined
    if (isSchema(property)) return allowedAt(property, rest)
    return additionalProperties === false && rest.length === 0 ? Object.keys(properties) : undefined
  }
  if (key !== undefined && isSchema(propertyNames) && isSchema(additionalProperties)) {
    const names = allowedAt(propertyNames, [])
    return names?.some((name) => name === key) ? allowedAt(additionalProperties, rest) : names
  }
  if (!Array.isArray(anyOf)) return undefined
  return anyOf.map((one) => allowedAt(one, path)).find((found) => found !== undefined)
}

const isName = (value: unknown) => typeof value === 'string' || typeof value === 'number'

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

type Rows = Readonly<Record<string, Row<unknown, unknown>>>

const json = (schema: object) => ({ 'application/json': { schema } })

const problem = { $ref: '#/components/responses/Problem' }

const ID = 'ID of the record, or what else names it: a login, a username, the name of an application or of a snapshot.'

const contentOf = (result: Schema<unknown>, find: FindReference) =>
  result === EventsSchema
    ? { 'text/event-stream': { schema: { type: 'string' } } }
    : json(find(result) ?? toJsonSchema(result, find))

function operation(route: string, row: Row<unknown, unknown>, find: FindReference): object {
  const { summary, params, result, status = result ? 200 : 204 } = row
  const [method = '', path = ''] = route.split(' ')
  const tag = path.split('/')[1] ?? ''
  const schema = params && toJsonSchema(params, find)
  const isQuery = method === 'GET' || method === 'DELETE'
  const fields = Object.entries(Object(schema?.properties))
  const required: readonly unknown[] = Array.isArray(schema?.required) ? schema.required : []
  const query = fields.map(([name, field]) => ({ name, in: 'query', required: required.includes(name), schema: field }))
  const id = { name: 'id', in: 'path', required: true, description: ID, schema: { type: 'string' } }
  const hasBody = params !== undefined && !isQuery
  return {
    operationId: `${method.toLowerCase()}${path.replaceAll(/[/-](\w)|[{}]/g, (_, letter = '') => letter.toUpperCase())}`,
    tags: [tag],
    // The details are in the description.
    summary: summary.split(/[;:]/)[0],
    description: `${summary}.`,
    parameters: [
      ...(path.includes('{id}') ? [id] : []),
      ...(isQuery ? query : []),
      { $ref: '#/components/parameters/Namespace' },
    ],
    ...(hasBody && { requestBody: { required: required.length > 0, content: json(find(params) ?? schema ?? {}) } }),
    responses: {
      [status]: { description: 'Success.', ...(result && { content: contentOf(result, find) }) },
      default: problem,
    },
  }
}

/**
 * Returns the OpenAPI 3.1 document of the control API.
 * @param named schemas by name, to which the routes refer.
 */
export function openApiDocument(rows: Rows, named: Readonly<Record<string, Schema<unknown>>>): object {
  const names = new Map(Object.entries(named).map(([name, schema]) => [schema, name]))
  const find: FindReference = (schema) => {
    const name = names.get(schema)
    return name === undefined ? undefined : { $ref: `#/components/schemas/${name}` }
  }
  const paths: Record<string, Record<string, object>> = {}
  for (const [route, row] of Object.entries(rows)) {
    const [method = '', path = ''] = route.split(' ')
    paths[path] = { ...paths[path], [method.toLowerCase()]: operation(route, row, find) }
  }
  const schemas = Object.entries(named).map(([name, schema]): [string, JsonSchema] => [
    name,
    toJsonSchema(schema, find),
  ])
  return {
    openapi: '3.1.0',
    info: {
      title: 'Control API of rapport-mock',
      description:
        'Changes and inspects the mock of the service while it runs. For tests; never expose it to a network.',
      version,
      contact: { name: 'Rapport contributors' },
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/_mock', description: 'The server that serves this document.' }],
    security: [{}, { token: [] }],
    tags: [...new Set(Object.keys(rows).map((route) => route.split('/')[1]))].map((name) => ({
      name,
      description: `Calls below /${name}.`,
    })),
    paths,
    components: {
      schemas: Object.fromEntries(schemas),
      responses: {
        Problem: {
          description: 'Refused; nothing was changed.',
          content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
        },
      },
      parameters: {
        Namespace: {
          name: 'X-Mock-Namespace',
          in: 'header',
          description: 'Namespace; created on first use. Default: `default`.',
          schema: { type: 'string', pattern: NAME.source },
        },
      },
      securitySchemes: {
        token: {
          type: 'http',
          scheme: 'bearer',
          description: 'Required if the server was started with a control token.',
        },
      },
    },
  }
}
