import { Ajv2020 } from 'ajv/dist/2020'
import { Client, defaultGatewayProtocol, type GatewayProtocol } from 'rapport-sdk'
import { createMockService } from 'rapport-sdk/mocks'
import { listen } from 'rapport-sdk/mocks/node'
import { expect, onTestFinished, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import { asyncApi } from '../../scripts/interface/asyncapi'

interface CloseCode {
  readonly code: number
  readonly reaction: string
}

interface Schema {
  readonly title?: string
  readonly properties: Readonly<Record<string, Schema | undefined>>
}

const document = asyncApi('0.0.0') as unknown as {
  readonly asyncapi: string
  readonly servers: Readonly<Record<string, { readonly protocol: string }>>
  readonly channels: { readonly gateway: { readonly address: string; readonly 'x-close-codes': readonly CloseCode[] } }
  readonly operations: Readonly<Record<string, { readonly action: string; readonly messages: { $ref: string }[] }>>
  readonly components: {
    readonly messages: Readonly<Record<string, { readonly payload: Schema }>>
  }
}
const { gateway } = document.channels
const ajv = new Ajv2020({ strict: false, formats: { 'date-time': true } }).addSchema(document, 'asyncapi.json')

/** Returns the names of messages that a client sends or receives. */
function namesOf(action: 'send' | 'receive'): string[] {
  const operations = Object.values(document.operations).filter((operation) => operation.action === action)
  return operations.flatMap(({ messages }) => messages.map(({ $ref }) => $ref.split('/').at(-1) ?? ''))
}

/** Returns the names of the messages that a frame is valid as. */
function messagesOf(action: 'send' | 'receive', frame: unknown): string[] {
  return namesOf(action).filter((key) => ajv.validate(`asyncapi.json#/components/messages/${key}/payload`, frame))
}

/** Connects two users over WebSocket and records the frames that the first sends and receives. */
async function connectRecorded() {
  const service = createMockService({ seed: 7, policy: { gateway: { heartbeatInterval: 200 } } })
  const server = await listen(service)
  const ada = service.users.create({ login: 'ada@example.test', username: 'ada' })
  const grace = service.users.create({ login: 'grace@example.test', username: 'grace' })
  const sent: unknown[] = []
  const received: unknown[] = []
  const protocol: GatewayProtocol = {
    ...defaultGatewayProtocol,
    encode(frame) {
      sent.push(frame)
      return defaultGatewayProtocol.encode(frame)
    },
    decode(data) {
      received.push(JSON.parse(String(data)))
      return defaultGatewayProtocol.decode(data)
    },
  }
  const clientOf = (user: typeof ada, options: object) =>
    new Client({ baseUrl: server.url, token: service.token(user), gateway: { url: server.gatewayUrl, ...options } })
  const client = clientOf(ada, { protocol })
  const other = clientOf(grace, {})
  onTestFinished(async () => {
    client.dispose()
    other.dispose()
    await server.close()
    await service.close()
  })
  await client.gateway.connect()
  return { service, server, ada, grace, client, other, sent, received }
}

test('the frames of a client and of the mock are the messages of the AsyncAPI document', async () => {
  const { service, ada, grace, client, other, sent, received } = await connectRecorded()
  service.applications.create({ owner: ada })
  const sets = (event: Parameters<typeof client.gateway.waitFor>[0], act: () => unknown) =>
    Promise.all([client.gateway.waitFor(event), act()])

  await sets('relationshipAdd', () => other.relationships.sendRequest({ username: 'ada', discriminator: null }))
  await sets('relationshipUpdate', () => client.relationships.ignore(grace.id))
  await sets('relationshipRemove', () => client.relationships.delete(grace.id))
  await sets('gameRelationshipAdd', () => client.gameRelationships.sendRequest({ username: 'grace' }))
  await sets('gameRelationshipRemove', () => client.gameRelationships.delete(grace.id))
  service.users.suggest(ada, grace)
  await sets('friendSuggestionDelete', () => client.friendSuggestions.delete(grace.id))
  service.gateway.emit('Auth Session Change', { auth_session_id_hash: 'a hash' }, { to: ada })
  await sets('resumed', () => service.gateway.reconnect())
  service.gateway.sendRaw({ op: 1, d: null, s: null, t: null })
  await sets('resumed', () => service.gateway.invalidSession(true))
  await vi.waitFor(() => expect(received.map((frame) => Object(frame).op)).toContain(11))

  for (const [action, frames] of [
    ['send', sent],
    ['receive', received],
  ] as const) {
    for (const frame of frames) expect(messagesOf(action, frame), JSON.stringify(frame)).toHaveLength(1)
    const seen = new Set(frames.flatMap((frame) => messagesOf(action, frame)))
    expect([...seen].sort()).toEqual(namesOf(action).sort())
  }
})

test.each<[string, unknown]>([
  ['Identify without a token', { op: 2, d: {} }],
  ['Identify with a number as its token', { op: 2, d: { token: 5 } }],
  ['Resume without a session', { op: 6, d: { token: 'x', seq: 1 } }],
  ['Resume without a sequence number', { op: 6, d: { token: 'x', session_id: 'y' } }],
  ['Resume with a fraction as its sequence number', { op: 6, d: { token: 'x', session_id: 'y', seq: 1.5 } }],
  ['an operation that is a string', { op: '2', d: { token: 'x' } }],
  ['a string', 'op'],
])('%s, which the mock refuses, is not a message of the AsyncAPI document', async (_, frame) => {
  expect(messagesOf('send', frame)).toEqual([])
  const { server } = await connectRecorded()
  const socket = new WebSocket(server.gatewayUrl)
  socket.on('open', () => socket.send(JSON.stringify(frame)))
  expect(await new Promise((resolve) => socket.on('close', resolve))).toBe(4002)
})

test('the AsyncAPI document has the address of the mock, and a secure one', async () => {
  const { server } = await connectRecorded()
  expect(new URL(server.gatewayUrl).pathname).toBe(gateway.address)
  expect(Object.values(document.servers).map(({ protocol }) => protocol)).toEqual(['wss', 'ws'])
})

test('the AsyncAPI document has the close codes of the default protocol', () => {
  const reactionTo = (code: number) => gateway['x-close-codes'].find((one) => one.code === code)?.reaction
  const reactions = { fatal: 'does not reconnect', fresh: 'reconnects and sends Identify' }
  for (const code of [4004, 4010, 4011, 4012, 4013, 4014]) expect(reactionTo(code)).toBe(reactions.fatal)
  for (const code of [4003, 4007, 4009]) expect(reactionTo(code)).toBe(reactions.fresh)
  for (const code of [1001, 4001, 4002, 4005]) expect(reactionTo(code)).toBe('reconnects and sends Resume')
})

// Generators of code name a type by the title of its schema, and without one AnonymousSchema_1.
test('every payload of the AsyncAPI document and its data have a title of their own', () => {
  const payloads = Object.values(document.components.messages).map(({ payload }) => payload)
  const data = payloads.flatMap(({ properties: { d } }) => (d?.properties ? [d] : []))
  expect(data).toHaveLength(3)
  const titles = [...payloads, ...data].map(({ title }) => title)
  expect(titles).not.toContain(undefined)
  expect(new Set(titles).size).toBe(titles.length)
})

test('no reference of the AsyncAPI document is in an allOf, which generators of code give a type without a name', () => {
  expect(JSON.stringify(document)).not.toContain('"allOf"')
})

// Modelina reads no later version.
test('the AsyncAPI document is of version 3.0.0', () => {
  expect(document.asyncapi).toBe('3.0.0')
})
