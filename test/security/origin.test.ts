import { Client, isConnectionError, isRequestValidationError } from 'rapport-sdk'
import { undiciFetch } from 'rapport-sdk/node'
import { Agent, interceptors } from 'undici'
import { expect, it, onTestFinished } from 'vitest'
import { json, mfaRequired, redirect, serve } from '../servers/http-server'
import { rejectionOf } from '../transport/rejection'

const totp = () => ({ type: 'totp', code: '123456' })

it.each([
  'https://evil.example/x',
  '//evil.example/x',
  '/\\evil.example/x',
  '\\\\evil.example',
  'evil.example/x',
  '/x//evil.example',
  '/x?q=1',
  '/x#part',
  '/x/../y',
  '/x/%2e%2E/y',
  '/x/.%2e',
  '/./x',
  '/x y',
  '/x\r\nHost: evil.example',
  '\t/x',
  '@evil.example/x',
  ':80/x',
  '.evil.example/x',
  '',
])('client.request rejects the path %j before it sends anything', async (path) => {
  const server = await serve()
  const client = new Client({ baseUrl: server.url, token: 'ada' })
  const error = await rejectionOf(client.request({ method: 'POST', path, body: {} }), isRequestValidationError)
  expect(error.issues[0]?.path).toEqual(['path'])
  expect(server.requests).toHaveLength(0)
})

it.each([null, undefined, 5, {}, ['/x']])('client.request rejects the path %j', async (path) => {
  const client = new Client({ baseUrl: 'https://service.example' })
  await rejectionOf(client.request({ path: path as string }), isRequestValidationError)
})

it.each([301, 302, 303, 307, 308])(
  'a %i redirect throws a ConnectionError, and no request reaches its target',
  async (status) => {
    const elsewhere = await serve()
    for (const target of [`${elsewhere.url}/steal`, '/users/@me/elsewhere', '//127.0.0.1/x']) {
      const server = await serve(mfaRequired(), json(200, { token: 'jwt' }), redirect(status, target))
      const client = new Client({ baseUrl: server.url, token: 'ada', onMfaRequired: totp })

      const error = await rejectionOf(client.relationships.list(), isConnectionError)

      expect(error.message).toContain('redirect')
      expect(server.requests).toHaveLength(3)
    }
    expect(elsewhere.requests).toHaveLength(0)
  },
)

it('a redirect does not send a password body again', async () => {
  const elsewhere = await serve()
  const server = await serve(redirect(307, `${elsewhere.url}/steal`))
  const client = new Client({ baseUrl: server.url })
  await rejectionOf(client.auth.login({ login: 'x', password: 'correct horse' }), isConnectionError)
  expect(elsewhere.requests).toHaveLength(0)
})

it.each([301, 302, 303, 307, 308])(
  'undiciFetch follows no %i redirect, even if its dispatcher has a redirect interceptor',
  async (status) => {
    const elsewhere = await serve()
    const agent = new Agent()
    onTestFinished(() => agent.destroy())
    const fetch = undiciFetch({ dispatcher: agent.compose(interceptors.redirect({ maxRedirections: 3 })) })
    for (const target of [`${elsewhere.url}/steal`, '/elsewhere']) {
      const redirected = redirect(status, target)
      const server = await serve(redirected, mfaRequired(), json(200, { token: 'jwt' }), redirected)
      const client = new Client({ baseUrl: server.url, token: 'ada', fetch, onMfaRequired: totp })
      const login = client.auth.login({ login: 'x', password: 'correct horse' })
      const { message } = await rejectionOf(login, isConnectionError)
      expect(message).toContain('the response is a redirect, which is not followed')
      await rejectionOf(client.auth.sessions.logout({ session_id_hashes: ['a hash'] }), isConnectionError)
      expect(server.requests).toHaveLength(4)
      expect(server.request(3).headers['x-service-mfa-authorization']).toBe('jwt')
    }
    expect(elsewhere.requests).toHaveLength(0)
  },
)

it('a redirect that a custom fetch has followed throws a ConnectionError', async () => {
  const server = await serve(redirect(302, '/other'), json(200, []))
  const fetch: typeof globalThis.fetch = (input, init) => globalThis.fetch(input, { ...init, redirect: 'follow' })
  const client = new Client({ baseUrl: server.url, token: 'ada', fetch })
  expect((await rejectionOf(client.relationships.list(), isConnectionError)).message).toContain('redirect')
})

it('the MFA header is sent only to the base origin, under the name of mfaHeader', async () => {
  const server = await serve(mfaRequired(), json(200, { token: 'jwt' }), json(200, []), json(200, []))
  const client = new Client({ baseUrl: server.url, token: 'ada', mfaHeader: 'X-Step-Up', onMfaRequired: totp })
  await client.relationships.list()
  await client.friendSuggestions.list()
  expect(server.requests.map(({ headers }) => headers['x-step-up'])).toEqual([undefined, undefined, 'jwt', 'jwt'])
  expect(server.requests.every(({ headers }) => server.url.endsWith(headers.host ?? ' '))).toBe(true)
})

it('a call without a token sends no MFA header', async () => {
  const server = await serve(mfaRequired(), json(200, { token: 'jwt' }), json(200, []), json(200, {}), json(200, {}))
  const client = new Client({ baseUrl: server.url, token: 'ada', onMfaRequired: totp })
  await client.relationships.list()
  await client.request({ path: '/public', auth: 'none' })
  await client.suspended('other').request({ method: 'POST', path: '/standing' })
  expect(server.request(3).headers['x-service-mfa-authorization']).toBeUndefined()
  expect(server.request(4).headers['x-service-mfa-authorization']).toBeUndefined()
})
