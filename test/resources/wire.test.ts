import { describe, expect, test } from 'vitest'
import { ENDPOINT_TABLE } from '../contract/endpoint-table'
import { wireCases } from './wire/cases'
import { BASE_URL, recordingClient, TOKEN } from './wire/wire-case'

test('each of the 55 calls is sent here', () => {
  expect(wireCases.map(({ name }) => name).sort()).toEqual(ENDPOINT_TABLE.map(({ name }) => name).sort())
})

describe.each(wireCases)('$name', ({ name, send, method, url, body, authorization, answer, ...wire }) => {
  const facts = ENDPOINT_TABLE.find((row) => row.name === name)

  test('sends the method, the URL and the body of the document', async () => {
    const { client, sent } = recordingClient(answer)
    await send(client)
    expect(sent).toHaveLength(1)
    const [request] = sent
    expect(request?.method).toBe(method)
    expect(request?.url).toBe(BASE_URL + url)
    expect(request?.text === '' ? undefined : JSON.parse(request?.text ?? '')).toStrictEqual(body)
    expect(request?.headers.get('content-type')).toBe(body === undefined ? null : 'application/json')
  })

  test(authorization ? 'carries the token' : 'carries no token', async () => {
    const { client, sent } = recordingClient(answer)
    await send(client)
    expect(sent[0]?.headers.get('authorization')).toBe(authorization ? TOKEN : null)
  })

  test('sends every field that the document names', () => {
    const query = [...new URL(BASE_URL + url).searchParams.keys()].map((field) => `&${field}`)
    const given = [...query, ...Object.keys(body ?? {})]
    expect(given.sort()).toEqual(facts?.params.map((field) => field.replace(/[?~]+$/, '')).sort())
  })

  test('decodes the answer unchanged', async () => {
    const { client } = recordingClient(answer)
    expect(await send(client)).toStrictEqual('result' in wire ? wire.result : answer)
  })
})
