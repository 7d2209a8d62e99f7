import { inspect } from 'node:util'
import { Client, type ClientOptions, isMfaRequiredError, type MfaHandler, type VerificationStore } from 'rapport-sdk'
import { expect, it, onTestFinished, vi } from 'vitest'
import { deferred } from '../deferred'
import { json } from '../servers/http-server'
import { CODE, MFA_HEADER, serveStepUp } from '../servers/step-up-service'
import { storeInMemory } from '../session-stores'
import { rejectionOf } from '../transport/rejection'

const keys = [{ id: 'k1', key: crypto.getRandomValues(new Uint8Array(32)) }]

/** A service, a store, and a function that creates the client of a process. */
async function setUp(store: VerificationStore = storeInMemory()) {
  const service = await serveStepUp()
  const handler = vi.fn<MfaHandler>(() => ({ type: 'totp', code: CODE }))
  const warnings: object[] = []
  const createProcess = (token: string, options: Partial<ClientOptions> = {}) => {
    const client = new Client({ baseUrl: service.url, token, verifications: store, onMfaRequired: handler, ...options })
    client.on('warning', (warning) => warnings.push(warning))
    return client
  }
  return { service, handler, warnings, createProcess }
}

it('a user who has verified in one process is not asked in another', async () => {
  const store = storeInMemory()
  const { service, handler, warnings, createProcess } = await setUp(store)

  await createProcess('ada').relationships.list()
  await createProcess('ada').relationships.list()

  expect(handler).toHaveBeenCalledTimes(1)
  expect(warnings).toEqual([])
  expect(service.calls().map(({ headers }) => headers[MFA_HEADER])).toEqual([
    ...[undefined, 'jwt-of-ada-1', undefined, 'jwt-of-ada-1'],
  ])
  expect(store.calls).toEqual(['get', 'set', 'get'])
})

it('a verification is read once after a 60003 and never before a call, also for concurrent calls', async () => {
  const store = storeInMemory()
  const { createProcess } = await setUp(store)
  await createProcess('ada').relationships.list()
  const other = createProcess('ada')
  store.calls.length = 0

  await Promise.all(Array.from({ length: 10 }, () => other.relationships.list()))
  for (let call = 0; call < 3; call++) await other.relationships.list()

  expect(store.calls).toEqual(['get'])
})

it('a call without a handler uses the verification of another process', async () => {
  const { createProcess } = await setUp()
  await createProcess('ada').relationships.list()

  expect(await createProcess('ada', { onMfaRequired: undefined }).relationships.list()).toEqual([])
})

it('a challenge that one process has saved and another has verified lets a third one pass', async () => {
  const { createProcess } = await setUp()
  const [one, two, three] = [0, 1, 2].map(() => createProcess('ada', { onMfaRequired: undefined }))
  const error = await rejectionOf(Promise.resolve(one?.relationships.list()), isMfaRequiredError)
  const saved = (await error.challenge?.save({ keys })) ?? ''

  await (await two?.resumeChallenge(saved, { keys }))?.verify({ type: 'totp', code: CODE })

  expect(await three?.relationships.list()).toEqual([])
})

it('a verification of `mfa.finish` is shared too', async () => {
  const { createProcess } = await setUp()
  await createProcess('ada').mfa.finish({ ticket: 'ticket-1', mfa_type: 'totp', data: CODE })

  expect(await createProcess('ada', { onMfaRequired: undefined }).relationships.list()).toEqual([])
})

it('a verification never goes with another token, not even if the store mixes up its keys', async () => {
  const store = storeInMemory()
  const mixed = { ...store, get: () => [...store.values.values()][0]?.value }
  const { service, createProcess } = await setUp(mixed)
  await createProcess('ada').relationships.list()

  for (const other of [
    createProcess('grace'),
    createProcess('ada').as('grace'),
    createProcess('ada', { baseUrl: `${service.url}/v2` }),
  ])
    await rejectionOf(other.relationships.list({ onMfaRequired: false }), isMfaRequiredError)

  const sent = service.calls().filter(({ headers }) => headers[MFA_HEADER] !== undefined)
  expect(sent.map(({ headers }) => headers.authorization)).toEqual(['ada'])
})

