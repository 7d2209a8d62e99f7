import { inspect } from 'node:util'
import { Client, type ClientOptions } from 'rapport-sdk'
import { describe, expect, test, vi } from 'vitest'
import { json, noContent, serve } from '../servers/http-server'
import { afterRequests, createChallenge, createWorld, membersOf, PUBLIC_OBJECTS } from './public-objects'

/** Calls `method` without its object and returns its error. */
async function errorOf(method: unknown, values: readonly unknown[] = []): Promise<unknown> {
  try {
    await Reflect.apply(Object(method), undefined, values)
  } catch (error) {
    return error
  }
  return undefined
}

describe('detached methods', () => {
  test('those of the session subscribe and unsubscribe', async () => {
    const { client } = await createWorld()
    const { onChange, setToken } = client.session
    const listener = vi.fn()
    const unsubscribe = onChange(listener)
    await setToken('another-token')
    expect(listener).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ type: 'tokenChanged' }))
    expect(client.session.token).toBe('another-token')
    unsubscribe()
    await setToken(null)
    expect(listener).toHaveBeenCalledTimes(1)
  })

  test('those of the gateway add and remove listeners', async () => {
    const { client } = await createWorld()
    const { on, once, off, connect, disconnect, waitFor } = client.gateway
    const [kept, single, removed] = [vi.fn(), vi.fn(), vi.fn()]
    expect(on('ready', kept)).toBe(client.gateway)
    once('ready', single)
    on('ready', removed)
    off('ready', removed)
    const ready = waitFor('ready')
    await connect()
    await disconnect()
    await connect()
    await ready
    expect([kept, single, removed].map(({ mock }) => mock.calls.length)).toEqual([2, 1, 0])
  })

  test('those of a resource send requests', async () => {
    const { client, server } = await createWorld(json(200, []), noContent, noContent, json(200, { ok: true }))
    const { list, accept } = client.relationships
    expect(await list()).toEqual([])
    await accept('42')
    const { logout } = client.auth.sessions
    await logout({ session_id_hashes: ['hash'] })
    const { request } = client
    expect(await request({ path: '/later' })).toEqual({ ok: true })
    expect(server.requests.map(({ method, url }) => `${method} ${url}`)).toEqual([
      'GET /users/@me/relationships',
      'PUT /users/@me/relationships/42',
      'POST /auth/sessions/logout',
      'GET /later',
    ])
  })

  test('a detached withResponse() returns the response of its call', async () => {
    const { client } = await createWorld(json(200, []))
    const { withResponse } = client.relationships.list()
    expect((await withResponse()).response.status).toBe(200)
  })

  test('those of a challenge read and verify it', async () => {
    const { client, server } = await createWorld()
    const { allows, verify } = await createChallenge(client, server)
    expect([allows('totp'), allows('webauthn')]).toEqual([true, false])
    server.respondWith(json(200, { token: 'jwt' }))
    expect(await verify({ type: 'totp', code: '123456' })).toMatchObject({ status: 'elevated' })
  })

  test('those of a live store read, refresh and close it', async () => {
    const { client } = await createWorld()
    const { all, get, filter, on, refresh, close } = client.relationships.live()
    on('change', () => {})
    await refresh()
    expect([all(), get('1'), filter(1)]).toEqual([[], undefined, []])
    close()
  })

  test('those of a client create clients and dispose of it', async () => {
    const { client } = await createWorld()
    const { as, suspended, on, dispose, [Symbol.asyncDispose]: asyncDispose } = client
    expect(as('grace').session.token).toBe('grace')
    expect(suspended('grace')).toHaveProperty('request')
    expect(on('request', () => {})).toBeTypeOf('function')
    await asyncDispose()
    dispose()
    await expect(client.relationships.list()).rejects.toThrow('disposed')
  })

  test.each(Object.keys(PUBLIC_OBJECTS))(
    'no detached method of %s fails because of its missing object',
    async (name) => {
      const create = PUBLIC_OBJECTS[name]
      const { client, server } = await createWorld()
      const members = membersOf((await create?.(client, server)) ?? {})
      expect(members.length).toBeGreaterThan(0)
      for (const member of members) {
        const world = await createWorld()
        const object = (await create?.(world.client, world.server)) ?? {}
        const { [member]: detached }: Record<PropertyKey, unknown> = Object(object)
        if (typeof detached !== 'function') continue
        // A method that waits for an event never settles.
        const failure = await Promise.race([errorOf(detached), afterRequests(world.server)])
        expect(String(failure), String(member)).not.toMatch(/private|of undefined|not an object/)
        world.client.dispose()
      }
    },
  )
})

