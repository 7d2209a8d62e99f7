import { statSync, writeFileSync } from 'node:fs'
import { createMockService } from 'rapport-sdk/mocks'
import { listen } from 'rapport-sdk/mocks/node'
import { expect, it, onTestFinished } from 'vitest'
import { json, noResponse, serve, text } from '../servers/http-server'
import { mockCommand, newFile, startRecording } from './command'
import { rawSocket, requestText } from './raw-sockets'
import { password, sender } from './set-up'

const { startMock, startMockWith } = mockCommand()

/** Starts a mock as the real service, and a proxy before it. */
async function setUp() {
  const service = createMockService({ baseUrl: 'http://localhost/api/v9' })
  const ada = service.users.create({ login: 'ada@example.com', username: 'ada', password, mfa: ['totp', 'backup'] })
  const grace = service.users.create({ login: 'grace@example.com', username: 'grace', password })
  const server = await listen(service)
  onTestFinished(() => service.close())
  const recording = await startRecording(startMock, server.url)
  return { service, server, ada, grace, recording, send: sender(fetch, recording.url) }
}

it('a proxy records calls with names in the place of secrets, IDs and texts', async () => {
  const { service, ada, grace, recording, send } = await setUp()
  const { user_id, ticket } = (await send('POST /auth/login', { login: 'ada@example.com', password })).body
  const code = service.users.totp(ada)
  const { token } = (await send('POST /auth/mfa/totp', { ticket, code })).body
  const asAda = sender(fetch, recording.url, String(token))
  const added = await asAda('POST /users/@me/relationships', { username: 'grace', discriminator: null, note: 'Hi' })
  expect(added.status).toBe(204)
  const [friend] = (await asAda<object[]>('GET /users/@me/relationships')).body
  expect(friend).toMatchObject({ id: grace.id, type: 4, note: 'Hi' })
  await asAda(`DELETE /users/@me/relationships/${grace.id}`)

  expect(statSync(recording.file).mode & 0o777).toBe(0o600)
  expect(recording.calls()).toEqual([
    ['Login Account', 200, null],
    ['Verify MFA Login', 200, null],
    ['Send Friend Request', 204, 'account-1'],
    ['Get Relationships', 200, 'account-1'],
    ['Remove Relationship', 204, 'account-1'],
  ])
  const [login, verified, sent, list, removed] = recording.entries()
  expect(login?.request).toMatchObject({ path: '/auth/login', body: { login: 'login-1', password: 'password-1' } })
  const factors = { mfa: true, totp: true, sms: false, backup: true, webauthn: null }
  expect(login?.response.body).toEqual({
    user_id: 'account-1',
    ticket: 'ticket-1',
    login_instance_id: 'id-1',
    ...factors,
  })
  expect(verified?.request).toMatchObject({ path: '/auth/mfa/totp', body: { ticket: 'ticket-1', code: 'code-1' } })
  expect(verified?.response.body).toEqual({ token: 'token-1', user_settings: { locale: 'text-1', theme: 'dark' } })
  expect(sent?.request.headers).toEqual({ authorization: 'token-1' })
  expect(sent?.request.body).toEqual({ username: 'name-1', discriminator: null, note: 'text-2' })
  expect(list?.response.body).toEqual([
    {
      id: 'id-2',
      type: 4,
      user: { id: 'id-2', username: '<string>', global_name: null, discriminator: '<string>', avatar: null },
      nickname: null,
      origin_application_id: null,
      user_ignored: false,
      since: '2000-01-01T00:00:00.000Z',
      note: 'text-2',
    },
  ])
  expect(removed?.request.path).toBe('/users/@me/relationships/id-2')
  for (const secret of [user_id, ticket, token, code, password, grace.id, 'ada', 'grace', 'Hi'].map(String)) {
    expect(recording.text()).not.toContain(`"${secret}`)
  }
  expect(await recording.stop()).toEqual([0, null])
  expect(recording.output.stderr).toBe(`rapport-mock: recorded 5 entries in ${recording.file}\n`)
})