it.each<[string, (client: Client) => Promise<unknown>]>([
  ['logout()', (client) => client.auth.logout()],
  ['setToken() with another token', (client) => client.session.setToken('other')],
  ['setToken() with the same token', (client) => client.session.setToken('ada')],
  ['setToken(null)', (client) => client.session.setToken(null)],
  ['revertAccount()', (client) => client.auth.revertAccount({ token: 'mailed', password: 'new password' })],
  ['logout() with a token of its own', (client) => client.as('grace').auth.logout({}, { token: 'ada' })],
])('%s deletes it before it resolves, and the next process asks', async (name, change) => {
  const store = storeInMemory()
  const { service, handler, createProcess } = await setUp(store)
  const client = createProcess('ada')
  await client.relationships.list()
  expect(store.values.size).toBe(1)
  if (!name.startsWith('setToken')) service.server.respondWith(json(200, { email: 'ada@example.test' }))

  await change(client)

  expect(store.values.size).toBe(0)
  await createProcess('ada').relationships.list()
  expect(handler).toHaveBeenCalledTimes(2)
})

it('a sign-out that overtakes a slow write leaves nothing in the store', async () => {
  const store = storeInMemory()
  const [writing, release] = [deferred<undefined>(), deferred<undefined>()]
  const slow: VerificationStore = {
    ...store,
    async set(key, value, ttlMs) {
      writing.resolve(undefined)
      await release.promise
      await store.set(key, value, ttlMs)
    },
  }
  const { createProcess } = await setUp(slow)
  const client = createProcess('ada')
  const call = client.relationships.list()
  await writing.promise

  const ended = Promise.allSettled([call, client.session.setToken(null)])
  // As long as it takes to hash the token, and longer.
  for (let time = 0; time < 10; time++) await crypto.subtle.digest('SHA-256', new Uint8Array(1))
  release.resolve(undefined)
  await ended

  expect(store.values.size).toBe(0)
})

it('a verification that comes from the store after a sign-out is not sent', async () => {
  const store = storeInMemory()
  const { service, createProcess } = await setUp(store)
  await createProcess('ada').relationships.list()
  const [reading, release] = [deferred<undefined>(), deferred<undefined>()]
  const slow: VerificationStore = {
    ...store,
    async get(key) {
      const value = await store.get(key)
      reading.resolve(undefined)
      await release.promise
      return value
    },
  }
  const client = createProcess('ada', { verifications: slow })
  const call = client.relationships.list()
  await reading.promise
  const signOut = client.session.setToken(null)
  release.resolve(undefined)
  await Promise.allSettled([call, signOut])

  expect(service.calls().map(({ headers }) => headers[MFA_HEADER])).toEqual([undefined, 'jwt-of-ada-1', undefined])
})

it('a verification that the service has just rejected is not sent again, although the store still has it', async () => {
  const { service, createProcess } = await setUp()
  const client = createProcess('ada')
  await client.relationships.list()
  service.revokeJwts()
  await client.relationships.list()

  expect(service.calls().map(({ headers }) => headers[MFA_HEADER])).toEqual([
    ...[undefined, 'jwt-of-ada-1', 'jwt-of-ada-1', 'jwt-of-ada-2'],
  ])
})

it('a verification that the service no longer accepts leads to one prompt, and is replaced for all', async () => {
  const { service, handler, createProcess } = await setUp()
  await createProcess('ada').relationships.list()
  service.revokeJwts()

  await createProcess('ada').relationships.list()
  await createProcess('ada').relationships.list()

  expect(handler).toHaveBeenCalledTimes(2)
})

/** Changes the stored verifications, which the store then never deletes. */
function keepWith(store: ReturnType<typeof storeInMemory>, changes: object): void {
  for (const [key, { value }] of store.values) {
    const content: object = JSON.parse(value)
    store.values.set(key, { value: JSON.stringify({ ...content, ...changes }), expiresAt: Infinity })
  }
}

it('a verification is not used after five minutes less a margin, whoever reads it', async () => {
  const store = storeInMemory()
  const { handler, createProcess } = await setUp(store)
  await createProcess('ada').relationships.list()
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 291_000 })
  onTestFinished(() => void vi.useRealTimers())
  // Also if the store does not delete it.
  keepWith(store, {})

  await createProcess('ada').relationships.list()

  expect(handler).toHaveBeenCalledTimes(2)
})

