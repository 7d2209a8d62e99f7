import { ApiPromise, Client, isNotFoundError } from 'rapport-sdk'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { json, mfaRequired, noContent } from './answers'
import { rejectionOf } from './rejection'
import { type Answer, serve } from './scripted-server'

const unhandled: unknown[] = []
const note = (reason: unknown) => unhandled.push(reason)

beforeEach(() => {
  unhandled.length = 0
  process.on('unhandledRejection', note)
})

afterEach(async () => {
  await new Promise((resolve) => setTimeout(resolve, 20))
  process.off('unhandledRejection', note)
  expect(unhandled).toEqual([])
})

async function clientFor(...answers: Answer[]) {
  const server = await serve(...answers)
  const onMfaRequired = () => ({ type: 'totp', code: '123456' })
  return { server, client: new Client({ baseUrl: server.url, token: 'ada', onMfaRequired }) }
}

describe('what a call returns', () => {
  it('is a promise of the data, which also gives the facts of the answer', async () => {
    const { server, client } = await clientFor(json(200, [], { 'x-trace': 'one' }))
    const call = client.relationships.list()

    expect(call).toBeInstanceOf(Promise)
    expect(call).toBeInstanceOf(ApiPromise)
    expect(await call).toEqual([])
    const { data, response } = await call.withResponse()
    expect(data).toEqual([])
    expect(response).toMatchObject({
      status: 200,
      url: `${server.url}/users/@me/relationships`,
      attempts: 1,
      elevated: false,
    })
    expect(response.headers.get('x-trace')).toBe('one')
    expect(server.requests).toHaveLength(1)
  })

  it('counts every request of the call, and tells whether the last was elevated', async () => {
    const { client } = await clientFor(json(503, {}), mfaRequired(), json(200, { token: 'jwt' }), noContent, noContent)
    const { response } = await client.relationships.delete('100', { retry: { methods: ['DELETE'] } }).withResponse()
    expect(response).toMatchObject({ status: 204, attempts: 3, elevated: true })
    const later = await client.relationships.delete('100').withResponse()
    expect(later.response).toMatchObject({ attempts: 1, elevated: true })
  })

  it('rejects either way without an unhandled rejection', async () => {
    const { client } = await clientFor(json(404, {}), json(404, {}), json(404, {}))

    await rejectionOf(client.relationships.list(), isNotFoundError)
    await rejectionOf(client.relationships.list().withResponse(), isNotFoundError)
    const call = client.relationships.list()
    const [data, facts] = await Promise.allSettled([call, call.withResponse()])
    expect(data).toEqual(facts)
  })

  it('then, catch and finally give plain promises', async () => {
    const { client } = await clientFor(json(200, []), json(404, {}))
    const chained = client.relationships.list().then((list) => list.length)
    expect(chained).not.toBeInstanceOf(ApiPromise)
    expect(await chained).toBe(0)
    expect(await client.relationships.list().catch(() => 'caught')).toBe('caught')
  })
})
