import { describe, expect, test } from 'vitest'
import { ENDPOINT_TABLE } from '../contract/endpoint-table'
import { document, operationOf, operations, recordExchanges, schemaErrors } from './recorded-exchanges'

test('the OpenAPI document has the 55 calls and no others', () => {
  const found = operations.map(({ path, method, operation }) => `${method} ${path} ${operation.summary}`)
  expect(found.sort()).toEqual(ENDPOINT_TABLE.map(({ name, method, path }) => `${method} ${path} ${name}`).sort())
})

test('the OpenAPI document has the limits of the interface document', () => {
  const schemas = Object(document.components).schemas
  expect(schemas.UpdateRelationshipParams.properties.nickname).toMatchObject({ minLength: 1, maxLength: 32 })
  expect(schemas.SendFriendRequestParams.properties.note.anyOf[0]).toMatchObject({ maxLength: 120 })
  expect(schemas.LogoutSessionsParams.properties.session_id_hashes).toMatchObject({ minItems: 1, maxItems: 64 })
})

describe('exchanges over HTTP', () => {
  test.each(ENDPOINT_TABLE)(
    'the requests and responses of $name are valid by the OpenAPI document',
    async ({ name }) => {
      let responses = 0
      for (const { request, body, response } of await recordExchanges(name)) {
        const { pathname, searchParams } = new URL(request.url)
        const { path, method, operation } = operationOf(request.method, pathname)
        const at = ['paths', path, method.toLowerCase()]
        for (const parameter of operation.parameters) {
          if (parameter.in === 'query' && parameter.required)
            expect(searchParams.has(String(parameter.name))).toBe(true)
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
        const status = response.ok ? String(response.status) : '4XX'
        expect(Object.keys(operation.responses), operation.summary).toContain(status)
        const text = await response.text()
        if (text !== '') {
          const schema = [...at, 'responses', status, 'content', 'application/json', 'schema']
          expect(schemaErrors(JSON.parse(text), ...schema), `the response of ${operation.summary}`).toBeUndefined()
        } else expect(operation.responses[status]?.content).toBeUndefined()
        if (operation.summary === name && response.ok) responses++
      }
      expect(responses).toBeGreaterThan(0)
    },
  )
})