it('a verification without an end is not used', async () => {
  const store = storeInMemory()
  const { handler, createProcess } = await setUp(store)
  await createProcess('ada').relationships.list()
  keepWith(store, { expiresAt: undefined })
  await createProcess('ada').relationships.list()

  expect(handler).toHaveBeenCalledTimes(2)
})

it('a verification of a process whose clock is an hour ahead is not used any longer either', async () => {
  const store = storeInMemory()
  const { service, createProcess } = await setUp(store)
  await createProcess('ada').relationships.list()
  keepWith(store, { expiresAt: Date.now() + 3_600_000 })
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const client = createProcess('ada')
  await client.relationships.list()
  vi.advanceTimersByTime(291_000)
  await client.relationships.list()

  const [, , first, adopted, late] = service.calls().map(({ headers }) => headers[MFA_HEADER])
  expect([first, adopted, late]).toEqual([undefined, 'jwt-of-ada-1', undefined])
})

it('a verification that waits for a slow store is not used any longer by another process', async () => {
  const store = storeInMemory()
  const [reading, release, elevated] = [deferred<undefined>(), deferred<undefined>(), deferred<undefined>()]
  const slow: VerificationStore = {
    ...store,
    async get() {
      reading.resolve(undefined)
      await release.promise
      return undefined
    },
  }
  const { createProcess } = await setUp(slow)
  vi.useFakeTimers({ toFake: ['Date', 'performance'], now: 1_000_000 })
  onTestFinished(() => void vi.useRealTimers())
  const client = createProcess('ada')
  client.on('elevated', () => elevated.resolve(undefined))
  const call = client.relationships.list()
  await reading.promise
  const verification = client.mfa.finish({ ticket: 'ticket-1', mfa_type: 'totp', data: CODE })
  await elevated.promise

  // Less than a call waits for a store.
  vi.advanceTimersByTime(4_000)
  release.resolve(undefined)
  await Promise.all([call, verification])

  expect([...store.values.values()].map(({ value }) => JSON.parse(value).expiresAt)).toEqual([1_290_000])
  expect([...store.values.values()].map(({ expiresAt }) => expiresAt)).toEqual([1_290_000])
})

it.each<[string, Partial<VerificationStore>]>([
  [
    'throws',
    {
      get: () => {
        throw new Error('a-secret')
      },
      set: () => {
        throw new Error('a-secret')
      },
    },
  ],
  ['rejects', { get: () => Promise.reject(new Error('a-secret')), set: () => Promise.reject(new Error('a-secret')) }],
  ['returns what is no value of it', { get: () => '{"jwt":"a-secret"' }],
  ['returns a value of another type', { get: () => Object({ jwt: 'a-secret' }) }],
])('a store that %s is a warning without its values, and the user is asked', async (_, broken) => {
  const { handler, warnings, createProcess } = await setUp({ ...storeInMemory(), ...broken })

  expect(await createProcess('ada').relationships.list()).toEqual([])

  expect(handler).toHaveBeenCalledTimes(1)
  expect(warnings[0]).toMatchObject({ code: 'verifications_failed' })
  expect(inspect(warnings)).not.toContain('a-secret')
})

it('a store that does not reply holds up a call for five seconds', async () => {
  const { handler, warnings, createProcess } = await setUp({
    ...storeInMemory(),
    get: () => new Promise<never>(() => {}),
  })
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())

  const call = createProcess('ada').relationships.list()
  let isDone = false
  call.finally(() => {
    isDone = true
  })
  while (!isDone) {
    await vi.advanceTimersByTimeAsync(1_000)
    await new Promise((resolve) => setImmediate(resolve))
  }

  expect(await call).toEqual([])
  expect(handler).toHaveBeenCalledTimes(1)
  expect(warnings[0]).toMatchObject({ message: expect.stringContaining('failed to read a verification') })
})

it('the store receives no token: its keys are hashes', async () => {
  const store = storeInMemory()
  const { createProcess } = await setUp(store)
  await createProcess('a-secret-token').relationships.list()

  expect([...store.values.keys()]).toEqual([expect.stringMatching(/^[\da-f]{32}$/)])
  expect(JSON.stringify([...store.values])).not.toContain('"a-secret-token')
})