describe('an object with bound methods', () => {
  class Sub extends Client {
    constructor(options: ClientOptions) {
      super(options)
      this.calls.push('constructed')
    }

    readonly calls: string[] = []

    override as(token: string): Client {
      this.calls.push(token)
      return super.as(`${token}-of-sub`)
    }

    override get ready(): Promise<void> {
      return super.ready.then(() => void this.calls.push('ready'))
    }

    again(): Client {
      return this.as('again')
    }
  }

  test('a bound method of a subclass can call that of its superclass', async () => {
    const client = new Sub({ baseUrl: 'https://service.example' })
    const { again, as } = client
    expect(as('one').session.token).toBe('one-of-sub')
    expect(again().session.token).toBe('again-of-sub')
    await client.ready
    expect(client.calls).toEqual(['constructed', 'one', 'again', 'ready'])
  })

  test('a bound method can be mocked and restored', async () => {
    const server = await serve(json(200, []))
    const client = new Client({ baseUrl: server.url, token: 'ada' })
    const spy = vi.spyOn(client.relationships, 'list')
    expect(await client.relationships.list()).toEqual([])
    expect(spy).toHaveBeenCalledTimes(1)

    const login = vi.spyOn(client.auth, 'login').mockRejectedValue(new Error('no'))
    await expect(client.auth.login({ login: 'a', password: 'b' })).rejects.toThrow('no')
    login.mockRestore()
    await expect(client.auth.login({ login: 'a', password: 'b' })).rejects.toThrow('password')

    const token = vi.spyOn(client.session, 'token', 'get').mockReturnValue('from a test')
    expect(client.session.token).toBe('from a test')
    token.mockRestore()
    expect(client.session.token).toBe('ada')
  })

  test('a namespace can be replaced, and dispose() still disconnects the original gateway', async () => {
    const { client } = await createWorld()
    const { gateway } = client
    await gateway.connect()
    const fakes = { relationships: { list: () => 'a fake' }, gateway: { on: () => {} } }
    expect(Object.assign(client, fakes).relationships.list()).toBe('a fake')
    expect({ ...client }).toMatchObject(fakes)
    client.dispose()
    expect(gateway.state).toBe('closed')
  })

  test('the accessor of a namespace can be mocked and restored', async () => {
    const { client } = await createWorld()
    const { auth } = client
    const fake = client.as('grace').auth
    const spy = vi.spyOn(client, 'auth', 'get').mockReturnValue(fake)
    expect(client.auth).toBe(fake)
    spy.mockRestore()
    expect(client.auth).toBe(auth)
  })

  test('a read-only accessor stays read-only', () => {
    const client = new Client({ baseUrl: 'https://service.example' })
    expect(() => Object.assign(client.session, { token: 'b' })).toThrow(TypeError)
    client.session.fingerprint = 'a fingerprint'
    expect(client.session.fingerprint).toBe('a fingerprint')
  })

  test('bound methods are not visible to inspect(), JSON and spreads', async () => {
    const { client } = await createWorld()
    const empty = (name: string) => `${name} {}`
    for (const [object, name] of [
      [client.session, 'SessionManager'],
      [client.gateway, 'Gateway'],
      [client.relationships, 'Relationships'],
      [client.auth.sessions, 'AuthSessionsResource'],
    ] as const) {
      expect(inspect(object)).toBe(empty(name))
      expect(JSON.stringify(object)).toBe('{}')
      expect({ ...object }).toEqual({})
    }
    const namespaces = [
      'auth',
      'mfa',
      'widgets',
      'identities',
      'widgetConfigs',
      'relationships',
      'gameRelationships',
      'friendSuggestions',
      'session',
      'gateway',
      'request',
      'suspended',
      'resumeChallenge',
    ]
    expect(Object.keys(client).sort()).toEqual(namespaces.sort())
    expect({ ...client }).toEqual(Object.fromEntries(namespaces.map((name) => [name, Reflect.get(client, name)])))
    // Node adds its IDs, because `test/left-behind.ts` uses async hooks.
    const shown = inspect(client.relationships.list().catch(() => {}))
    expect(shown.replace(/,\s+\[Symbol\(\w*async_id_symbol\)\]: \d+/g, '').replace(/\s+/g, ' ')).toBe(
      'Promise { <pending> }',
    )
    expect(inspect(client, { breakLength: Infinity })).not.toContain('Function')
  })
})
