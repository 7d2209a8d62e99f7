import { inspect } from 'node:util'
import { Client, isRapportError, type Logger, type TokenStore } from 'rapport-sdk'
import { describe, expect, it, vi } from 'vitest'
import { json, serve } from '../servers/http-server'
import { rejectionOf } from '../transport/rejection'

const baseUrl = 'https://service.example'
const TOKEN = 'token-of-ada-0123456789'
const NOT_SHOWN = 'its message is not shown, since it may quote the token'

/** Everything that an app might log of an error. */
function shown(error: Error): string {
  const causes: unknown[] = []
  for (let cause = error.cause; cause instanceof Error; cause = cause.cause) causes.push(cause, cause.stack)
  return [inspect(error, { depth: 9, showHidden: true }), JSON.stringify(error), error.message, error.stack, ...causes]
    .map(String)
    .join('\n')
}

/** A class of errors whose message only a getter shows, as that of a DOMException. */
function messageGetter(text: string) {
  return class extends Error {
    override get message() {
      return text
    }
  }
}

/** A value that throws an error of this text, whatever is asked of it. */
function throwingProxy(text: string): object {
  const fail = () => {
    throw new Error(text)
  }
  return new Proxy({}, { get: fail, has: fail, ownKeys: fail, getPrototypeOf: fail, getOwnPropertyDescriptor: fail })
}

/** Ways in which a store may quote what it holds. */
const QUOTES: [string, (token: string) => unknown][] = [
  ['in the message', (token) => new Error(`quota exceeded for ${token}`)],
  ['in a cause', (token) => new Error('failed', { cause: new Error(token) })],
  ['in a property', (token) => Object.assign(new Error('failed'), { value: { token } })],
  ['in the name', (token) => Object.assign(new Error('failed'), { name: token })],
  ['in the code', (token) => Object.assign(new Error('failed'), { code: token })],
  ['as a string', (token) => token],
  ['as an object', (token) => ({ token })],
  ['in a message of its class', (token) => new (messageGetter(token))()],
  ['as what a proxy throws', (token) => throwingProxy(token)],
  ['as a parser does', (token) => new SyntaxError(`Unexpected token, "${token.slice(0, 12)}"... is not valid JSON`)],
]

describe('an error of a token store', () => {
  it.each(QUOTES)('an error of `get` that quotes an unknown token %s does not show it', async (_, quote) => {
    const get = () => Promise.reject(quote(TOKEN))
    const client = new Client({ baseUrl, tokenStore: { get, set: () => {} } })

    const error = await rejectionOf(client.relationships.list(), isRapportError)

    expect(shown(error)).not.toContain(TOKEN.slice(0, 12))
    expect(error.cause).toMatchObject({ message: NOT_SHOWN })
  })

  it.each(QUOTES)('an error of `set` that quotes the token %s does not show it after a sign-in', async (_, quote) => {
    const server = await serve(json(200, { token: TOKEN, user_id: '100' }))
    const set = (token: string | null) => Promise.reject(quote(String(token)))
    const client = new Client({ baseUrl: server.url, tokenStore: { get: () => null, set } })

    const error = await rejectionOf(client.auth.oneTimeLogin({ ticket: 'mailed' }), isRapportError)

    expect(error.message).toBe('The token is in use, but the token store failed to keep it.')
    expect(shown(error)).not.toContain(TOKEN.slice(0, 12))
    expect(client.session.token).toBe(TOKEN)
  })

  it.each(QUOTES)(
    'an error of `set` that quotes the old token %s does not show it after a sign-out',
    async (_, quote) => {
      const set = () => Promise.reject(quote(TOKEN))
      const client = new Client({ baseUrl, tokenStore: { get: () => TOKEN, set } })
      await client.ready

      const error = await rejectionOf(client.session.setToken(null), isRapportError)

      expect(error.message).toBe('The session is signed out, but the token store failed to forget its token.')
      expect(shown(error)).not.toContain(TOKEN.slice(0, 12))
      expect(client.session.token).toBeNull()
    },
  )

  it.each(QUOTES)('an error of `subscribe` that quotes the token %s does not show it', (_, quote) => {
    const subscribe: TokenStore['subscribe'] = () => {
      throw quote(TOKEN)
    }
    let error: unknown
    try {
      new Client({ baseUrl, tokenStore: { get: () => TOKEN, set: () => {}, subscribe } })
    } catch (thrown) {
      error = thrown
    }

    if (!isRapportError(error)) throw new Error('the constructor threw no RapportError')
    expect(error.message).toBe('The token store failed to subscribe to changes.')
    expect(shown(error)).not.toContain(TOKEN.slice(0, 12))
  })

  it('an error of a token store keeps a message without a token, its name and its code', async () => {
    const cause = Object.assign(new RangeError('the disk is full'), { code: 'ENOSPC' })
    const client = new Client({ baseUrl, tokenStore: { get: () => null, set: () => Promise.reject(cause) } })
    await client.ready

    expect((await rejectionOf(client.session.setToken(TOKEN), isRapportError)).cause).toBe(cause)
  })

  it('an error of a token store keeps the rest of a message that quotes the token', async () => {
    const set = (token: string | null) => Promise.reject(new Error(`quota exceeded for ${token}`))
    const client = new Client({ baseUrl, tokenStore: { get: () => null, set } })
    await client.ready

    const { cause } = await rejectionOf(client.session.setToken(TOKEN), isRapportError)

    expect(cause).toMatchObject({ message: expect.stringMatching(/^quota exceeded for (?!token)/) })
  })

  it('an error of `get` keeps its name and code', async () => {
    const cause = Object.assign(new TypeError('cannot decrypt'), { code: 'EACCES' })
    const client = new Client({ baseUrl, tokenStore: { get: () => Promise.reject(cause), set: () => {} } })

    const error = await rejectionOf(client.ready, isRapportError)

    expect(error.cause).toMatchObject({ name: 'TypeError', code: 'EACCES', message: NOT_SHOWN })
  })

  it('an error of `set` shows no message while the content of the store is unknown', async () => {
    const get = () => new Promise<string>(() => {})
    const set = () => Promise.reject(new Error(`the file says ${TOKEN}`))
    const client = new Client({ baseUrl, tokenStore: { get, set } })

    const error = await rejectionOf(client.session.setToken(null), isRapportError)

    expect(shown(error)).not.toContain(TOKEN)
  })

  it('a token store that throws on unsubscribe does not prevent dispose()', () => {
    const error = vi.fn<NonNullable<Logger['error']>>()
    const subscribe = () => () => {
      throw new Error(TOKEN)
    }
    const tokenStore: TokenStore = { get: () => null, set: () => {}, subscribe }
    const client = new Client({ baseUrl, tokenStore, logger: { error } })

    client.dispose()

    expect(inspect(error.mock.calls)).not.toContain(TOKEN)
  })
})
