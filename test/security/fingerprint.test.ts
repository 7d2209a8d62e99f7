import { Client } from 'rapport-sdk'
import { expect, it } from 'vitest'
import { json, serve } from '../servers/http-server'

const completed = json(200, { user_id: '1', token: 'new-token', user_settings: { locale: 'en', theme: 'dark' } })
const credentials = { login: 'ada@example.test', password: 'correct horse' }

it('the client sends the fingerprint only until authentication completes', async () => {
  const server = await serve(
    json(200, { username: 'ada' }),
    json(200, { user_id: '1', mfa: true, ticket: 't', totp: true }),
    json(200, { token: 'new-token', user_settings: { locale: 'en', theme: 'dark' } }),
    json(200, []),
    json(200, null),
    json(200, { username: 'ada' }),
  )
  const onMfaRequired = () => ({ type: 'totp', code: '123456' })
  const client = new Client({ baseUrl: server.url, fingerprint: 'print', onMfaRequired })

  await client.auth.suggestUsername()
  await client.auth.login(credentials)
  await client.relationships.list()
  await client.auth.logout()
  await client.auth.suggestUsername()

  expect(server.requests.map(({ headers }) => headers['x-fingerprint'])).toEqual([
    'print',
    'print',
    'print',
    undefined,
    undefined,
    undefined,
  ])
  expect(client.session.fingerprint).toBeNull()
})

it('the client sends no fingerprint next to a token of the client, of as() or of a call', async () => {
  const server = await serve()
  server.fallback(() => json(200, []))
  const client = new Client({ baseUrl: server.url, token: 'ada', fingerprint: 'print' })
  await client.relationships.list()
  client.session.fingerprint = 'another'
  await client.relationships.list()
  await client.as('grace').relationships.list()
  const anonymous = new Client({ baseUrl: server.url, fingerprint: 'print' })
  await anonymous.relationships.list({ token: 'linus' })
  expect(server.requests.map(({ headers }) => headers['x-fingerprint'])).toEqual(Array(4).fill(undefined))
})

it('register() sends the fingerprint of the session, and none if the session has none', async () => {
  const server = await serve()
  server.fallback(() => json(201, { token: 'new-token' }))
  const withPrint = new Client({ baseUrl: server.url, fingerprint: 'print' })
  await withPrint.auth.register({ username: 'ada' })
  const without = new Client({ baseUrl: server.url })
  await without.auth.register({ username: 'ada' })
  await new Client({ baseUrl: server.url, fingerprint: 'print' }).auth.register({
    username: 'ada',
    fingerprint: 'explicit',
  })

  expect(server.requests.map((request) => request.json())).toEqual([
    { username: 'ada', fingerprint: 'print' },
    { username: 'ada' },
    { username: 'ada', fingerprint: 'explicit' },
  ])
  expect(withPrint.session.fingerprint).toBeNull()
})

it('a fingerprint that is set after construction is sent until a login succeeds', async () => {
  const server = await serve(json(400, {}), completed)
  const client = new Client({ baseUrl: server.url })
  client.session.fingerprint = 'later'
  await client.auth.login(credentials).catch(() => {})
  expect(client.session.fingerprint).toBe('later')
  await client.auth.login(credentials)
  expect(server.requests.map(({ headers }) => headers['x-fingerprint'])).toEqual(['later', 'later'])
  expect(client.session.fingerprint).toBeNull()
})
