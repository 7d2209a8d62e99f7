import { type Endpoint, pathParameters } from '../../src/contract/endpoint'
import { contract, endpoints } from '../../src/contract/index'
import { MFA_REQUIRED_CODE } from '../../src/contract/mfa'
import type { Schema } from '../../src/contract/schema'
import { isValid } from '../../src/contract/validate'
import { methodComments } from './comments'
import { type JsonSchema, refTo, schemas, schemasUsedBy } from './schemas'

const text: JsonSchema = { type: 'string' }
const json = (schema: JsonSchema) => ({ 'application/json': { schema } })
const refs = (kind: string, names: readonly string[]) => names.map((name) => ({ $ref: `#/components/${kind}/${name}` }))

/** Returns the OpenAPI 3.1 document of the HTTP interface. */
export function openApi(version: string): object {
  const paths: Record<string, Record<string, object>> = {}
  for (const { call, endpoint } of endpoints) {
    const path = toTemplate(endpoint.path)
    paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: operation(call, endpoint) }
  }
  return {
    openapi: '3.1.0',
    // Named, because some tools otherwise read the schemas as draft 7, without `minContains` and `maxContains`.
    jsonSchemaDialect: 'https://json-schema.org/draft/2020-12/schema',
    info: {
      title: 'Accounts, step-up authentication, friends and profile widgets',
      description:
        'The HTTP interface that rapport-sdk uses, generated from the contract that validates each call. What the API document does not show is described as a convention.',
      version,
      contact: { name: 'Rapport contributors' },
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [
      {
        url: '{baseUrl}',
        description: 'Base URL',
        variables: { baseUrl: { default: 'https://service.example' } },
      },
    ],
    tags: Object.keys(contract).map((name) => ({ name, description: `The calls of \`client.${name}\`` })),
    paths,
    components: {
      schemas: { ...schemasUsedBy([paths, MfaRequiredResponse]), MfaRequiredResponse, Error: error, FieldErrors },
      responses: {
        Error: response('An error.', ['Error']),
        Unauthorized: response('A second factor is required, or the token is not valid.', [
          'MfaRequiredResponse',
          'Error',
        ]),
      },
      parameters: { Fingerprint, MfaAuthorization, RecentMfa },
      headers: { RetryAfter },
      securitySchemes: {
        token: {
          type: 'apiKey',
          in: 'header',
          name: 'Authorization',
          description:
            'The authentication token. The API document does not show its format in the header; by default it is sent unchanged.',
        },
      },
    },
  }
}

const Fingerprint = {
  name: 'X-Fingerprint',
  in: 'header',
  description:
    'Fingerprint of a client that has not signed in; the same as in a parameter `fingerprint`. API, "Authentication".',
  schema: text,
}

const MfaAuthorization = {
  name: 'X-Service-MFA-Authorization',
  in: 'header',
  description:
    'The JWT of a verified second factor, valid for 5 minutes. Not needed with the cookie. API, "Authentication".',
  schema: text,
}

const RecentMfa = {
  name: '__Secure-recent_mfa',
  in: 'cookie',
  description:
    'The JWT of a verified second factor, as Verify MFA sets it. Not needed with the header. API, "Authentication".',
  schema: text,
}

const RetryAfter = {
  description:
    'Seconds to wait, or the date until when, after too many requests. A convention: rate limits are not shown.',
  schema: text,
}

const MfaRequiredResponse: JsonSchema = {
  description: 'Body with status 401: a second factor is required. API, "MFA Required Response".',
  type: 'object',
  properties: {
    message: { type: 'string', description: 'Message that multi-factor authentication is required.' },
    code: { type: 'integer', const: MFA_REQUIRED_CODE, description: `Always ${MFA_REQUIRED_CODE}.` },
    mfa: { $ref: '#/components/schemas/MfaVerificationRequest' },
  },
  required: ['message', 'code', 'mfa'],
}

const error: JsonSchema = {
  description:
    'An error. The API document shows only its `code` on login, and the body of MFA Required; the other fields are a convention. Services may add fields.',
  type: 'object',
  properties: {
    code: {
      type: 'integer',
      description:
        'Kind of error. Shown are 20013 (account disabled), 20011 (account marked for deletion) and 60003 (second factor required).',
    },
    message: { type: 'string', description: 'Message that can be shown to a user.' },
    errors: {
      description: 'Errors of the fields of an invalid request.',
      allOf: [{ $ref: '#/components/schemas/FieldErrors' }],
    },
    retry_after: { type: 'number', minimum: 0, description: 'Seconds to wait, if there were too many requests.' },
  },
  required: ['code', 'message'],
}

const FieldErrors: JsonSchema = {
  description: 'Errors of a value, and by name or index of its parts. A convention: the shape is not shown.',
  type: 'object',
  properties: {
    _errors: {
      type: 'array',
      items: {
        type: 'object',
        properties: { code: { type: 'string' }, message: { type: 'string' } },
        required: ['code', 'message'],
      },
      description: 'Errors of this value.',
    },
  },
  additionalProperties: true,
}

function response(description: string, ids: readonly string[]): object {
  const [schema = {}, ...others] = refs('schemas', ids)
  return {
    description,
    headers: { 'Retry-After': { $ref: '#/components/headers/RetryAfter' } },
    content: json(others.length > 0 ? { anyOf: [schema, ...others] } : schema),
  }
}

