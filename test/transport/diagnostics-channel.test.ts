import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { Client, type ClientEvents } from 'rapport-sdk'
import { createMockService } from 'rapport-sdk/mocks'
import { expect, it, onTestFinished, vi } from 'vitest'
import { settle } from '../live/set-up'

interface Message {
  readonly type: string
  readonly data: Readonly<Record<string, unknown>>
}

const CHANNELS = ['rapport:call', 'rapport:gateway'] as const

/** Subscribes to all channels until the end of the test. */
function record(): { readonly messages: Record<string, Message[]>; stop(): void } {
  const messages: Record<string, Message[]> = { 'rapport:call': [], 'rapport:gateway': [] }
  const onMessage = (message: unknown, name: string | symbol) => messages[String(name)]?.push(message as Message)
  for (const channel of CHANNELS) subscribe(channel, onMessage)
  const stop = () => {
    for (const channel of CHANNELS) unsubscribe(channel, onMessage)
  }
  onTestFinished(stop)
  return { messages, stop }
}

function setUp() {
  const service = createMockService()
  onTestFinished(() => void service.close())
  const password = 'correct horse battery'
  const ada = service.users.create({ login: 'ada@example.com', password, mfa: ['totp'] })
  /** Token, JWT, and all values of bodies. */
  const sent: unknown[] = []
  const client = new Client({
    baseUrl: service.baseUrl,
    fetch: (url, init) => {
      const { authorization, 'x-service-mfa-authorization': jwt } = init.headers
      const { mfa_type, session_id_hashes, ...body } = JSON.parse(String(init.body ?? '{}'))
      sent.push(...[authorization, jwt].filter(Boolean), ...Object.values(body))
      return service.fetch(url, init)
    },
    gateway: { url: service.gateway.url, WebSocket: service.WebSocket },
    onMfaRequired: () => ({ type: 'totp', code: service.users.totp(ada) }),
  })
  onTestFinished(() => client.dispose())
  return { service, client, ada, sent, login: { login: 'ada@example.com', password } }
}

it('the channels carry a login, a step-up and a gateway connection, without a secret', async () => {
  const { messages } = record()
  const { service, client, ada, login, sent } = setUp()
  await client.auth.login(login)
  await client.auth.sessions.logout({ session_id_hashes: ['unknown'] })
  const connected = client.gateway.connect()
  await settle()
  await connected
  service.gateway.emit('Relationship Add', { id: '4815162342' }, { to: ada })
  await settle()
  service.gateway.drop()
  await settle()
  await client.gateway.disconnect()

  const [calls = [], gateway = []] = CHANNELS.map((name) => messages[name])
  const ends = calls.filter(({ type }) => type === 'callEnd').map(({ data }) => data.endpoint)
  expect(ends).toEqual(['Login Account', 'Verify MFA Login', 'Verify MFA', 'Logout Auth Sessions'])
  expect(calls.map(({ type }) => type)).toContain('mfaRequired')
  expect(gateway.slice(0, 3).map(({ data }) => data.state)).toEqual(['connecting', 'identifying', 'ready'])
  expect(gateway).toContainEqual({ type: 'dispatch', data: { type: 'relationshipAdd', sequence: expect.any(Number) } })
  const secrets = [...sent, client.session.token, '4815162342'].filter((secret) => secret !== null)
  expect(new Set(secrets).size).toBeGreaterThan(6)
  const said = JSON.stringify(messages)
  for (const secret of secrets) expect(said).not.toContain(secret)
})

it('a message is a frozen copy of exactly the fields of an event', async () => {
  const { messages } = record()
  const { client, login } = setUp()
  const events: [string, object][] = []
  for (const type of ['request', 'response', 'mfaRequired', 'callEnd'] as const satisfies (keyof ClientEvents)[])
    client.on(type, (event) => events.push([type, event]))
  await client.auth.login(login)

  const calls = messages['rapport:call'] ?? []
  expect(calls.map(({ type, data }) => [type, data])).toEqual(events)
  for (const [index, { data }] of calls.entries()) {
    expect(data).not.toBe(events[index]?.[1])
    expect([Object.isFrozen(calls[index]), Object.isFrozen(data)]).toEqual([true, true])
  }
  const methods = calls.find(({ type }) => type === 'mfaRequired')?.data.methods
  expect([methods, Object.isFrozen(methods)]).toEqual([[{ type: 'totp' }], true])
})

it('messages of a gateway have all fields of its events, except payloads of the service and causes of errors', async () => {
  const { messages } = record()
  const { service, client, ada, login } = setUp()
  await client.auth.login(login)
  const events: [string, object][] = []
  for (const type of ['stateChange', 'resumed', 'warning', 'error', 'dispatch'] as const)
    client.gateway.on(type, (event) => events.push([type, event]))
  client.gateway.on('relationshipRemove', () => {
    throw new Error('4815162342')
  })
  const connected = client.gateway.connect()
  await settle()
  await connected
  service.gateway.emit('Relationship Remove', { id: '4815162342', type: 1, since: null, nickname: null }, { to: ada })
  service.gateway.emit('Relationship Add', { id: 4815162342 }, { to: ada })
  await settle()
  const resumed = client.gateway.waitFor('resumed')
  service.gateway.drop()
  await resumed
  service.gateway.drop(4004)
  await vi.waitUntil(() => client.gateway.state === 'closed')

  const shown = (name: string) => (key: string, value: unknown) =>
    key === 'cause' || (name === 'dispatch' && key === 'data') ? undefined : value
  const expected = events.map(([type, event]) => ({ type, data: JSON.parse(JSON.stringify(event, shown(type))) }))
  expect(new Set(events.map(([type]) => type)).size).toBe(5)
  expect(messages['rapport:gateway']).toEqual(expected)
  const closed = { name: 'GatewayError', closeCode: 4004, reason: expect.any(String), message: expect.any(String) }
  expect(messages['rapport:gateway']).toContainEqual({ type: 'error', data: closed })
  expect(JSON.stringify(messages)).not.toContain('4815162342')
})

it('after the last subscriber has left, nothing is published, and no clock is read', async () => {
  const { messages, stop } = record()
  const { client } = setUp()
  stop()
  const clock = vi.spyOn(performance, 'now')
  onTestFinished(() => clock.mockRestore())
  await client.relationships.list().catch(() => {})
  expect(messages).toEqual({ 'rapport:call': [], 'rapport:gateway': [] })
})

it('a client works on a platform whose process has no built-in modules', async () => {
  const { getBuiltinModule } = process
  onTestFinished(() => void Object.assign(process, { getBuiltinModule }))
  Object.assign(process, { getBuiltinModule: undefined })
  const { messages } = record()
  const { client, login } = setUp()
  await client.auth.login(login)
  expect(messages['rapport:call']).toEqual([])
})
