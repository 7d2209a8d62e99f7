import {
  Client,
  type ClientOptions,
  type GatewayWarning,
  isResponseMismatchError,
  type PartialUser,
  RapportError,
  type StandardSchema,
} from 'rapport-sdk'
import { createClient, gateway as gatewayPart, relationships as relationshipsPart } from 'rapport-sdk/core'
import { createMockService } from 'rapport-sdk/mocks'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { z } from 'zod'
import { endpoints } from '../../src/contract'
import { gatewayEvents } from '../../src/contract/gateway-events'
import { PartialUserSchema } from '../../src/contract/relationships'
import type { Definition, Schema } from '../../src/contract/schema'
import { createGatewayClient, READY, serveGateway } from '../servers/gateway-server'
import { json, serve } from '../servers/http-server'
import { issueLines, reasonOf, rejectionOf } from './rejection'

/** Rejects "grace" and users without a name. */
const shortNames = z.looseObject({ id: z.string(), username: z.string().max(4, 'expected at most 4 characters') })

/** The same, written by hand. */
const byHand = createSchema((user) =>
  String(Reflect.get(Object(user), 'username')).length <= 4
    ? { value: user as PartialUser }
    : { issues: [{ message: 'expected at most 4 characters', path: [{ key: 'username' }] }] },
)

type Validate = StandardSchema<PartialUser>['~standard']['validate']

function createSchema(validate: Validate): StandardSchema<PartialUser> {
  return { '~standard': { version: 1, vendor: 'test', validate } }
}

const thrower = createSchema(() => {
  throw new Error('a bug in the schema')
})

/** Creates a mock service with the friends ada, linu and grace. */
function setUp() {
  const service = createMockService()
  onTestFinished(() => void service.close())
  const create = (username: string) => service.users.create({ login: `${username}@example.com`, username })
  const [ada, linu, grace] = [create('ada'), create('linu'), create('grace')] as const
  service.relationships.befriend(ada, linu)
  service.relationships.befriend(ada, grace)
  const connection = { baseUrl: service.baseUrl, fetch: service.fetch, token: service.token(ada) }
  const open = (options: Partial<ClientOptions>) => {
    const client = new Client({ ...connection, ...options })
    onTestFinished(() => client.dispose())
    return client
  }
  return { service, ada, grace, connection, open }
}

/** Records the mismatches of a client, one line per issue. */
function mismatchesOf(client: Pick<Client, 'on'>): string[] {
  const lines: string[] = []
  client.on('responseMismatch', (event) => lines.push(`${event.endpoint}: ${issueLines(event).join('; ')}`))
  return lines
}

const GRACE = '[1].user.username invalid_value: expected at most 4 characters'

