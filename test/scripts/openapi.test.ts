import { expect, test } from 'vitest'
import { ENDPOINT_TABLE } from '../contract/endpoint-table'
import { document, operationOf, operations, recordExchanges, responsePointer, schemaErrors } from './recorded-exchanges'

const schemas = Object(document.components).schemas
const one = (summary: string) => {
  const found = operations.find(({ operation }) => operation.summary === summary)
  if (found === undefined) throw new Error(`The document has no ${summary}`)
  return found.operation
}

test('the OpenAPI document has the 55 calls and no others, with names of path parameters that identifiers can have', () => {
  const found = operations.map(({ path, method, operation }) => `${method} ${path} ${operation.summary}`)
  const expected = ENDPOINT_TABLE.map(({ name, method, path }) => `${method} ${path.replaceAll('.', '_')} ${name}`)
  expect(found.sort()).toEqual(expected.sort())
  for (const { path, operation } of operations) {
    const declared = operation.parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => `{${name}}`)
    expect(declared).toEqual(path.match(/\{[^}]+\}/g) ?? [])
  }
})

test('each call of the OpenAPI document has a description and an ID that is an identifier', () => {
  for (const { operation } of operations) {
    expect(operation.operationId).toMatch(/^[a-z][A-Za-z]+$/)
    expect(operation.description).not.toBe('')
  }
  expect(new Set(operations.map(({ operation }) => operation.operationId)).size).toBe(55)
})

test('the OpenAPI document has the limits of the API document', () => {
  expect(schemas.UpdateRelationshipParams.properties.nickname).toMatchObject({ minLength: 1, maxLength: 32 })
  expect(schemas.SendFriendRequestParams.properties.note.anyOf[0]).toMatchObject({ maxLength: 120 })
  expect(schemas.LogoutSessionsParams.properties.session_id_hashes).toMatchObject({ minItems: 1, maxItems: 64 })
})

test('timestamps of the OpenAPI document have the format date-time, and dates the format date', () => {
  for (const field of [
    schemas.AuthSession.properties.approx_last_used_time,
    schemas.GameWidget.properties.updated_at,
    schemas.WidgetConfig.properties.published_at,
    schemas.WidgetConfig.properties.updated_at,
    schemas.Relationship.properties.since,
    schemas.GameRelationship.properties.since,
  ]) {
    expect(field).toMatchObject({ format: 'date-time' })
  }
  expect(schemas.RegisterParams.properties.date_of_birth).toMatchObject({ format: 'date' })
  // "updated_at ignored". API, "H. Profile widgets and application identities".
  expect(schemas.GameWidgetInput.properties.updated_at).not.toHaveProperty('format')
})

test('a body of the OpenAPI document is required only if the call needs one of its fields', () => {
  const optional = operations.filter(({ operation }) => operation.requestBody?.required === false)
  expect(optional.map(({ operation }) => operation.summary).sort()).toEqual([
    'Bulk Remove Relationships',
    'Create Game Relationship',
    'Create Game Relationship by Application',
    'Create Relationship',
    'Logout',
    'Modify Relationship',
    'Modify User Application Profile',
    'Modify User Application Profile Config',
  ])
  expect(one('Register Account').requestBody?.required).toBe(true)
})

test('errors of the OpenAPI document have a code and a message, and optional errors of fields and a time to wait', () => {
  expect(schemas.Error.required).toEqual(['code', 'message'])
  expect(Object.keys(schemas.Error.properties)).toEqual(['code', 'message', 'errors', 'retry_after'])
  for (const { operation } of operations) {
    expect(operation.responses.default?.$ref).toBe('#/components/responses/Error')
    const statuses = Object.keys(operation.responses).filter((status) => !['200', '204', 'default'].includes(status))
    // The only status of an error that the API document shows. API, "Errors".
    expect(['401', '']).toContain(statuses.join())
  }
})

test('the OpenAPI document has the fingerprint, and the JWT of a second factor as a header and as a cookie', () => {
  const { parameters } = Object(document.components)
  expect(parameters.Fingerprint).toMatchObject({ name: 'X-Fingerprint', in: 'header' })
  expect(parameters.MfaAuthorization).toMatchObject({ name: 'X-Service-MFA-Authorization', in: 'header' })
  expect(parameters.RecentMfa).toMatchObject({ name: '__Secure-recent_mfa', in: 'cookie' })
  const refsOf = (summary: string) => one(summary).parameters.map(({ $ref = '' }) => $ref.split('/').at(-1))
  expect(refsOf('Login Account')).toEqual(['Fingerprint'])
  expect(refsOf('Verify MFA')).toEqual(['Fingerprint'])
  expect(refsOf('Logout Auth Sessions')).toEqual(['MfaAuthorization', 'RecentMfa'])
  expect(one('Verify MFA').responses[200]).toHaveProperty('headers.Set-Cookie')
})

test.each(ENDPOINT_TABLE)('the requests and responses of $name are valid by the OpenAPI document', async ({ name }) => {
  let responses = 0
  for (const { request, body, response } of await recordExchanges(name)) {
    const { pathname, searchParams } = new URL(request.url)
    const { path, method, operation } = operationOf(request.method, pathname)
    const at = ['paths', path, method.toLowerCase()]
    for (const parameter of operation.parameters) {
      if (parameter.in === 'query' && parameter.required) expect(searchParams.has(String(parameter.name))).toBe(true)
    }
    const known = operation.parameters
      .filter((parameter) => parameter.in === 'query')
      .map((parameter) => parameter.name)
    for (const parameter of searchParams.keys()) expect(known).toContain(parameter)
    // A rejected request may be invalid on purpose.
    if (response.ok && body !== '') {
      const schema = [...at, 'requestBody', 'content', 'application/json', 'schema']
      expect(schemaErrors(JSON.parse(body), ...schema), `the body of ${operation.summary}`).toBeUndefined()
    }
    if (response.ok) expect(Object.keys(operation.responses), operation.summary).toContain(String(response.status))
    const pointer = responsePointer({ path, method, operation }, response.status)
    const text = await response.text()
    if (text !== '') {
      const schema = [...pointer, 'content', 'application/json', 'schema']
      expect(schemaErrors(JSON.parse(text), ...schema), `the response of ${operation.summary}`).toBeUndefined()
    } else expect(operation.responses[response.status]?.content).toBeUndefined()
    if (operation.summary === name && response.ok) responses++
  }
  expect(responses).toBeGreaterThan(0)
})
