import { inspect } from 'node:util'
import { Client, type ClientOptions } from 'rapport-sdk'
import { describe, expect, test, vi } from 'vitest'
import { json, noContent, serve } from '../servers/http-server'
import { challengeOf, membersOf, PUBLIC_OBJECTS, worldOf } from './public-objects'

/** What a call of `method` without its object throws or rejects with. */
async function failureOf(method: unknown, values: readonly unknown[] = []): Promise<unknown> {
  try {
    await Reflect.apply(Object(method), undefined, values)
  } catch (error) {
    return error
  }
  return undefined
}

describe('methods that are detached from their object', () => {
  test('subscribe to the session and unsubscribe from it', async () => {
    const { client } = await worldOf()
    const { onChange, setToken } = client.session
    const listener = vi.fn()
    const unsubscribe = onChange(listener)
    await setToken('another-token')
    expect(listener).toHaveBeenCalledExactlyOnceWith({ type: 'tokenChanged' })
    expect(client.session.token).toBe('another-token')
    unsubscribe()
    await setToken(null)
    expect(listener).toHaveBeenCalledTimes(1)
  })

  test('add, use once and remove listeners of the gateway', async () => {
    const { client } = await worldOf()
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

  test('send the calls of a resource', async () => {
    const { client, server } = await worldOf(json(200, []), noContent, noContent, json(200, { ok: true }))
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

  test('give the response of a call', async () => {
    const { client } = await worldOf(json(200, []))
    const { withResponse } = client.relationships.list()
    expect((await withResponse()).response.status).toBe(200)
  })

  test('read and answer a challenge', async () => {
    const { client, server } = await worldOf()
    const { allows, verify } = await challengeOf(client, server)
    expect([allows('totp'), allows('webauthn')]).toEqual([true, false])
    server.respondWith(json(200, { token: 'jwt' }))
    expect(await verify({ type: 'totp', code: '123456' })).toMatchObject({ status: 'elevated' })
  })

  test('read, follow and close a live store', async () => {
    const { client } = await worldOf()
    const { all, get, filter, on, refresh, close } = client.relationships.live()
    on('change', () => {})
    await refresh()
    expect([all(), get('1'), filter(1)]).toEqual([[], undefined, []])
    close()
  })

  test('make and dispose of clients', async () => {
    const { client } = await worldOf()
    const { as, suspended, on, dispose, [Symbol.asyncDispose]: asyncDispose } = client
    expect(as('grace').session.token).toBe('grace')
    expect(suspended('grace')).toHaveProperty('request')
    expect(on('request', () => {})).toBeTypeOf('function')
    await asyncDispose()
    dispose()
    await expect(client.relationships.list()).rejects.toThrow('disposed')
  })

  test.each(Object.keys(PUBLIC_OBJECTS))('never fail for want of their object: %s', async (name) => {
    const make = PUBLIC_OBJECTS[name]
    const { client, server } = await worldOf()
    const members = membersOf((await make?.(client, server)) ?? {})
    expect(members.length).toBeGreaterThan(0)
    for (const member of members) {
      const world = await worldOf()
      const object = (await make?.(world.client, world.server)) ?? {}
      const { [member]: detached }: Record<PropertyKey, unknown> = Object(object)
      if (typeof detached !== 'function') continue
      // What waits for an event waits for ever.
      const failure = await Promise.race([failureOf(detached), new Promise((resolve) => setTimeout(resolve, 20))])
      expect(String(failure), String(member)).not.toMatch(/private|of undefined|not an object/)
      world.client.dispose()
    }
  })
})

describe('an object whose methods are bound', () => {
  class Sub extends Client {
    constructor(options: ClientOptions) {
      super(options)
      this.made.push('constructed')
    }

    readonly made: string[] = []

    override as(token: string): Client {
      this.made.push(token)
      return super.as(`${token}-of-sub`)
    }

    override get ready(): Promise<void> {
      return super.ready.then(() => void this.made.push('ready'))
    }

    again(): Client {
      return this.as('again')
    }
  }

  test('runs the methods of its subclass, which can call those of its class', async () => {
    const client = new Sub({ baseUrl: 'https://service.example' })
    const { again, as } = client
    expect(as('one').session.token).toBe('one-of-sub')
    expect(again().session.token).toBe('again-of-sub')
    await client.ready
    expect(client.made).toEqual(['constructed', 'one', 'again', 'ready'])
  })

  test('lets a test replace a method and put it back', async () => {
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

  test('keeps an accessor that can only be read as it was', () => {
    const client = new Client({ baseUrl: 'https://service.example' })
    expect(() => Object.assign(client.session, { token: 'b' })).toThrow(TypeError)
    client.session.fingerprint = 'a fingerprint'
    expect(client.session.fingerprint).toBe('a fingerprint')
  })

  test('looks as it did: consoles, JSON, spreads and comparisons see its fields alone', async () => {
    const { client, server } = await worldOf()
    const empty = (name: string) => `${name} {}`
    for (const [object, name] of [
      [client.session, 'SessionManager'],
      [client.gateway, 'Gateway'],
      [client.relationships, 'Relationships'],
      [client.auth.sessions, 'AuthSessions'],
      [await challengeOf(client, server), 'Challenge'],
      [client.gateway.stream(['ready']), 'EventStream'],
    ] as const) {
      expect(inspect(object)).toBe(empty(name))
      expect(JSON.stringify(object)).toBe('{}')
      expect({ ...object }).toEqual({})
    }
    expect(Object.keys(client)).toEqual([
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
    ])
    expect(inspect(client.relationships.list().catch(() => {}))).toBe('Promise { <pending> }')
    expect(inspect(client, { breakLength: Infinity })).not.toMatch(/Function|Getter/)
  })
})