describe('a schema of users', () => {
  it.each([
    ['of Zod', shortNames],
    ['written by hand', byHand],
    ['that is asynchronous', createSchema(async (user) => byHand['~standard'].validate(user))],
  ])(
    'a user schema %s reports an invalid user in a list by its path, and the list stays as received',
    async (_, userSchema) => {
      const { open } = setUp()
      const client = open({ userSchema })
      const mismatches = mismatchesOf(client)

      const list = await client.relationships.list()

      expect(mismatches).toEqual([`Get Relationships: ${GRACE}`])
      expect(list).toEqual(await open({}).relationships.list())
    },
  )

  it('rejects a call whose response has an invalid user if onResponseMismatch is "throw"', async () => {
    const { open } = setUp()
    const call = open({ userSchema: shortNames, onResponseMismatch: 'throw' }).relationships.list()
    expect(issueLines(await rejectionOf(call, isResponseMismatchError))).toEqual([GRACE])
  })

  it('it is not called if onResponseMismatch is "ignore"', async () => {
    const { open } = setUp()
    const validate = vi.fn<Validate>(byHand['~standard'].validate)
    const client = open({ userSchema: createSchema(validate), onResponseMismatch: 'ignore' })
    expect(await client.relationships.list()).toHaveLength(2)
    expect(validate).not.toHaveBeenCalled()
  })

  it('accepts valid users, and its transforms and defaults do not change them', async () => {
    const { open } = setUp()
    const userSchema = z.object({
      id: z.string(),
      username: z.string().toUpperCase(),
      color: z.string().default('red'),
    })
    const client = open({ userSchema, onResponseMismatch: 'throw' })
    expect(await client.relationships.list()).toEqual(await open({}).relationships.list())
  })

  it('it also checks single users, suggested users, and clients of other accounts', async () => {
    const grace = { id: '2', username: 'grace' }
    const server = await serve(json(200, { token: 'new', user: grace }), json(200, [{ suggested_user: grace }]))
    const client = new Client({ baseUrl: server.url, token: 'ada', userSchema: shortNames })
    const mismatches = mismatchesOf(client)
    await client.auth.exchangeHandoffToken({ key: 'key', handoff_token: 'handoff' })
    const sibling = client.as('linu')
    const later = mismatchesOf(sibling)
    await sibling.friendSuggestions.list()
    expect(mismatches).toEqual([expect.stringContaining(': user.username invalid_value: expected at most 4')])
    expect(later).toEqual([expect.stringContaining('[0].suggested_user.username invalid_value: expected at most 4')])
  })

  it('leaves users that are absent, or no objects, to the check of the API', async () => {
    const server = await serve(json(200, [{ id: '1', type: 1, user: 'grace' }, 5, null, { id: '2', type: 1 }]))
    const validate = vi.fn<Validate>(byHand['~standard'].validate)
    const userSchema = createSchema(validate)
    const client = new Client({ baseUrl: server.url, token: 'ada', userSchema })
    const mismatches = mismatchesOf(client)
    await client.relationships.list()
    expect(mismatches).toHaveLength(1)
    expect(validate).not.toHaveBeenCalled()
  })

  it('reports the first 100 invalid users of a response', async () => {
    const user = { id: '2', username: 'grace' }
    const list = Array.from({ length: 1000 }, (_, index) => ({
      id: `${index}`,
      type: 1,
      nickname: null,
      user,
      user_ignored: false,
    }))
    const server = await serve(json(200, list))
    const client = new Client({ baseUrl: server.url, token: 'ada', userSchema: shortNames })
    const mismatches = mismatchesOf(client)
    expect(await client.relationships.list()).toHaveLength(1000)
    expect(mismatches).toHaveLength(1)
    expect(mismatches[0]?.split('; ')).toHaveLength(100)
  })

  it.each([
    ['throws', thrower],
    ['rejects', createSchema(async (user) => thrower['~standard'].validate(user))],
    ['throws inside of Zod', z.looseObject({ id: z.string() }).refine(() => thrower['~standard'].validate(0))],
    ['returns nothing', createSchema(() => undefined as never)],
  ])('rejects the call if it %s, and says that the service has processed it', async (_, userSchema) => {
    const { open } = setUp()
    const error = await reasonOf(open({ userSchema }).relationships.list())
    expect(error).toBeInstanceOf(RapportError)
    expect(error).toMatchObject({
      message: expect.stringMatching(/^Get Relationships: `userSchema` threw .* The service has processed the request/),
      cause: expect.any(Error),
    })
  })

  it('cannot put the token into a message', async () => {
    const { open, connection } = setUp()
    const userSchema = createSchema(() => ({
      issues: [{ message: `sent ${connection.token}`, path: [connection.token] }],
    }))
    const error = await reasonOf(open({ userSchema, onResponseMismatch: 'throw' }).relationships.list())
    expect(`${JSON.stringify(error)} ${String(error)}`).not.toContain(connection.token)
  })

  it('it is called by clients of createClient, too', async () => {
    const { connection } = setUp()
    const client = createClient({ ...connection, userSchema: shortNames }, { relationships: relationshipsPart })
    const mismatches = mismatchesOf(client)
    await client.relationships.list()
    expect(mismatches).toEqual([`Get Relationships: ${GRACE}`])
  })

  it('it is refused when the client is created if it is not a Standard Schema', () => {
    const userSchema = { parse: () => {} } as unknown as StandardSchema<PartialUser>
    expect(() => new Client({ baseUrl: 'https://service.example', userSchema })).toThrow(
      'userSchema: expected a Standard Schema, with `~standard`, got an object',
    )
  })

  it('no union, record or rule of the API contains users, where they would not be found', () => {
    const hidden: string[] = []
    const open = new Set<unknown>()
    const contains = (schema: Schema<unknown>, name: string): boolean => {
      if (schema === PartialUserSchema) return true
      // Some schemas contain themselves.
      if (open.has(schema)) return false
      open.add(schema)
      const { kind, of, more } = schema as Definition
      const below = kind === 'object' ? [...Object.values(of), ...(more ? [more] : [])] : of
      const children = Array.isArray(below) ? (below as unknown[]) : [below]
      const isFound = children.some(
        (child) => typeof child === 'object' && child !== null && contains(child as Schema<unknown>, name),
      )
      if (isFound && (kind === 'union' || kind === 'rule')) hidden.push(name)
      if (kind === 'object' && more && contains(more, name)) hidden.push(name)
      open.delete(schema)
      return isFound
    }
    const responses = endpoints.map(({ endpoint }) => [endpoint.name, endpoint.response] as const)
    const events = Object.values(gatewayEvents).map(({ name, payload }) => [name, payload] as const)
    const found = [...responses, ...events].filter(([name, schema]) => schema && contains(schema, name))
    expect(found.map(([name]) => name)).toContain('Get Relationships')
    expect(hidden).toEqual([])
  })
})

