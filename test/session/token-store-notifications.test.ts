import { setImmediate as turn } from 'node:timers/promises'
import { Client, isRapportError, type MfaHandler } from 'rapport-sdk'
import { describe, expect, it, vi } from 'vitest'
import { deferred } from '../deferred'
import { CODE, serveStepUp } from '../servers/step-up-service'
import { type TokenOnlyStore, tokenOnly } from '../session-stores'
import { pass, stopClock } from '../stopped-clock'
import { rejectionOf } from '../transport/rejection'

const baseUrl = 'https://service.example'
const INVALID_TOKEN = {
  code: 'invalid_token',
  message: 'The value in the token store is not a valid token.',
}

/** Returns a store with this `get`, and a function that emits a token to its subscribers. */
function storeWith(get: TokenOnlyStore['get']) {
  const listeners: ((token: string | null) => void)[] = []
  const subscribe: TokenOnlyStore['subscribe'] = (listener) => {
    listeners.push(listener)
    return () => {}
  }
  const emit = (token: string | null) => {
    for (const listener of listeners) listener(token)
  }
  return { tokenStore: tokenOnly({ get, subscribe }), emit }
}

const fail = () => Promise.reject(new Error('storage is broken'))

describe('a notification of a token store', () => {
  it('wins over the token that the store is still loading', async () => {
    const loading = deferred<string | null>()
    const { tokenStore, emit } = storeWith(() => loading.promise)
    const client = new Client({ baseUrl, tokenStore })

    emit('new')
    loading.resolve('old')
    await turn()

    expect(client.session.token).toBe('new')
  })

  it('an emitted null recovers a failed load', async () => {
    const { tokenStore, emit } = storeWith(fail)
    const client = new Client({ baseUrl, tokenStore })
    await rejectionOf(client.ready, isRapportError)

    emit(null)

    await client.ready
  })

  it('an invalid emitted token does not recover a failed load and is reported', async () => {
    const { tokenStore, emit } = storeWith(fail)
    const warn = vi.fn<(message: string, details?: unknown) => void>()
    const client = new Client({ baseUrl, tokenStore, logger: { warn } })
    await rejectionOf(client.ready, isRapportError)

    emit('a\nb')

    expect(client.session.token).toBeNull()
    await rejectionOf(client.ready, isRapportError)
    expect(warn.mock.calls).toEqual([[expect.stringMatching(/^rapport: warning code=\w+ message="/), INVALID_TOKEN]])
  })

  it.each([['a\nb'], [''], [5]])('keeps the token of the session if it is %j, and the client warns', async (value) => {
    const { tokenStore, emit } = storeWith(() => 'old')
    const client = new Client({ baseUrl, tokenStore })
    const warn = vi.fn()
    client.on('warning', warn)
    await client.ready

    emit(value as string)
    await turn()

    expect(client.session.token).toBe('old')
    expect(warn.mock.calls).toEqual([[INVALID_TOKEN]])
    emit('new')
    expect(client.session.token).toBe('new')
  })

  it('an emitted `undefined` signs out, as it does if `get` returns it', async () => {
    const { tokenStore, emit } = storeWith(() => 'old')
    const error = vi.fn<(message: string, details?: unknown) => void>()
    const client = new Client({ baseUrl, tokenStore, logger: { error } })
    await client.ready
    emit('new')

    emit(undefined as unknown as null)

    expect(client.session.token).toBeNull()
    expect(error).not.toHaveBeenCalled()
  })

  it('keeps the verification if it has the token that the client already has', async () => {
    const service = await serveStepUp()
    const { tokenStore, emit } = storeWith(() => 'ada')
    const onMfaRequired = vi.fn<MfaHandler>(() => ({ type: 'totp', code: CODE }))
    const client = new Client({ baseUrl: service.url, tokenStore, onMfaRequired })
    await client.relationships.list()

    emit('ada')
    await client.relationships.list()

    expect(onMfaRequired).toHaveBeenCalledTimes(1)
  })

  it('takes effect at once, without another read of the store', async () => {
    const get = vi.fn(() => 'old')
    const { tokenStore, emit } = storeWith(get)
    const client = new Client({ baseUrl, tokenStore })
    await client.ready

    emit('new')

    expect(client.session.token).toBe('new')
    expect(get).toHaveBeenCalledTimes(1)
  })

  it('a store without notifications is not read if the client has a token', async () => {
    const get = vi.fn(() => 'old')
    const client = new Client({ baseUrl, token: 'ada', tokenStore: tokenOnly({ get, set: () => {} }) })
    await client.ready
    await turn()

    expect(client.session.token).toBe('ada')
    expect(get).not.toHaveBeenCalled()
  })

  it('a token that is set while the store loads is not overwritten by the stored one', async () => {
    const loading = deferred<string | null>()
    const client = new Client({ baseUrl, tokenStore: tokenOnly({ get: () => loading.promise, set: () => {} }) })

    await client.session.setToken('new')
    loading.resolve('old')
    await client.ready

    expect(client.session.token).toBe('new')
  })

  it('a sign-out in another tab while the store loads is not undone', async () => {
    const loading = deferred<string | null>()
    const get = vi.fn<TokenOnlyStore['get']>(() => loading.promise)
    const { tokenStore, emit } = storeWith(get)
    const client = new Client({ baseUrl, tokenStore })

    emit(null)
    await client.ready
    loading.resolve('removed in another tab')
    await turn()

    expect(client.session.token).toBeNull()
    expect(get).toHaveBeenCalledOnce()
  })
})

/** Returns a store that emits its value to each new subscriber, at once or later, as an RxJS BehaviorSubject does. */
function subjectStore(initial: string | null, delay?: number) {
  let current = initial
  const listeners = new Set<(token: string | null) => void>()
  const emit = (token: string | null) => {
    current = token
    for (const listener of listeners) listener(token)
  }
  const tokenStore = tokenOnly({
    get: async () => {
      await new Promise((resolve) => setTimeout(resolve, 5))
      return current
    },
    set: emit,
    subscribe: (listener) => {
      listeners.add(listener)
      if (delay === undefined) listener(current)
      else setTimeout(() => listener(initial), delay)
      return () => listeners.delete(listener)
    },
  })
  return { tokenStore, emit }
}

describe('a token store that emits its value to each new subscriber', () => {
  it.each<[string, number | undefined]>([
    ['at once', undefined],
    ['while it is loaded', 2],
    ['after it was loaded', 20],
  ])('changes nothing if it emits the stored token %s', async (_, delay) => {
    stopClock()
    const { tokenStore } = subjectStore('stored', delay)
    const client = new Client({ baseUrl, tokenStore })
    const changes: string[] = []
    client.session.onChange(({ type }) => changes.push(type))
    await pass(40)
    await client.ready

    expect(client.session.token).toBe('stored')
    expect(changes).toEqual(delay === undefined ? [] : ['signedIn'])
  })

  it.each<[string, string | null, number | undefined]>([
    ['another token at once', 'old', undefined],
    ['another token later', 'old', 20],
    ['null at once', null, undefined],
    ['null later', null, 20],
  ])('does not replace the token option if it emits %s', async (_, initial, delay) => {
    stopClock()
    const { tokenStore, emit } = subjectStore(initial, delay)
    const client = new Client({ baseUrl, token: 'option', tokenStore })
    await pass(40)

    expect(client.session.token).toBe('option')
    emit('other tab')
    expect(client.session.token).toBe('other tab')
    emit(null)
    expect(client.session.token).toBeNull()
  })

  it('does not restore an older token that it emits during a newer write', async () => {
    const writes: (() => void)[] = []
    const { tokenStore, emit } = storeWith(() => null)
    const set = () => new Promise<void>((resolve) => writes.push(resolve))
    const client = new Client({ baseUrl, tokenStore: { ...tokenStore, set } })
    await client.ready
    const signIn = client.session.setToken('ada')
    const signOut = client.session.setToken(null)

    emit('ada')
    expect(client.session.token).toBeNull()
    await vi.waitFor(() => expect(writes).toHaveLength(1))
    writes[0]?.()
    await signIn
    await vi.waitFor(() => expect(writes).toHaveLength(2))
    writes[1]?.()
    await signOut

    expect(client.session.token).toBeNull()
  })
})
