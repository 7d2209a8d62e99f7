import {
  Client,
  defaultGatewayProtocol,
  explain,
  isRapportError,
  isRequestValidationError,
  type MfaHandler,
} from 'rapport-sdk'
import { createClient, relationships } from 'rapport-sdk/core'
import { describe, expect, it } from 'vitest'
import { json, serve } from '../servers/http-server'
import { reasonOf } from '../transport/rejection'
import { whilePolluted } from './hostile-values'

const LOGIN = { user_id: '1', user_settings: { locale: 'en', theme: 'dark' }, token: 'token-of-ada' }

const OPTIONS: readonly (readonly [name: string, value: unknown])[] = [
  ...['token', 'fingerprint', 'mfaHeader', 'retry', 'deadline', 'limit', 'methods', 'maxRateLimitWaitMs'],
  ...['onMfaRequired', 'onResponseMismatch', 'maxResponseBytes', 'requestIdHeaders', 'allowInsecureHttp'],
  ...['pathParams', 'query', 'auth', 'schema', 'undelete', 'login_source', 'gift_code_sku_id'],
].map((name) => [name, 'polluted'] as const)

describe('an Object.prototype that another library has polluted', () => {
  it.each<readonly [name: string, value: unknown]>([
    ...OPTIONS,
    ['headers', { 'x-polluted': '1' }],
    ['authorize', () => 'polluted'],
    ['fetch', () => Promise.reject(new Error('polluted'))],
    ['tokenStore', { get: () => 'polluted', set: () => {} }],
    ['logger', { debug: () => expect.unreachable() }],
    ['gateway', { url: 'ws://127.0.0.1:9', connectOnSignIn: true }],
  ])('changes no option and no parameter by %s', async (name, value) => {
    const run = async () => {
      const server = await serve(json(200, []), json(200, []), json(200, { a: 1 }), json(200, LOGIN), json(200, []))
      const client = new Client({ baseUrl: server.url })
      await client.relationships.list()
      await client.relationships.list({})
      await client.request({ path: '/x' })
      await client.auth.login({ login: 'ada', password: 'correct horse' })
      await client.relationships.list()
      const { token } = client.session
      client.dispose()
      const sent = server.requests.map(({ method, url, body, headers }) => [method, url, body, headers.authorization])
      return [token, sent, server.requests.map(({ headers }) => Object.keys(headers))]
    }
    const seen = await whilePolluted(name, value, run)
    expect(seen).toEqual(await run())
  })

  // The platform's own `fetch` reads these too.
  it.each<readonly [name: string, value: unknown]>([
    ['timeout', 0.001],
    ['timeout', 'polluted'],
    ['headers', 'polluted'],
    ['signal', AbortSignal.abort()],
  ])('changes no call by %s', async (name, value) => {
    const responses = [new Response('[]'), new Response('[]')]
    const sent: unknown[] = []
    const fetch = async (_: string, init: { headers?: unknown }) => {
      sent.push(init.headers)
      return responses.pop() ?? Response.error()
    }
    const run = async () => {
      const client = new Client({ baseUrl: 'https://service.example', fetch, retry: 0 })
      return [await client.relationships.list(), await client.relationships.list({})]
    }
    expect(await whilePolluted(name, value, run)).toEqual([[], []])
    expect(sent).toEqual([{ accept: 'application/json' }, { accept: 'application/json' }])
  })

  it.each([true, false])('fills in no required parameter (enumerable: %j)', async (enumerable) => {
    const client = new Client({ baseUrl: 'https://service.example', fetch: () => expect.unreachable() })
    const call = () => reasonOf(client.auth.login({ login: 'ada' } as never))
    const error = await whilePolluted('password', 'correct horse', call, enumerable)
    expect(error).toSatisfy(isRequestValidationError)
    expect(error).toMatchObject({ issues: [{ path: ['password'], code: 'required' }] })
  })

  it.each([true, false])('adds no optional parameter (enumerable: %j)', async (enumerable) => {
    const server = await serve(json(204, null))
    const client = new Client({ baseUrl: server.url })
    await whilePolluted('type', 'polluted', () => client.relationships.accept('42'), enumerable)
    expect(String(server.requests[0]?.body)).toBe('{}')
  })

  it('options that are instances of a class, or inherit from other options, work as before', async () => {
    class Options {
      get headers() {
        return { 'x-app': 'kept' }
      }
    }
    const server = await serve(json(200, []))
    const client = new Client({ baseUrl: server.url })
    await whilePolluted('headers', { 'x-app': 'polluted' }, async () =>
      client.relationships.list(Object.create(new Options())),
    )
    expect(server.requests[0]?.headers['x-app']).toBe('kept')
  })

  it.each(['body', 'mode', 'credentials', 'cache', 'keepalive', 'duplex', 'referrer', 'dispatcher', 'agent'])(
    'adds no %s to the options of fetch',
    async (name) => {
      const run = async () => {
        const seen: unknown[] = []
        const fetch = async (_: string, init: object) => {
          seen.push(Reflect.get(init, name))
          return new Response('[]')
        }
        // `Client` runs ky, which reads such a property itself.
        const client = createClient({ baseUrl: 'https://service.example', fetch, retry: 0 }, { relationships })
        await client.relationships.list()
        await client.relationships.update('1', { nickname: 'a' })
        return seen
      }
      expect(await whilePolluted(name, 'polluted', run)).toEqual(await run())
    },
  )

  it.each<readonly [name: string, value: unknown]>([
    ...['token', 'message', 'ticket', 'challenge', 'webauthn', 'login_instance_id'].map((name) => [name, 'x'] as const),
    ...['mfa', 'totp', 'sms', 'backup', 'backup_codes_allowed', 'global'].map((name) => [name, true] as const),
    ['code', 20013],
    ['code', 60003],
    ['mfa', { ticket: 'x', methods: [{ type: 'sms' }] }],
    ['methods', [{ type: 'sms' }]],
    ['type', 'sms'],
    ['errors', { a: { _errors: [{ code: 'x', message: 'y' }] } }],
    ['retry_after', 7],
    ['user', { id: '7' }],
    ['user_id', '7'],
    ['required_actions', ['x']],
    ['publicKey', { challenge: 'x' }],
  ])('adds no %s (%j) to a response', async (name, value) => {
    const mfa = {
      ticket: 't',
      methods: [{}, { type: 'totp' }, { type: 'webauthn', challenge: '{}' }, { type: 'webauthn' }],
    }
    const expected = await outcomes(mfa)
    for (const enumerable of [true, false])
      expect(await whilePolluted(name, value, () => outcomes(mfa), enumerable)).toEqual(expected)
  })

  it.each<readonly [name: string, value: unknown]>([
    ['op', 7],
    ['t', 'RELATIONSHIP_ADD'],
    ['d', true],
    ['s', 7],
    ['heartbeat_interval', 1000],
  ])('adds no %s to a gateway frame', async (name, value) => {
    const frames = ['{}', '{"op":0}', '{"op":0,"t":"A"}', '{"op":9}', '{"op":10,"d":{}}']
    const decode = (frame: string) => {
      try {
        return { ...defaultGatewayProtocol.decode(frame) }
      } catch (error) {
        return String(error)
      }
    }
    const run = async () => frames.map(decode)
    expect(await whilePolluted(name, value, run)).toEqual(await run())
  })

  it.each<readonly [name: string, value: unknown]>([
    ['words', { unexpected: { title: 'polluted' } }],
    ['unexpected', { title: 'polluted' }],
    ['title', 'polluted'],
    ['message', 'polluted'],
    ['fields', { required: 'polluted' }],
    ['required', 'polluted'],
  ])('adds no %s to an explanation', async (name, value) => {
    const client = new Client({ baseUrl: 'https://service.example', fetch: () => expect.unreachable() })
    const invalid = await reasonOf(client.auth.login({ login: 'ada' } as never))
    const run = async () =>
      [undefined, {}, { words: {} }, { words: { fields: {}, unexpected: {} } }].flatMap((options) =>
        [invalid, new Error('x')].map((error) => explain(error, options)),
      )
    expect(await whilePolluted(name, value, run)).toEqual(await run())
  })
})