describe('the users of events', () => {
  function connect(options: Partial<ClientOptions>) {
    const { service, ada, grace, open, connection } = setUp()
    const gateway = { url: service.gateway.url, WebSocket: service.WebSocket }
    const client = open({ gateway, ...options })
    const warnings: GatewayWarning[] = []
    client.gateway.on('warning', (warning) => warnings.push(warning))
    return { service, ada, grace, client, warnings, connection: { ...connection, gateway } }
  }

  it.each(['report', 'throw'] as const)(
    'an event with an invalid user is warned about and emitted if onResponseMismatch is "%s"',
    async (onResponseMismatch) => {
      const { service, ada, client, warnings } = connect({ userSchema: shortNames, onResponseMismatch })
      await client.gateway.connect()
      const before = warnings.length
      const barbara = service.users.create({ login: 'barbara@example.com', username: 'barbara' })
      const added = client.gateway.waitFor('relationshipAdd')
      service.relationships.befriend(ada, barbara)
      expect((await added).user.username).toBe('barbara')
      await vi.waitFor(() => expect(warnings.length).toBeGreaterThan(before))
      expect(warnings.slice(before)).toEqual([
        {
          code: 'invalid_user',
          message: 'received an invalid user in Relationship Add',
          event: 'relationshipAdd',
          issues: [expect.objectContaining({ path: ['user', 'username'], message: 'expected at most 4 characters' })],
        },
      ])
    },
  )

  it('an event with a valid user, or with an ignored mismatch, causes no warning', async () => {
    for (const options of [
      { userSchema: z.looseObject({ id: z.string() }) },
      { userSchema: thrower, onResponseMismatch: 'ignore' as const },
    ]) {
      const { service, ada, client, warnings } = connect(options)
      await client.gateway.connect()
      const added = client.gateway.waitFor('relationshipAdd')
      service.relationships.befriend(ada, service.users.create({ login: 'barbara@example.com', username: 'barbara' }))
      await added
      await Promise.resolve()
      expect(warnings).toEqual([])
    }
  })

  it('an invalid signed-in user of Ready is warned about, and the session has it as received', async () => {
    const user = { id: '7', username: 'grace' }
    const server = await serveGateway({ onIdentify: (peer) => peer.ready({ ...READY, user }) })
    const client = createGatewayClient(server, { userSchema: shortNames })
    const warnings: GatewayWarning[] = []
    client.gateway.on('warning', (warning) => warnings.push(warning))
    await client.gateway.connect()
    await vi.waitFor(() => expect(warnings).toHaveLength(1))
    expect(warnings).toMatchObject([{ code: 'invalid_user', event: 'ready', issues: [{ path: ['user', 'username'] }] }])
    expect(client.session.user).toEqual(user)
  })

  it('a live store keeps an invalid user and does not load its list again', async () => {
    const { service, ada, client, warnings } = connect({ userSchema: shortNames })
    await client.gateway.connect()
    const store = client.relationships.live()
    await store.ready
    const loads = service.journal.find('Get Relationships').length
    const barbara = service.users.create({ login: 'barbara@example.com', username: 'barbara' })
    service.relationships.befriend(ada, barbara)
    await vi.waitFor(() => expect(store.get(barbara.id)?.user.username).toBe('barbara'))
    await vi.waitFor(() => expect(warnings.map(({ event }) => event)).toContain('relationshipAdd'))
    expect(store.stale).toBe(false)
    expect(service.journal.find('Get Relationships')).toHaveLength(loads)
  })

  it('a user schema that throws is emitted as an error of the gateway, and the event is emitted', async () => {
    const { service, ada, client } = connect({ userSchema: thrower })
    const errors: unknown[] = []
    client.gateway.on('error', (error) => errors.push(error))
    await client.gateway.connect()
    errors.length = 0
    const added = client.gateway.waitFor('relationshipAdd')
    service.relationships.befriend(ada, service.users.create({ login: 'barbara@example.com', username: 'barbara' }))
    await added
    await vi.waitFor(() => expect(errors).toHaveLength(1))
    expect(errors).toMatchObject([{ reason: 'schema_threw', cause: { message: 'a bug in the schema' } }])
    expect(client.gateway.state).toBe('ready')
  })

  it('a user schema that throws is logged if nothing listens to errors of the gateway', async () => {
    const error = vi.fn()
    const { service, ada, client } = connect({ userSchema: thrower, logger: { error } })
    await client.gateway.connect()
    service.relationships.befriend(ada, service.users.create({ login: 'barbara@example.com', username: 'barbara' }))
    await vi.waitFor(() => expect(error).toHaveBeenCalled())
    expect(error.mock.calls[0]?.[1]).toMatchObject({ message: 'a bug in the schema' })
  })

  it('a client of createClient checks the users of events, too', async () => {
    const { service, ada, connection } = connect({})
    const client = createClient({ ...connection, userSchema: byHand }, { gateway: gatewayPart })
    onTestFinished(() => client.dispose())
    const warning = client.gateway.waitFor('warning', { filter: ({ event }) => event === 'relationshipAdd' })
    await client.gateway.connect()
    service.relationships.befriend(ada, service.users.create({ login: 'barbara@example.com', username: 'barbara' }))
    expect(await warning).toMatchObject({ code: 'invalid_user', issues: [{ path: ['user', 'username'] }] })
  })
})
