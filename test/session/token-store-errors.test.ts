import { inspect } from 'node:util'
import { Client, isRapportError, type Logger, type TokenStore } from 'rapport-sdk'
import { createMockService } from 'rapport-sdk/mocks'
import { memoryTokenStore } from 'rapport-sdk/storage'
import { describe, expect, it, vi } from 'vitest'
import { deferred } from '../deferred'
import { json, serve } from '../servers/http-server'
import { type TokenOnlyStore, tokenOnly } from '../session-stores'
import { rejectionOf } from '../transport/rejection'

const baseUrl = 'https://service.example'
const TOKEN = 'token-of-ada-0123456789'
const NOT_SHOWN = 'its message is not shown: it may quote the token'

/** Returns everything that an app might log of an error. */
function render(error: Error): string {
  const causes: unknown[] = []
  for (let cause = error.cause; cause instanceof Error; cause = cause.cause) causes.push(cause, cause.stack)
  return [inspect(error, { depth: 9, showHidden: true }), JSON.stringify(error), error.message, error.stack, ...causes]
    .map(String)
    .join('\n')
}

/** Returns an error class whose message is a getter, as that of a DOMException. */
function errorWithMessageGetter(text: string) {
  return class extends Error {
    override get message() {
      return text
    }
  }
}

/** Returns a proxy that throws an error with this message on every operation. */
function throwingProxy(text: string): object {
  const fail = () => {
    throw new Error(text)
  }
  return new Proxy({}, { get: fail, has: fail, ownKeys: fail, getPrototypeOf: fail, getOwnPropertyDescriptor: fail })
}

/** Errors of a store that quote its token. */
const QUOTES: [string, (token: string) => unknown][] = [
  ['in the message', (token) => new Error(`quota exceeded for ${token}`)],
  ['in a cause', (token) => new Error('failed', { cause: new Error(token) })],
  ['in a property', (token) => Object.assign(new Error('failed'), { value: { token } })],
  ['in the name', (token) => Object.assign(new Error('failed'), { name: token })],
  ['in the code', (token) => Object.assign(new Error('failed'), { code: token })],
  ['as a string', (token) => token],
  ['as an object', (token) => ({ token })],
  ['in a message getter', (token) => new (errorWithMessageGetter(token))()],
  ['in errors of a proxy', (token) => throwingProxy(token)],
  [
    'as a JSON parser does',
    (token) => new SyntaxError(`Unexpected token, "${token.slice(0, 12)}"... is not valid JSON`),
  ],
]

