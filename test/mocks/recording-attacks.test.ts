import { writeFileSync } from 'node:fs'
import { createMockService } from 'rapport-sdk/mocks'
import { listen } from 'rapport-sdk/mocks/node'
import { expect, it, onTestFinished } from 'vitest'
import { WebSocket } from 'ws'
import { mockCommand, newFile, startRecording } from './command'
import { startControl } from './control'
import { createFrameClient } from './gateway-client'
import { sendRaw } from './raw-sockets'

const { startMock } = mockCommand()

const page = 'https://app.example'
const token = 's3cret-of-control'
const deep = (levels: number): unknown => JSON.parse(`${'['.repeat(levels)}${']'.repeat(levels)}`)

/** Returns a recording of a call with this response, by the account of `token-1`. */
const recorded = (response: object, path = '/auth/sessions') => ({
  version: 1,
  entries: [
    {
      kind: 'call',
      order: 1,
      account: 'account-1',
      endpoint: 'Get Auth Sessions',
      request: { path, query: {}, headers: { authorization: 'token-1' } },
      response: { status: 200, headers: {}, ...response },
    },
  ],
})

/** Returns a recording of a gateway connection with these entries of the service after Identify. */
const recordedFrames = (...entries: object[]) => ({
  version: 1,
  entries: [
    { kind: 'frame', from: 'client', frame: { op: 2, d: { token: 'token-1' } } },
    ...entries.map((entry) => ({ from: 'service', ...entry })),
  ].map((entry, index) => ({ order: index + 1, account: 'account-1', connection: 1, ...entry })),
})

it.each<[string, object, string]>([
  ['a deep body', recorded({ body: deep(5000) }), 'an object in more than 100 others'],
  ['a body that JSON cannot represent', recorded({ body: new Map() }), 'entries[0].response.body: expected a value'],
  ['a deep frame', recordedFrames({ kind: 'frame', frame: deep(5000) }), 'an object in more than 100 others'],
  [
    'a header of two lines',
    recorded({ headers: { 'x-a': '1\r\nset-cookie: a=b' } }),
    'entries[0].response.headers["x-a"]: expected a header name, and a value of printable characters in one line',
  ],
  [
    'the length of a body',
    recorded({ headers: { 'Content-Length': '9' } }),
    'entries[0].response.headers["Content-Length"]: expected another header: the server sets those of the connection',
  ],
  [
    'a status that switches protocols',
    recorded({ status: 101 }),
    'entries[0].response.status: must be from 200 to 599',
  ],
  ['a key that is no field', recorded(JSON.parse('{"__proto__":{"status":201}}')), 'response.__proto__: unknown'],
  ['entries by name', { version: 1, entries: JSON.parse('{"__proto__":[]}') }, 'entries: expected an array'],
  [
    '__proto__ as its kind',
    { version: 1, entries: [{ kind: '__proto__' }] },
    'entries[0].kind: expected one of "call", "frame"',
  ],
])('a recording with %s is refused', (_, replay, message) => {
  expect(() => createMockService({ replay })).toThrow(message)
})

it('the command names the place of a damaged recording, and quotes nothing of it', async () => {
  const file = newFile()
  writeFileSync(file, JSON.stringify(recorded({ body: { note: token } }), null, 1).slice(0, -20))
  const { output, ended } = startMock('--port', '0', '--replay', file)
  expect(await ended).toEqual([2, null])
  expect(output.stderr).toMatch(/^rapport-mock: .*recording\.json:\d+:\d+: /)
  expect(output.stderr).not.toContain(token)
})

it('keys of a recorded body that a prototype has are fields like others', async () => {
  const body = JSON.parse('{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}')
  const { call } = await startControl({ service: { replay: recorded({ body }) } })
  const { status, body: received } = await call('GET /api/auth/sessions', undefined, { authorization: 'token-1' })
  expect([status, JSON.stringify(received)]).toEqual([200, JSON.stringify(body)])
  expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false)
})

it.each([1000, 1004, 1005, 1006, 1015, 1016, 2999, 3000])(
  'a connection that was closed with %i ends, and the mock goes on',
  async (code) => {
    const { service, server, call } = await startControl({
      service: { replay: recordedFrames({ kind: 'close', code }) },
    })
    const client = createFrameClient(new WebSocket(server.gatewayUrl))
    await client.next()
    client.send(2, { token: 'token-1' })
    const isSent = code === 1000 || code === 3000
    expect((await client.closed).code).toBe(isSent ? code : 1006)
    expect((await call('GET /_mock/users')).body).toMatchObject({ items: [{ id: service.users.all()[0]?.id }] })
  },
)

