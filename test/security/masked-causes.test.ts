import { Client, isConnectionError } from 'rapport-sdk'
import { describe, expect, it } from 'vitest'
import { rejectionOf } from '../transport/rejection'

const TOKEN = 'planted-token-1f0c'

/** The `cause` of a call whose `fetch` rejects with `reason`. */
async function causeFor(reason: unknown): Promise<unknown> {
  const client = new Client({
    baseUrl: 'https://service.example',
    token: TOKEN,
    retry: 0,
    fetch: () => Promise.reject(reason),
  })
  return (await rejectionOf(client.relationships.list(), isConnectionError)).cause
}

describe('the cause of a failed fetch', () => {
  const cyclic = Object.assign(new Error('failed'), { self: {} as unknown })
  cyclic.self = { cyclic }

  it.each<[string, unknown]>([
    ['an error', new TypeError('fetch failed')],
    ['a code', Object.assign(new Error('failed'), { code: 'ECONNRESET', errno: -104 })],
    ['a cause', new Error('failed', { cause: new Error('ECONNREFUSED') })],
    ['a list', Object.assign(new Error('failed'), { addresses: ['::1', '127.0.0.1'] })],
    ['a map', Object.assign(new Error('failed'), { timings: new Map([['dns', 5]]) })],
    ['a plain object', Object.assign(new Error('failed'), { details: { tries: 3, at: null } })],
    ['a symbol', Object.assign(new Error('failed'), { kind: Symbol('network') })],
    ['itself', cyclic],
    ['a text', 'fetch failed'],
    ['a number', 5],
  ])('a cause without a secret is kept unchanged: %s', async (_, reason) => {
    expect(await causeFor(reason)).toBe(reason)
  })

  it('a cause with a secret keeps its name, its code and the redacted message', async () => {
    const reason = Object.assign(new RangeError(`no answer for ${TOKEN}!`), { code: 'ECONNRESET', sent: TOKEN })
    const cause = await causeFor(reason)
    expect(cause).toBeInstanceOf(Error)
    expect(cause).toMatchObject({ name: 'RangeError', message: 'no answer for [redacted]!', code: 'ECONNRESET' })
    expect(cause).not.toHaveProperty('sent')
    expect(cause).not.toHaveProperty('cause')
  })

  it('a redacted cause has a code only if the original has a string as code', async () => {
    expect(await causeFor(new Error(TOKEN))).not.toHaveProperty('code')
    expect(await causeFor(Object.assign(new Error(TOKEN), { code: 5 }))).not.toHaveProperty('code')
    expect(await causeFor(Object.assign(new Error('failed'), { code: TOKEN }))).toHaveProperty('code', '[redacted]')
  })

  it('nested causes are redacted down to eight levels, and harmless ones are kept', async () => {
    const harmless = new Error('ECONNREFUSED')
    const shallow = await causeFor(new Error(TOKEN, { cause: harmless }))
    expect(shallow).toHaveProperty('cause', harmless)

    let deep: Error = new Error(TOKEN)
    for (let depth = 0; depth < 20; depth++) deep = new Error(`${depth}`, { cause: deep })
    const messages: string[] = []
    for (let at = (await causeFor(deep)) as Error | undefined; at !== undefined; at = at.cause as Error | undefined)
      messages.push(at.message)
    expect(messages).toEqual(['19', '18', '17', '16', '15', '14', '13', '12', '11'])
  })

  it('a thrown string is redacted, and any other thrown value that is not an error is dropped', async () => {
    expect(await causeFor(`sent ${TOKEN}`)).toBe('sent [redacted]')
    expect(await causeFor({ sent: TOKEN })).toBe('[redacted]')
    expect(await causeFor([TOKEN])).toBe('[redacted]')
  })

  it.each<[string, object]>([
    ['a function', { retry: () => {} }],
    ['an accessor', Object.defineProperty({}, 'sent', { enumerable: true, get: () => 'x' })],
    ['its own JSON', { toJSON: () => TOKEN }],
    ['an object of a class', { request: new URL('https://service.example') }],
    ['more than can be looked through', { parts: Array.from({ length: 501 }, () => ({})) }],
  ])('a cause is reduced to its message if it holds %s', async (_, more) => {
    const reason = Object.defineProperties(new Error('failed'), Object.getOwnPropertyDescriptors(more))
    const cause = await causeFor(reason)
    expect(cause).not.toBe(reason)
    expect(cause).toMatchObject({ name: 'Error', message: 'failed' })
  })

  it('a secret is found in a cause with many parts', async () => {
    const reason = Object.assign(new Error('failed'), { parts: Array.from({ length: 400 }, () => ({})) })
    expect(await causeFor(reason)).toBe(reason)
  })
})