/** Returns what calls make of responses in which fields are missing: data, errors and second factors. */
async function outcomes(mfa: object): Promise<unknown[]> {
  const seen: unknown[] = []
  const answer = async (status: number, body: unknown, run: (client: Client) => PromiseLike<unknown>) => {
    const fetch = async () => new Response(JSON.stringify(body), { status })
    const client = new Client({ baseUrl: 'https://service.example', token: 'own', fetch, retry: 0 })
    try {
      const result = await run(client)
      seen.push(JSON.stringify(result))
    } catch (error) {
      seen.push(isRapportError(error) ? JSON.stringify(error) : String(error))
    }
    seen.push(client.session.token, client.session.user?.id)
    client.dispose()
  }
  const list = (client: Client) => client.relationships.list()
  const login = (client: Client) => client.auth.login({ login: 'ada', password: 'correct horse' })
  await answer(400, {}, list)
  await answer(400, { errors: { a: { _errors: [{}] } } }, list)
  await answer(401, {}, list)
  await answer(401, { code: 60003 }, list)
  await answer(401, { code: 60003, mfa: {} }, list)
  await answer(401, { code: 60003, mfa }, async (client) => {
    const events: unknown[] = []
    client.on('mfaRequired', ({ methods }) => events.push(methods))
    const onMfaRequired: MfaHandler = (challenge) => {
      events.push(challenge.methods, ['sms', 'backup', 'totp'].map(challenge.allows))
      try {
        events.push(challenge.webauthnOptions())
      } catch (error) {
        events.push(String(error))
      }
      return null
    }
    await client.relationships.list({ onMfaRequired }).then(undefined, (error) => events.push(String(error)))
    return events
  })
  await answer(429, {}, list)
  await answer(200, {}, login)
  await answer(200, { user_id: '1' }, login)
  await answer(200, { user_id: '1', mfa: true, ticket: 't' }, async (client) => {
    const result = await login(client)
    return 'challenge' in result ? [result.user_id, result.challenge.methods] : 'complete'
  })
  await answer(200, { token: 'new' }, login)
  return seen
}
