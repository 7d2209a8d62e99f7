import { describe, expect, test } from 'vitest'
import { ENDPOINT_TABLE } from '../contract/endpoint-table'
import { wireCases } from './wire/cases'
import { BASE_URL, recordingClient, TOKEN } from './wire/wire-case'

test('every endpoint of the API document has a wire case', () => {
  expect(wireCases.map(({ name }) => name).sort()).toEqual(ENDPOINT_TABLE.map(({ name }) => name).sort())
})

describe.each(wireCases)('$name', ({ name, send, method, url, body, authorization, response, ...wire }) => {
  const spec = ENDPOINT_TABLE.find((row) => row.name === name)

  test('sends the method, URL and body of the API document', async () => {
    const { client, sent } = recordingClient(response)
    await send(client)
    expect(sent).toHaveLength(1)
    const [request] = sent
    expect(request?.method).toBe(method)
    expect(request?.url).toBe(BASE_URL + url)
    expect(request?.text === '' ? undefined : JSON.parse(request?.text ?? '')).toStrictEqual(body)
    expect(request?.headers.get('content-type')).toBe(body === undefined ? null : 'application/json')
  })

  test(`sends ${authorization ? 'the token' : 'no token'}`, async () => {
    const { client, sent } = recordingClient(response)
    await send(client)
    expect(sent[0]?.headers.get('authorization')).toBe(authorization ? TOKEN : null)
  })

  test('sends every field of the API document', () => {
    const query = [...new URL(BASE_URL + url).searchParams.keys()].map((field) => `&${field}`)
    const sent = [...query, ...Object.keys(body ?? {})]
    expect(sent.sort()).toEqual(spec?.params.map((field) => field.replace(/[?~]+$/, '')).sort())
  })

  test('resolves to the response unchanged', async () => {
    const { client } = recordingClient(response)
    expect(await send(client)).toStrictEqual('result' in wire ? wire.result : response)
  })
})