describe('an error of a token store', () => {
  it.each(QUOTES)('does not show an unknown token that `get` quotes %s', async (_, quote) => {
    const get = () => Promise.reject(quote(TOKEN))
    const client = new Client({ baseUrl, tokenStore: tokenOnly({ get, set: () => {} }) })

    const error = await rejectionOf(client.relationships.list(), isRapportError)

    expect(render(error)).not.toContain(TOKEN.slice(0, 12))
    expect(error.cause).toMatchObject({ message: NOT_SHOWN })
  })

  it.each(QUOTES)('does not show the token that `set` quotes %s after a sign-in', async (_, quote) => {
    const server = await serve(json(200, { token: TOKEN, user_id: '100' }))
    const set = (token: string | null) => Promise.reject(quote(String(token)))
    const client = new Client({ baseUrl: server.url, tokenStore: tokenOnly({ get: () => null, set }) })

    const error = await rejectionOf(client.auth.oneTimeLogin({ ticket: 'mailed' }), isRapportError)

    expect(error.message).toBe('The token is in use, but the token store failed to save it.')
    expect(render(error)).not.toContain(TOKEN.slice(0, 12))
    expect(client.session.token).toBe(TOKEN)
  })

  it.each(QUOTES)('does not show the old token that `set` quotes %s after a sign-out', async (_, quote) => {
    const set = () => Promise.reject(quote(TOKEN))
    const client = new Client({ baseUrl, tokenStore: tokenOnly({ get: () => TOKEN, set }) })
    await client.ready

    const error = await rejectionOf(client.session.setToken(null), isRapportError)

    expect(error.message).toBe('The session is signed out, but the token store failed to remove its token.')
    expect(render(error)).not.toContain(TOKEN.slice(0, 12))
    expect(client.session.token).toBeNull()
  })

  it.each(QUOTES)('does not show the token that `subscribe` quotes %s', (_, quote) => {
    const subscribe: TokenOnlyStore['subscribe'] = () => {
      throw quote(TOKEN)
    }
    let error: unknown
    try {
      new Client({ baseUrl, tokenStore: tokenOnly({ get: () => TOKEN, set: () => {}, subscribe }) })
    } catch (thrown) {
      error = thrown
    }

    if (!isRapportError(error)) throw new Error('the constructor threw no RapportError')
    expect(error.message).toBe('The token store failed to subscribe to changes.')
    expect(render(error)).not.toContain(TOKEN.slice(0, 12))
  })

  it('keeps its message, name and code if `set` quotes no token', async () => {
    const cause = Object.assign(new RangeError('the disk is full'), { code: 'ENOSPC' })
    const client = new Client({ baseUrl, tokenStore: { get: () => null, set: () => Promise.reject(cause) } })
    await client.ready

    expect((await rejectionOf(client.session.setToken(TOKEN), isRapportError)).cause).toBe(cause)
  })

  it('keeps the rest of its message if `set` quotes the token', async () => {
    const set = (token: string | null) => Promise.reject(new Error(`quota exceeded for ${token}`))
    const client = new Client({ baseUrl, tokenStore: tokenOnly({ get: () => null, set }) })
    await client.ready

    const { cause } = await rejectionOf(client.session.setToken(TOKEN), isRapportError)

    expect(cause).toMatchObject({ message: expect.stringMatching(/^quota exceeded for (?!token)/) })
  })

  it('keeps its name and code if it is of `get`', async () => {
    const cause = Object.assign(new TypeError('cannot decrypt'), { code: 'EACCES' })
    const client = new Client({ baseUrl, tokenStore: tokenOnly({ get: () => Promise.reject(cause) }) })

    const error = await rejectionOf(client.ready, isRapportError)

    expect(error.cause).toMatchObject({ name: 'TypeError', code: 'EACCES', message: NOT_SHOWN })
  })

  it.each<[string, object]>([
    ['a name that is no name of an error', { name: 'planted' }],
    ['a name that is an object', { name: { toString: () => 'PlantedError' } }],
    ['a code in lower case', { code: 'planted' }],
    ['a code with text before it', { code: 'planted: ENOENT' }],
    ['a code with text after it', { code: 'ENOENT: planted' }],
    ['a code that is an object', { code: { toString: () => 'EPLANTED' } }],
  ])('shows neither %s nor its message if it is of `get`', async (_, fields) => {
    const cause = Object.assign(new Error('planted'), fields)
    const client = new Client({ baseUrl, tokenStore: tokenOnly({ get: () => Promise.reject(cause) }) })

    const error = await rejectionOf(client.ready, isRapportError)

    expect(error.cause).toMatchObject({ name: 'Error', message: NOT_SHOWN })
    expect(error.cause).not.toHaveProperty('code')
  })

  it('shows no message if it is of `set` while the content of the store is unknown', async () => {
    const get = () => new Promise<string>(() => {})
    const set = () => Promise.reject(Object.assign(new RangeError(`the file says ${TOKEN}`), { code: 'EIO' }))
    const client = new Client({ baseUrl, tokenStore: tokenOnly({ get, set }) })

    const error = await rejectionOf(client.session.setToken(null), isRapportError)

    expect(render(error)).not.toContain(TOKEN)
    expect(error.cause).toMatchObject({ name: 'RangeError', code: 'EIO', message: NOT_SHOWN })
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
const fail = () => Promise.reject(new Error('storage is broken'))
const RECOVERY = 'To continue without it, call `session.setToken` with a token or null.'

describe('a token store that fails', () => {
  it('does not fail waiting calls if a token has been set meanwhile', async () => {
    const loading = deferred<string | null>()
    const client = new Client({ baseUrl, tokenStore: tokenOnly({ get: () => loading.promise }) })
    const { ready } = client

    await client.session.setToken('set later')
    loading.reject(new Error('storage is broken'))

    await ready
    expect(client.session.token).toBe('set later')
  })

  it.each<[string, TokenOnlyStore['get'], string]>([
    ['cannot load', fail, `The token store failed to load the token. ${RECOVERY}`],
    ['holds no valid token', () => 'a\nb', `The value in the token store is not a valid token. ${RECOVERY}`],
  ])('has an error that says what to do if it %s', async (_, get, message) => {
    const client = new Client({ baseUrl, tokenStore: tokenOnly({ get, set: () => {} }) })
    expect((await rejectionOf(client.ready, isRapportError)).message).toBe(message)
  })

  it('throws an error that says the token is in use if it cannot keep it', async () => {
    const client = new Client({ baseUrl, tokenStore: { get: () => null, set: fail } })
    expect((await rejectionOf(client.session.setToken('new'), isRapportError)).message).toBe(
      'The token is in use, but the token store failed to save it.',
    )
  })

  it('fails all calls until a token is set if it cannot load one', async () => {
    const server = await serve(json(200, []))
    const get = () => Promise.reject(new TypeError('storage is broken'))
    const client = new Client({ baseUrl: server.url, tokenStore: tokenOnly({ get, set: () => {} }) })

    const { cause } = await rejectionOf(client.relationships.list(), isRapportError)
    expect(cause).toMatchObject({
      name: 'TypeError',
      message: NOT_SHOWN,
    })
    await rejectionOf(client.ready, isRapportError)
    await rejectionOf(client.relationships.list(), isRapportError)
    expect(server.requests).toHaveLength(0)

    await client.session.setToken('set later')
    await client.relationships.list()
    expect(server.request().headers.authorization).toBe('set later')
  })

  it('leads to a typed error without the value, as does one that holds an invalid token', async () => {
    const throwing: TokenStore = {
      get: () => {
        throw new Error('denied')
      },
      set: () => {},
    }
    const failing = new Client({ baseUrl, tokenStore: throwing })
    const garbage = new Client({ baseUrl, tokenStore: tokenOnly({ get: () => 'tok\r\nen' }) })
    const nothing = { get: () => undefined as unknown as null, set: () => {} }

    await rejectionOf(failing.ready, isRapportError)
    expect((await rejectionOf(garbage.ready, isRapportError)).message).not.toContain('tok\r')
    await new Client({ baseUrl, tokenStore: nothing }).ready
  })

  it('setToken() rejects if the token store fails to keep the token, which is in use', async () => {
    const cause = new Error('quota')
    const client = new Client({ baseUrl, tokenStore: { get: () => null, set: () => Promise.reject(cause) } })
    await client.ready

    const error = await rejectionOf(client.session.setToken('new'), isRapportError)

    expect(error.cause).toBe(cause)
    expect(error.message).not.toContain('new')
    expect(client.session.token).toBe('new')
  })

  it.each(['', 'a\nb', 5])(
    'the stored token %j throws an error that names the store and says how to recover',
    async (stored) => {
      const service = createMockService()
      const tokenStore = tokenOnly({ get: () => stored as string })
      const client = new Client({ baseUrl: service.baseUrl, fetch: service.fetch, tokenStore })
      const password = { password: 'correct horse' }
      await expect(client.auth.validatePassword(password)).rejects.toThrow(
        /token store is not a valid token.*session\.setToken/,
      )
      await client.session.setToken(null)
      await expect(client.auth.validatePassword(password)).resolves.toMatchObject({ valid: true })
    },
  )
})

it('memoryTokenStore() starts empty and keeps a token for the next client', async () => {
  const tokenStore = memoryTokenStore()
  expect(tokenStore.get()).toBeNull()
  await new Client({ baseUrl, tokenStore }).session.setToken('ada')

  const next = new Client({ baseUrl, tokenStore })
  await next.ready

  expect(next.session.token).toBe('ada')
})
