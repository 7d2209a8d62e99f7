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

describe('21. the cause of a failed fetch', () => {
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
  ])('is kept as it is where it tells no secret: %s', async (_, reason) => {
    expect(await causeFor(reason)).toBe(reason)
  })

  it('keeps name, code and what is left of the message where it tells one', async () => {
    const reason = Object.assign(new RangeError(`no answer for ${TOKEN}!`), { code: 'ECONNRESET', sent: TOKEN })
    const cause = await causeFor(reason)
    expect(cause).toBeInstanceOf(Error)
    expect(cause).toMatchObject({ name: 'RangeError', message: 'no answer for [redacted]!', code: 'ECONNRESET' })
    expect(cause).not.toHaveProperty('sent')
    expect(cause).not.toHaveProperty('cause')
  })

  it('keeps no code that is not there or no text', async () => {
    expect(await causeFor(new Error(TOKEN))).not.toHaveProperty('code')
    expect(await causeFor(Object.assign(new Error(TOKEN), { code: 5 }))).not.toHaveProperty('code')
    expect(await causeFor(Object.assign(new Error('failed'), { code: TOKEN }))).toHaveProperty('code', '[redacted]')
  })

  it('masks the causes of causes, eight of them, and keeps what is harmless among them', async () => {
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

  it('is what is left of a text, and nothing of any other thing that is no error', async () => {
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
  ])('shows its message alone where it holds %s', async (_, more) => {
    const reason = Object.defineProperties(new Error('failed'), Object.getOwnPropertyDescriptors(more))
    const cause = await causeFor(reason)
    expect(cause).not.toBe(reason)
    expect(cause).toMatchObject({ name: 'Error', message: 'failed' })
  })

  it('looks through many parts', async () => {
    const reason = Object.assign(new Error('failed'), { parts: Array.from({ length: 400 }, () => ({})) })
    expect(await causeFor(reason)).toBe(reason)
  })
})
