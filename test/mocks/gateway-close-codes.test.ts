import { describe, expect, it } from 'vitest'
import { type BareClient, doors, gatewayPeople, type Ready } from './bare-gateway'
import { visitor } from './gateway-visitor'

const [IDENTIFY, RESUME] = [2, 6]

describe.each(doors)('a client, $name', (door) => {
  it.each<[string, (client: BareClient, token: string, ready: Ready) => void, number]>([
    ['a token that is not valid', (client) => client.send(IDENTIFY, { token: 'made up' }), 4004],
    ['a resume with one', (client) => client.send(RESUME, { token: '', session_id: 'x', seq: 1 }), 4004],
    ['what is no JSON', (client) => client.socket.send('{"op":'), 4002],
    ['what is no frame', (client) => client.socket.send('[]'), 4002],
    ['what goes too deep', (client) => client.socket.send('['.repeat(5000)), 4002],
    ['identifying without a token', (client) => client.send(IDENTIFY, {}), 4002],
    [
      'a resume without a number',
      (client, token, { session_id }) => client.send(RESUME, { token, session_id, seq: null }),
      4002,
    ],
    [
      'a resume from what was never sent',
      (client, token, { session_id }) => client.send(RESUME, { token, session_id, seq: 2 }),
      4007,
    ],
    [
      'a resume from below nothing',
      (client, token, { session_id }) => client.send(RESUME, { token, session_id, seq: -1 }),
      4007,
    ],
    ['a frame of an unknown kind', (client) => client.send(3, {}), 4003],
  ])('is refused for %s', async (_, act, code) => {
    const { open, token, ready, service } = await visitor(door)
    const client = open()
    await client.next()
    act(client, token, ready)
    const { reason, ...closed } = await client.closed
    expect(closed).toEqual({ code })
    expect(reason).not.toBe('')
    expect(JSON.stringify([reason, service.gateway.journal])).not.toContain(token)
  })

  it('has a connection to itself: a second one is refused', async () => {
    for (const op of [IDENTIFY, RESUME]) {
      const { client, token, ready } = await visitor(door)
      client.send(op, { token, session_id: ready.session_id, seq: 1 })
      expect(await client.closed).toMatchObject({ code: 4005 })
    }
  })

  it('takes frames of unknown kinds where the service is not strict', async () => {
    const strict = await visitor(door)
    strict.client.send(3, {})
    expect(await strict.client.closed).toMatchObject({ code: 4001 })
    const loose = await visitor(door, { strict: false })
    loose.client.send(3, {})
    expect(await loose.client.heard()).toEqual([])
  })

  it('is closed with the codes of the policy', async () => {
    const { open } = await gatewayPeople(door, { policy: { gateway: { closeCodes: { authenticationFailed: 4901 } } } })
    const client = open()
    await client.next()
    client.send(IDENTIFY, { token: 'made up' })
    expect(await client.closed).toMatchObject({ code: 4901 })
  })

  it('is refused with 1011 for a mistake of the policy, which it tells as far as there is room', async () => {
    const resumeUrl = () => {
      throw new Error(`resumeUrl ${'é'.repeat(100)}`)
    }
    const { open, service, ada } = await gatewayPeople(door, { policy: { gateway: { resumeUrl } } })
    const client = open()
    await client.next()
    client.send(IDENTIFY, { token: service.token(ada) })
    const { code, reason } = await client.closed
    expect([code, reason]).toEqual([1011, expect.stringMatching(/^the mock service failed: resumeUrl é+$/)])
  })
})
