import { Client, type GatewayOptions, isRequestValidationError } from 'rapport-sdk'
import { createMockService } from 'rapport-sdk/mocks'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { events } from '../../examples/bots/service'

const press = { id: '1', channel_id: '300', user: { id: '7' }, data: { custom_id: 'vote(tea)' } }

/** Creates a client of the mock whose gateway has these options, and connects it. */
async function connect(options: Partial<GatewayOptions> = { events }) {
  const service = createMockService()
  const ada = service.users.create({ login: 'ada@example.test', username: 'ada' })
  const client = new Client({
    baseUrl: service.baseUrl,
    fetch: service.fetch,
    token: service.token(ada),
    gateway: { url: service.gateway.url, WebSocket: service.WebSocket, ...options },
  })
  onTestFinished(() => {
    client.dispose()
    service.close()
  })
  const warnings: unknown[] = []
  client.gateway.on('warning', ({ code, event, issues }) =>
    warnings.push([code, event, issues?.map(({ path }) => path)]),
  )
  await client.gateway.connect()
  return { service, client, warnings, emit: (data: unknown) => service.gateway.emit('interactionCreate', data) }
}

/** Returns the paths and messages of the issues of options. */
function issuesOf(gateway: object) {
  try {
    new Client({ baseUrl: 'https://service.example', gateway: { url: 'wss://service.example', ...gateway } }).dispose()
  } catch (error) {
    if (isRequestValidationError(error)) return error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`)
    throw error
  }
  return []
}

describe('an event of the app', () => {
  test('reaches listeners, waiters and streams by its name, and dispatch by its name on the wire', async () => {
    const { client, warnings, emit } = await connect()
    const received: unknown[] = []
    client.gateway.on('interactionCreate', ({ data }) => received.push(data.custom_id))
    client.gateway.once('interactionCreate', ({ data }) => received.push(data.custom_id))
    client.gateway.on('dispatch', ({ type }) => received.push(type))
    const stream = client.gateway.stream(['interactionCreate'])
    const waited = client.gateway.waitFor('interactionCreate', { filter: ({ user }) => user.id === '7' })
    emit(press)
    expect(await waited).toEqual(press)
    expect((await stream.next()).value).toEqual({ type: 'interactionCreate', data: press })
    expect(received).toEqual(['INTERACTION_CREATE', 'vote(tea)', 'vote(tea)'])
    expect(warnings).toEqual([])
  })

  test('each listener receives its own copy', async () => {
    const { client, emit } = await connect()
    client.gateway.on('interactionCreate', (event) => {
      event.data.custom_id = 'changed'
    })
    const waited = client.gateway.waitFor('interactionCreate')
    emit(press)
    expect(await waited).toEqual(press)
  })

  test('an invalid payload is reported without values, and emitted only as dispatch', async () => {
    const { client, warnings, emit } = await connect()
    const listener = vi.fn()
    client.gateway.on('interactionCreate', listener)
    const dispatched = client.gateway.waitFor('dispatch', { filter: ({ type }) => type === 'INTERACTION_CREATE' })
    emit({ ...press, user: { id: 7 } })
    expect((await dispatched).data).toEqual({ ...press, user: { id: 7 } })
    expect(listener).not.toHaveBeenCalled()
    expect(warnings).toEqual([['invalid_payload', 'interactionCreate', [['user', 'id']]]])
  })

  test('a schema may be asynchronous, and transform the payload', async () => {
    const schema = {
      '~standard': {
        version: 1 as const,
        vendor: 'test',
        validate: (value: unknown) => Promise.resolve({ value: { ...press, ...Object(value), id: 'transformed' } }),
      },
    }
    const { client, emit } = await connect({ events: { INTERACTION_CREATE: { name: 'interactionCreate', schema } } })
    const waited = client.gateway.waitFor('interactionCreate')
    emit(press)
    expect(await waited).toEqual({ ...press, id: 'transformed' })
  })

  test.each([
    [
      'throws',
      () => {
        throw new Error('broken')
      },
    ],
    ['rejects', () => Promise.reject(new Error('broken'))],
    ['returns nothing', () => JSON.parse('null')],
  ])('a schema that %s is reported as an error', async (_, validate) => {
    const schema = { '~standard': { version: 1 as const, vendor: 'test', validate } }
    const { client, emit } = await connect({ events: { INTERACTION_CREATE: { name: 'interactionCreate', schema } } })
    const error = client.gateway.waitFor('error')
    emit(press)
    expect(await error).toMatchObject({ reason: 'schema_threw' })
  })

  test('it is emitted as it is, without a warning, if it has no schema', async () => {
    const declared = JSON.parse('{ "INTERACTION_CREATE": { "name": "interactionCreate" } }')
    const { client, warnings, emit } = await connect({ events: declared })
    const waited = client.gateway.waitFor('interactionCreate')
    emit(5)
    expect(await waited).toBe(5)
    expect(warnings).toEqual([])
  })

  test('it is still unknown if it is not declared', async () => {
    const { client, warnings, service } = await connect()
    const dispatched = client.gateway.waitFor('dispatch', { filter: ({ type }) => type === 'TYPING_START' })
    service.gateway.emit('TYPING_START', {})
    await dispatched
    expect(warnings).toEqual([['unknown_event', 'TYPING_START', undefined]])
  })

  test('a listener of an event that is not declared is refused', async () => {
    const { client } = await connect({})
    expect(() => client.gateway.on('interactionCreate', () => {})).toThrow('interactionCreate: unknown')
    await expect(client.gateway.waitFor('interactionCreate')).rejects.toThrow('interactionCreate: unknown')
  })
})

describe('the option events', () => {
  test.each(['ready', 'relationshipAdd', 'resumed', 'dispatch', 'error', ''])('the name %j is refused', (name) => {
    expect(issuesOf({ events: { MINE: { name } } })).toEqual([
      'gateway.events.MINE.name: expected a name that the API and the gateway do not have',
    ])
  })

  test('an event that the API has is refused', () => {
    expect(issuesOf({ events: { RELATIONSHIP_ADD: { name: 'mine' } } })).toEqual([
      'gateway.events.RELATIONSHIP_ADD: the API has this event',
    ])
  })

  test.each([
    [5, 'gateway.events: expected an object, got 5'],
    [{ MINE: 5 }, 'gateway.events.MINE.name: expected a name that the API and the gateway do not have'],
    [
      { MINE: { name: 'mine', schema: 5 } },
      'gateway.events.MINE.schema: expected a Standard Schema, with `~standard`, got 5',
    ],
    [{ MINE: { name: 'mine', scheme: 5 } }, 'gateway.events.MINE.scheme: unknown; expected one of name, schema'],
  ])('the value %j is refused', (events, issue) => {
    expect(issuesOf({ events })).toEqual([issue])
  })
})
