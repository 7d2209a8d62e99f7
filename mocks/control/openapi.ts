import type { Definition, Schema } from '../../src/contract/schema'
import { NAME, type Row } from './row'
import { version } from './version'

/** Converts a schema to JSON Schema. */
function toJsonSchema(schema: Schema<unknown>): Record<string, unknown> {
  // Every schema is a definition.
  const { kind, of, more } = schema as Definition
  switch (kind) {
    case 'unknown':
      return {}
    case 'string':
    case 'number':
    case 'integer':
    case 'boolean':
      return { type: kind }
    case 'enum':
      return { enum: of }
    case 'optional':
      return toJsonSchema(of)
    case 'nullable':
      return { anyOf: [toJsonSchema(of), { type: 'null' }] }
    case 'array':
      return { type: 'array', items: toJsonSchema(of) }
    case 'union':
      return { anyOf: of.map(toJsonSchema) }
    case 'rule':
      return { ...toJsonSchema(of), ...more.keywords }
    case 'object': {
      const required = Object.keys(of).filter((name) => !isOptional(of[name]))
      return {
        type: 'object',
        properties: Object.fromEntries(Object.entries(of).map(([name, field]) => [name, toJsonSchema(field)])),
        ...(required.length > 0 && { required }),
        ...(more === null && { additionalProperties: false }),
      }
    }
  }
}

function isOptional(schema: Schema<unknown> | undefined): boolean {
  return schema?.kind === 'optional' || schema?.kind === 'unknown'
}

const json = (schema: object) => ({ 'application/json': { schema } })

const problem = {
  description: 'Refused.',
  content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
}

const Problem = {
  description: 'A refusal, RFC 9457.',
  type: 'object',
  properties: {
    type: { type: 'string' },
    title: { type: 'string' },
    status: { type: 'integer' },
    detail: { type: 'string' },
    errors: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          path: { type: 'string', description: 'JSON Pointer into the body, or the name of a parameter' },
          message: { type: 'string' },
          allowed: { type: 'array', items: { type: ['string', 'number'] } },
        },
        required: ['path', 'message'],
      },
    },
  },
  required: ['type', 'title', 'status', 'detail', 'errors'],
}

function operation(
  route: string,
  { summary, params, result, status = result ? 200 : 204 }: Row<unknown, unknown>,
): object {
  const [method = '', path = ''] = route.split(' ')
  const schema = params && toJsonSchema(params)
  const isQuery = method === 'GET' || method === 'DELETE'
  const fields = Object.entries(Object(schema?.properties))
  const required: readonly unknown[] = Array.isArray(schema?.required) ? schema.required : []
  const query = fields.map(([name, field]) => ({ name, in: 'query', required: required.includes(name), schema: field }))
  const id = { name: 'id', in: 'path', required: true, schema: { type: 'string' } }
  return {
    operationId: `${method.toLowerCase()}${path.replaceAll(/[/-](\w)|[{}]/g, (_, letter = '') => letter.toUpperCase())}`,
    tags: [path.split('/')[1]],
    summary,
    parameters: [
      ...(path.includes('{id}') ? [id] : []),
      ...(isQuery ? query : []),
      { $ref: '#/components/parameters/Namespace' },
    ],
    ...(schema &&
      !isQuery &&
      fields.length > 0 && { requestBody: { required: required.length > 0, content: json(schema) } }),
    ...(schema && !isQuery && !schema.properties && { requestBody: { content: json(schema) } }),
    responses: {
      [status]: result ? { description: 'Success.', content: json(toJsonSchema(result)) } : { description: 'Success.' },
      default: problem,
    },
  }
}

/** Returns the OpenAPI 3.1 document of the control API. */
export function openApiDocument(rows: Readonly<Record<string, Row<unknown, unknown>>>): object {
  const paths: Record<string, Record<string, object>> = {}
  for (const [route, row] of Object.entries(rows)) {
    const [method = '', path = ''] = route.split(' ')
    paths[path] = { ...paths[path], [method.toLowerCase()]: operation(route, row) }
  }
  const streamed = (summary: string, type: string) => ({
    get: {
      operationId: summary.split(' ')[0]?.toLowerCase(),
      tags: ['tools'],
      summary,
      responses: {
        200: { description: 'Success.', content: { [type]: { schema: { type: 'string' } } } },
        default: problem,
      },
    },
  })
  return {
    openapi: '3.1.0',
    info: {
      title: 'Control API of rapport-mock',
      description:
        'Changes and inspects the mock of the service while it runs. For tests; never expose it to a network.',
      version,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/_mock' }],
    security: [{}, { token: [] }],
    tags: [...new Set(Object.keys(paths).map((path) => path.split('/')[1])), 'tools'].map((name) => ({ name })),
    paths: {
      ...paths,
      '/events': streamed('Events as they happen, as server-sent events; `Last-Event-ID` replays', 'text/event-stream'),
    },
    components: {
      schemas: { Problem },
      parameters: {
        Namespace: {
          name: 'X-Mock-Namespace',
          in: 'header',
          description: 'Namespace; created on first use. Default: `default`',
          schema: { type: 'string', pattern: NAME.source },
        },
      },
      securitySchemes: {
        token: {
          type: 'http',
          scheme: 'bearer',
          description: 'Required if the server was started with a control token',
        },
      },
    },
  }
}
