import { type Endpoint, pathParameters } from '../../src/contract/endpoint'
import { contract, endpoints } from '../../src/contract/index'
import { methodComments } from './comments'
import { type JsonSchema, refTo, schemas, schemasUsedBy } from './schemas'

const text: JsonSchema = { type: 'string' }
const json = (schema: JsonSchema) => ({ 'application/json': { schema } })

/** Returns the OpenAPI 3.1 document of the HTTP interface. */
export function openApi(version: string): object {
  const paths: Record<string, Record<string, object>> = {}
  for (const { call, endpoint } of endpoints) {
    const { path, method } = endpoint
    paths[path] = { ...paths[path], [method.toLowerCase()]: operation(call, endpoint) }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Accounts, step-up authentication, friends and profile widgets',
      description: 'The HTTP interface that rapport-sdk uses, generated from the contract that validates each call.',
      version,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [
      {
        url: '{baseUrl}',
        description: 'Base URL of the service',
        variables: {
          baseUrl: { default: 'https://service.example', description: 'The option `baseUrl` of the client' },
        },
      },
    ],
    tags: Object.keys(contract).map((name) => ({ name, description: `The calls of \`client.${name}\`` })),
    paths,
    components: {
      schemas: { ...schemasUsedBy([paths, MfaRequiredResponse]), MfaRequiredResponse, Error: error },
      securitySchemes: {
        token: {
          type: 'apiKey',
          in: 'header',
          name: 'Authorization',
          description:
            'The authentication token. The interface document does not show its format in the header; by default it is sent unchanged.',
        },
      },
      parameters: { MfaAuthorization },
    },
  }
}

const MfaAuthorization = {
  name: 'X-Service-MFA-Authorization',
  in: 'header',
  description: 'The JWT of a verified second factor. Interface, "MFA Required Response".',
  schema: text,
}

const MfaRequiredResponse: JsonSchema = {
  description: 'A second factor is required. Interface, "MFA Required Response".',
  type: 'object',
  properties: {
    message: { type: 'string' },
    code: { const: 60003 },
    mfa: { $ref: '#/components/schemas/MfaVerificationRequest' },
  },
  required: ['message', 'code', 'mfa'],
}

const error: JsonSchema = {
  description:
    'An error. The interface document shows only the body of MFA Required; `code` and `message` are a convention.',
  type: 'object',
  properties: { code: { type: 'integer' }, message: { type: 'string' } },
}

function operation(call: string, { name, path, params, query = [], response, auth, stepUp }: Endpoint): object {
  const [, ...names] = call.split('.')
  const tag = names.slice(0, -1).join('.')
  const paramsSchema = params && schemas[refTo(params).$ref?.split('/').at(-1) ?? '']
  const description = methodComments.get(`${className(tag)}.${names.at(-1)}`)
  const needsToken = [{ token: [] }]
  return {
    operationId: names.join('.'),
    tags: [tag],
    summary: name,
    ...(description && { description }),
    security: auth === 'token' ? needsToken : auth === 'optional' ? [{}, ...needsToken] : [],
    parameters: [
      ...pathParameters(path).map((parameter) => ({ name: parameter, in: 'path', required: true, schema: text })),
      ...query.map((parameter) => queryParameter(parameter, paramsSchema)),
      ...(auth === 'none' || stepUp === false ? [] : [{ $ref: '#/components/parameters/MfaAuthorization' }]),
    ],
    ...(params && bodyOf(paramsSchema, query, refTo(params))),
    responses: {
      ...(response
        ? { 200: { description: 'Success with a body.', content: json(refTo(response)) } }
        : { 204: { description: 'Success without a body.' } }),
      '4XX': {
        description: 'Client error.',
        content: json({
          anyOf: ['MfaRequiredResponse', 'Error'].map((id) => ({ $ref: `#/components/schemas/${id}` })),
        }),
      },
    },
  }
}

function className(tag: string): string {
  return tag === 'auth.sessions' ? 'AuthSessions' : tag.charAt(0).toUpperCase() + tag.slice(1)
}

function queryParameter(name: string, paramsSchema: JsonSchema | undefined): object {
  const { description, ...schema } = paramsSchema?.properties?.[name] ?? {}
  const required = paramsSchema?.required?.includes(name) ?? false
  return { name, in: 'query', required, ...(description && { description }), schema }
}

/** Returns the schema of the body: the parameters that are not in the query. */
function bodyOf(paramsSchema: JsonSchema | undefined, query: readonly string[], ref: JsonSchema): object {
  const properties = Object.entries(paramsSchema?.properties ?? {}).filter(([name]) => !query.includes(name))
  if (paramsSchema?.properties !== undefined && properties.length === 0) return {}
  if (query.length === 0) return { requestBody: { required: true, content: json(ref) } }
  const required = paramsSchema?.required?.filter((name) => !query.includes(name)) ?? []
  const schema = { ...paramsSchema, properties: Object.fromEntries(properties), required }
  return { requestBody: { required: required.length > 0, content: json(schema) } }
}