it('a recording names the verification JWT and its cookie, and the tokens of one account belong together', async () => {
  const { service, ada, recording, send } = await setUp()
  const first = service.token(ada)
  const asAda = sender(fetch, recording.url, first)
  const hashes = { session_id_hashes: ['x'] }
  const { mfa } = (await asAda<{ mfa: { ticket: string } }>('POST /auth/sessions/logout', hashes)).body
  const data = service.users.totp(ada)
  const verified = await asAda('POST /mfa/finish', { ticket: mfa.ticket, mfa_type: 'totp', data })
  expect(verified.headers.get('set-cookie')).toContain(`__Secure-recent_mfa=${verified.body.token}`)
  const jwt = { 'x-service-mfa-authorization': String(verified.body.token) }
  expect((await asAda('POST /auth/sessions/logout', hashes, jwt)).status).toBe(204)
  // The cookies of other servers on this machine do not reach the service, and the one of the service does.
  const cookie = { cookie: `mine=1; __Secure-recent_mfa=${verified.body.token}` }
  expect((await asAda('POST /auth/sessions/logout', hashes, cookie)).status).toBe(204)
  expect(service.journal.requests.at(-1)?.headers).not.toHaveProperty('origin')
  await send('GET /auth/location-metadata', undefined, { 'x-fingerprint': '1234.abc' })
  const [required, finished, repeated] = recording.entries()
  expect(required?.response.body).toMatchObject({ code: 60003, message: 'text-1', mfa: { ticket: 'ticket-1' } })
  expect(finished?.request.body).toEqual({ ticket: 'ticket-1', mfa_type: 'totp', data: 'code-1' })
  expect(finished?.response).toMatchObject({
    body: { token: 'jwt-1' },
    headers: { 'set-cookie': '__Secure-recent_mfa=jwt-1; Path=/; Secure; HttpOnly' },
  })
  expect(repeated?.request.headers).toEqual({ authorization: 'token-1', 'x-service-mfa-authorization': 'jwt-1' })
  expect(recording.entries().at(-1)?.request.headers).toEqual({ 'x-fingerprint': 'fingerprint-1' })
  expect(recording.entries().at(-1)?.response.body).toMatchObject({ country_code: 'text-2', consent_required: false })
})

it('only paths of the contract are sent to the service, and neither redirects nor addresses of other hosts', async () => {
  const service = await serve(
    text(307, 'moved to secret', { location: 'https://elsewhere.example/secret' }),
    json(200, { identities: [] }),
  )
  const recording = await startRecording(startMock, `${service.url}/base`)
  const { port } = new URL(recording.url)
  const base = recording.url
  const refused = ['/base/_mock/users', '/base/unknown', '/auth/sessions', '/base/channels/1/messages']
  for (const path of refused) {
    const { status } = await fetch(`http://127.0.0.1:${port}${path}`, { method: 'POST', body: '{}' })
    expect([path, status]).toEqual([path, 404])
  }
  const socket = await rawSocket(Number(port))
  socket.write(requestText('GET /base/users/%2e%2e/application-identities', ['Host: localhost']))
  expect((await socket.response()).status).toBe(404)
  socket.write(requestText('GET http://elsewhere.example/base/users/../application-identities', ['Host: localhost']))
  expect((await socket.response()).status).toBe(404)
  const rebound = { host: 'elsewhere.example', path: '/base/auth/sessions' }
  socket.write(requestText(`GET ${rebound.path}`, [`Host: ${rebound.host}`]))
  expect((await socket.response()).status).toBe(403)
  socket.write(requestText('GET /base/auth/sessions', ['Host: localhost', 'Sec-Fetch-Site: cross-site']))
  expect((await socket.response()).status).toBe(403)
  const foreign = await fetch(`${base}/auth/sessions`, { headers: { origin: 'https://elsewhere.example' } })
  expect(foreign.status).toBe(403)
  expect(service.requests).toEqual([])

  const moved = await fetch(`${base}/auth/sessions`, { redirect: 'manual' })
  expect([moved.status, moved.headers.get('location'), await moved.text()]).toEqual([307, null, 'moved to secret'])
  const listed = await fetch(`${base}/users/1%2F2/application-identities?with_profiles=true&extra=secret`, {
    headers: { origin: 'http://localhost:5173', cookie: 'a=secret', connection: 'keep-alive', te: 'trailers' },
  })
  expect(listed.headers.get('access-control-allow-origin')).toBe('http://localhost:5173')
  const { url, headers } = service.request(1)
  expect(url).toBe('/base/users/1%2F2/application-identities?with_profiles=true&extra=secret')
  expect(Object.keys(headers).sort()).toEqual(
    ['accept', 'accept-encoding', 'accept-language', 'connection', 'host', 'user-agent'].sort(),
  )
  expect(recording.calls()).toEqual([
    ['Get Auth Sessions', 307, null],
    ['Get User Application Identities', 200, null],
  ])
  expect(recording.entries()[0]?.response).toEqual({ status: 307, headers: {} })
  expect(recording.entries()[1]?.request).toEqual({
    path: '/users/id-1/application-identities',
    query: { with_profiles: 'true', 'key-1': '<string>' },
    headers: {},
  })
})