it('an error of a large recording lists few of its tokens', async () => {
  const [entry] = recorded({}).entries
  const entries = Array.from({ length: 20_000 }, (_, index) => ({
    ...entry,
    order: index + 1,
    request: { path: '/auth/sessions', query: {}, headers: { authorization: `token-${index}` } },
  }))
  const { call } = await startControl({ service: { replay: { version: 1, entries } } })
  const refused = await call<{ message: string }>('GET /api/auth/sessions', undefined, { authorization: 'other' })
  expect(refused.status).toBe(401)
  expect(refused.body.message.length).toBeLessThan(500)
})

it('the control API of a replay needs its token and a listed origin, and no recorded path takes its place', async () => {
  const replay = recorded({ body: { user_sessions: [] } }, '/_mock/users')
  const control = { token, origins: [page] }
  const { server, service } = await startControl({ service: { baseUrl: 'http://localhost', replay }, control })
  const bearer = `Authorization: Bearer ${token}`
  const statusOf = async (line: string, ...headers: string[]) =>
    (await sendRaw(server.port, line, ['Host: localhost', ...headers])).status
  for (const line of ['GET /_mock/users', 'DELETE /_mock/users', 'POST /_mock/reset', 'GET /_mock/requests']) {
    expect([line, await statusOf(line)]).toEqual([line, 403])
    // The token of the recording is none of the control API.
    expect([line, await statusOf(line, 'Authorization: Bearer token-1')]).toEqual([line, 403])
    expect([line, await statusOf(line, bearer, 'Origin: https://evil.example')]).toEqual([line, 403])
  }
  expect(service.users.all()).toHaveLength(1)
  const { status, body } = await sendRaw(server.port, 'GET /_mock/users', [
    'Host: localhost',
    bearer,
    `Origin: ${page}`,
  ])
  expect([status, JSON.parse(body).items]).toEqual([200, service.users.all()])
})

it('a reset and a new namespace start the recording again, each for itself', async () => {
  const replay = recorded({ body: { user_sessions: [] } })
  const { call, control } = await startControl({ service: { replay } })
  const statusOf = async (path: '' | `/${string}`) =>
    (await call(`GET ${path}/api/auth/sessions` as const, undefined, { authorization: 'token-1' })).status
  expect([await statusOf(''), await statusOf('/_ns/worker-1'), await statusOf('')].slice(1)).toEqual([200, 404])
  expect((await control('POST /reset')).status).toBe(204)
  expect([await statusOf(''), await statusOf('/_ns/worker-1')]).toEqual([200, 404])
})

it('a proxy that records has no control API, sends none of its calls to the service, and records none', async () => {
  const service = createMockService({ baseUrl: 'http://localhost' })
  const server = await listen(service, { control: { token } })
  onTestFinished(() => service.close())
  const ada = service.users.create({ login: 'ada@example.com', username: 'ada' })
  const recording = await startRecording(startMock, server.url)
  const port = Number(new URL(recording.url).port)
  const bearer = `Authorization: Bearer ${token}`
  for (const line of [
    'GET /_mock/users',
    'GET /_mock/',
    'DELETE /_mock/users',
    'GET /_mock/health',
    'GET /_ns/worker-1/_mock/users',
    'GET //_mock/users',
    'GET /users/../_mock/users',
    'GET /users/%2e%2e/_mock/users',
    'GET /%5fmock/users',
  ]) {
    const { status } = await sendRaw(port, line, ['Host: localhost', bearer])
    expect([line, status]).toEqual([line, 404])
  }
  const foreign = ['Host: localhost', bearer, 'Origin: https://evil.example']
  expect((await sendRaw(port, 'DELETE /_mock/users', foreign)).status).toBe(403)
  expect((await sendRaw(port, 'GET /_mock/users', ['Host: evil.example', bearer])).status).toBe(403)
  expect(await recording.stop()).toEqual([0, null])
  expect(recording.text()).not.toContain(token)
  expect(recording.entries()).toEqual([])
  expect([service.journal.requests, service.users.all()]).toEqual([[], [ada]])
})

it('the options of the control API are refused for a proxy, without printing the token', async () => {
  for (const more of [
    ['--control-token', token],
    ['--control-origin', page],
  ]) {
    const args = ['--proxy', 'http://localhost:1', '--record', newFile(), ...more]
    const { output, ended } = startMock(...args)
    expect(await ended).toEqual([2, null])
    expect(output.stderr).toContain(more[0])
    expect(output.stderr + output.stdout).not.toContain(token)
  }
})