/** Returns a path with names of parameters that identifiers can have: `{user_id}` for `{user.id}`. */
function toTemplate(path: string): string {
  return path.replaceAll(/\{[^{}]+\}/g, (parameter) => parameter.replaceAll('.', '_'))
}

/** Descriptions of calls whose methods do more than the call, by their names. */
const DESCRIPTIONS: Readonly<Record<string, string>> = {
  'Login Account':
    'Signs in with an email address or phone number and a password. If `mfa` is true, there is no token: send the `ticket` and a code to Verify MFA Login. API, "B. Login".',
  'Verify MFA Login':
    'Completes a login with a second factor, with the `ticket` and `login_instance_id` of Login Account. API, "B. Login".',
  'Start Passwordless Login': 'Starts a WebAuthn ceremony to sign in with a passkey. API, "B. Login".',
  'Finish Passwordless Login': 'Signs in with the credential of a WebAuthn ceremony. API, "B. Login".',
  'Reset Password':
    'Sets a new password with a reset token and signs in. If `mfa` is true, there is no token: repeat the call with `method`, `ticket` and `code`. API, "E. Password recovery".',
  'Verify MFA':
    'Verifies a second factor with the `ticket` of an MFA Required Response. Repeat the refused call with the JWT within 5 minutes. API, "G. Multi-factor verification".',
}

function operation(call: string, endpoint: Endpoint): object {
  const { name, path, params, query = [], response, auth, stepUp } = endpoint
  const [, ...names] = call.split('.')
  const tag = names.slice(0, -1).join('.')
  const paramsSchema = params && schemas[refTo(params).$ref?.split('/').at(-1) ?? '']
  const method = `${className(tag)}.${names.at(-1)}`
  const description = DESCRIPTIONS[name] ?? methodComments.get(method)
  if (description === undefined) throw new Error(`The method ${method} has no comment.`)
  const needsToken = [{ token: [] }]
  const canStepUp = auth !== 'none' && stepUp !== false
  return {
    operationId: names.map((part, index) => (index > 0 ? capitalize(part) : part)).join(''),
    tags: [tag],
    summary: name,
    description,
    security: auth === 'token' ? needsToken : auth === 'optional' ? [{}, ...needsToken] : [],
    parameters: [
      ...pathParameters(toTemplate(path)).map((parameter) => pathParameter(parameter)),
      ...query.map((parameter) => queryParameter(parameter, paramsSchema)),
      ...refs('parameters', [
        ...(auth === 'token' ? [] : ['Fingerprint']),
        ...(canStepUp ? ['MfaAuthorization', 'RecentMfa'] : []),
      ]),
    ],
    ...(params && bodyOf(params, paramsSchema, query)),
    responses: {
      ...(response
        ? { 200: { description: 'Success with a body.', ...headersOf(name), content: json(refTo(response)) } }
        : { 204: { description: 'Success without a body.' } }),
      // The only status of an error that the API document shows.
      ...(canStepUp && { 401: { $ref: '#/components/responses/Unauthorized' } }),
      default: { $ref: '#/components/responses/Error' },
    },
  }
}

/** Returns the headers of a success. Verify MFA delivers its JWT also as a cookie. */
function headersOf(name: string): object {
  if (name !== 'Verify MFA') return {}
  const description = `Sets the cookie \`${RecentMfa.name}\` to the JWT. API, "Authentication".`
  return { headers: { 'Set-Cookie': { description, schema: text } } }
}

function className(tag: string): string {
  return tag.split('.').map(capitalize).join('')
}

function capitalize(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1)
}

function pathParameter(name: string): object {
  const description = PATH_PARAMETERS[name]
  if (description === undefined) throw new Error(`The path parameter ${name} has no description.`)
  return { name, in: 'path', required: true, description, schema: text }
}

const PATH_PARAMETERS: Readonly<Record<string, string>> = {
  application_id: 'ID of the application.',
  authenticator_type:
    'Kind of second factor: `totp`, `sms`, `backup`, `webauthn` or `password`. Others are not shown. API, "Enumerations of the authentication area".',
  external_user_id: 'ID of the user on the external identity provider.',
  user_id: 'ID of the user.',
  widget_config_id: 'ID of the widget config.',
}

function queryParameter(name: string, paramsSchema: JsonSchema | undefined): object {
  const { description, deprecated, ...schema } = paramsSchema?.properties?.[name] ?? {}
  const required = paramsSchema?.required?.includes(name) ?? false
  return {
    name,
    in: 'query',
    required,
    ...(description && { description }),
    ...(deprecated === true && { deprecated }),
    schema,
  }
}

/** Returns the body: the parameters that are not in the query. It is optional if the call works without parameters. */
function bodyOf(params: Schema<unknown>, schema: JsonSchema | undefined, query: readonly string[]): object {
  const properties = Object.entries(schema?.properties ?? {}).filter(([name]) => !query.includes(name))
  if (schema?.properties !== undefined && properties.length === 0) return {}
  const required = !isValid(params, {})
  if (query.length === 0) return { requestBody: { required, content: json(refTo(params)) } }
  const inBody = schema?.required?.filter((name) => !query.includes(name)) ?? []
  const body = { ...schema, properties: Object.fromEntries(properties), ...(inBody.length > 0 && { required: inBody }) }
  return { requestBody: { required, content: json(body) } }
}
