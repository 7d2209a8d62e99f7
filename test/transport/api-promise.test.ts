import { ApiPromise, Client, isNotFoundError, isRapportError } from 'rapport-sdk'
import { describe, expect, it } from 'vitest'
import { expectNoUnhandledRejections } from '../left-behind'
import { json, mfaRequired, noContent, type Responder, serve } from '../servers/http-server'
import { rejectionOf } from './rejection'

expectNoUnhandledRejections()

async function clientFor(...responders: Responder[]) {
  const server = await serve(...responders)
  const onMfaRequired = () => ({ type: 'totp', code: '123456' })
  return { server, client: new Client({ baseUrl: server.url, token: 'ada', onMfaRequired }) }
}

describe('the ApiPromise of a call', () => {
  it('it is a promise of the data, and withResponse() adds the response', async () => {
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

  it('has a response that counts every request of the call and says whether the last was elevated', async () => {
    const { client } = await clientFor(json(503, {}), mfaRequired(), json(200, { token: 'jwt' }), noContent, noContent)
    const { response } = await client.relationships.delete('100', { retry: { methods: ['DELETE'] } }).withResponse()
    expect(response).toMatchObject({ status: 204, attempts: 3, elevated: true })
    const later = await client.relationships.delete('100').withResponse()
    expect(later.response).toMatchObject({ attempts: 1, elevated: true })
  })

  it('rejects once if the call fails, without an unhandled rejection', async () => {
    const { client } = await clientFor(json(404, {}), json(404, {}), json(404, {}))

    await rejectionOf(client.relationships.list(), isNotFoundError)
    await rejectionOf(client.relationships.list().withResponse(), isNotFoundError)
    const call = client.relationships.list()
    const [data, response] = await Promise.allSettled([call, call.withResponse()])
    expect(data).toEqual(response)
  })

  it('then, catch and finally return plain promises', async () => {
    const { client } = await clientFor(json(200, []), json(404, {}))
    const chained = client.relationships.list().then((list) => list.length)
    expect(chained).not.toBeInstanceOf(ApiPromise)
    expect(await chained).toBe(0)
    expect(await client.relationships.list().catch(() => 'caught')).toBe('caught')
  })
})

describe('the static methods of ApiPromise', () => {
  const rejectedCall = () => {
    const call = ApiPromise.reject<number>(new Error('no'))
    call.catch(() => {})
    return call
  }

  it('resolve and reject make promises of values', async () => {
    expect(await ApiPromise.resolve(5)).toBe(5)
    expect(await ApiPromise.resolve(Promise.resolve(5))).toBe(5)
    expect(await ApiPromise.resolve()).toBeUndefined()
    await expect(ApiPromise.reject(new Error('no'))).rejects.toThrow('no')
  })

  it('resolve returns the promise of a call unchanged', async () => {
    const { client } = await clientFor(json(200, []))
    const call = client.relationships.list()
    expect(ApiPromise.resolve(call)).toBe(call)
    expect((await call.withResponse()).response.status).toBe(200)
  })

  it('all, allSettled, race and any accept calls, values and promises', async () => {
    const { client } = await clientFor(json(200, []), json(404, {}))
    const list = client.relationships.list()
    expect(await ApiPromise.all([list, 5, Promise.resolve(6)])).toEqual([[], 5, 6])
    expect(await ApiPromise.race([list, new Promise(() => {})])).toEqual([])
    expect(await ApiPromise.any([rejectedCall(), list])).toEqual([])
    const [good, bad] = await ApiPromise.allSettled([list, client.relationships.list()])
    expect(good).toEqual({ status: 'fulfilled', value: [] })
    expect(bad).toMatchObject({ status: 'rejected', reason: { name: 'NotFoundError' } })
  })

  it('all and any reject like those of Promise', async () => {
    const { client } = await clientFor(json(404, {}))
    await rejectionOf(ApiPromise.all([client.relationships.list(), 5]), isNotFoundError)
    await expect(ApiPromise.any([rejectedCall(), rejectedCall()])).rejects.toBeInstanceOf(AggregateError)
    expect(await ApiPromise.all([])).toEqual([])
  })

  it('take an executor in the constructor, as Promise.withResolvers does', async () => {
    let settle: (value: number) => void = () => {}
    const promise = new ApiPromise<number>((resolve) => {
      settle = resolve
    })
    settle(7)
    expect(await promise).toBe(7)
    await expect(
      new ApiPromise(() => {
        throw new Error('thrown by the executor')
      }),
    ).rejects.toThrow('thrown by the executor')
  })

  it('withResponse() of a promise that is not of a call throws an error that says so', async () => {
    const { message } = await rejectionOf(promiseOf(5).withResponse(), isRapportError)
    expect(message).toContain('not returned by a call')
    await expect(new ApiPromise((_, reject) => reject(new Error('no'))).withResponse()).rejects.toThrow('no')
  })
})

const promiseOf = (value: number) => new ApiPromise<number>((resolve) => resolve(value))