it('what the service does not answer is not recorded, and the client gets the reason', async () => {
  const service = await serve(noResponse, (response) => {
    response.writeHead(200).write(Buffer.alloc(9_000_000))
  })
  const recording = await startRecording(startMock, service.url, '--log', 'json')
  const send = sender(fetch, recording.url)
  const abort = new AbortController()
  const hanging = fetch(`${recording.url}/auth/sessions`, { signal: abort.signal })
  await service.waitForRequests(1)
  abort.abort()
  await expect(hanging).rejects.toThrow('aborted')
  expect((await send('GET /auth/sessions')).body.message).toContain('its response is larger than 8388608 bytes')
  const large = await send('POST /auth/login', { login: 'x'.repeat(2 ** 20) })
  expect([large.status, large.body.message]).toEqual([
    413,
    'rapport-mock: Login Account is not sent: its body is too large',
  ])
  const { origin } = new URL(service.url)
  await service.close()
  const down = await send('GET /auth/sessions')
  expect([down.status, down.body.message]).toEqual([
    502,
    `rapport-mock: Get Auth Sessions has no response of ${origin}: ECONNREFUSED`,
  ])
  expect(recording.entries()).toEqual([])
  expect(recording.output.stdout).toContain('"type":"problem"')
})

it('a recording is a new file, and the options of a proxy exclude those of the mock', async () => {
  const file = newFile()
  writeFileSync(file, 'mine')
  const proxy = ['--proxy', 'https://service.example'] as const
  const runs = [
    [[...proxy, '--record', file], `cannot create ${file}: it exists, and a recording is not overwritten`],
    [[...proxy], '--proxy needs --record'],
    [['--record', file], '--record needs --proxy'],
    [['--gateway', 'wss://service.example'], '--gateway needs --proxy'],
    [['--keep-names', 'bot'], '--keep-names needs --proxy'],
    [
      [...proxy, '--record', file, '--control-origin', 'http://localhost:1'],
      'cannot be combined with --control-origin',
    ],
    [[...proxy, '--record', file, '--seed', '1'], '--proxy cannot be combined with --seed'],
    [[...proxy, '--record', file, '--host', '0.0.0.0'], '--proxy needs a loopback address as --host, got "0.0.0.0"'],
    [['--proxy', 'http://service.example', '--record', file], '--proxy must be a https: URL, or http: on this machine'],
    [['--proxy', 'https://me:s3cret@service.example', '--record', file], 'without user, query and fragment'],
    [[...proxy, '--record', file, '--gateway', 'ws://service.example'], '--gateway must be a wss: URL'],
    [['--replay', file, '--import', 'data'], '--replay cannot be combined with --import'],
  ] as const
  for (const [args, message] of runs) {
    const { output, ended } = startMock('--port', '0', ...args)
    expect([message, await ended]).toEqual([message, [2, null]])
    expect(output.stderr).toContain(message)
    expect(output.stderr).not.toContain('s3cret')
  }
  const env = { RAPPORT_MOCK_PROXY: 'https://service.example', RAPPORT_MOCK_RECORD: file }
  const both = startMockWith({ ...env, RAPPORT_MOCK_CONTROL_ORIGIN: 'http://localhost:1' })
  expect(await both.ended).toEqual([2, null])
  expect(both.output.stderr).toContain('RAPPORT_MOCK_PROXY cannot be combined with RAPPORT_MOCK_CONTROL_ORIGIN')
})
