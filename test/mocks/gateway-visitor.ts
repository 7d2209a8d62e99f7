import { type BareClient, type Door, gatewayPeople } from './bare-gateway'

const RESUME = 6

/** Ada at the gateway, with what sends her events and what takes her session up again. */
export async function visitor(door: Door, options: Parameters<typeof gatewayPeople>[1] = {}) {
  const world = await gatewayPeople(door, options)
  const { service, ada, open } = world
  const { client, token, ready } = await world.adas()
  /** Sends as many events, whose payloads are numbered. */
  const emit = (count: number, from = 1) => {
    for (let id = from; id < from + count; id++) {
      service.gateway.emit('Relationship Add', { id: String(id) }, { to: ada })
    }
  }
  const resume = async (seq: unknown = 1, more: object = {}, at?: string) => {
    const resumed = open(at)
    await resumed.next()
    resumed.send(RESUME, { token, session_id: ready.session_id, seq, ...more })
    return resumed
  }
  return { ...world, client, token, ready, emit, resume }
}

/** The number, the name and the `id` of each event that a client has heard. */
export async function numbered(client: BareClient) {
  await client.heard()
  return client.frames.filter(({ op }) => op === 0).map(({ s, t, d }) => [s, t, (d as { id?: string }).id])
}

/** Ada at the gateway, and Grace beside her. */
export async function pairAt(door: Door) {
  const world = await visitor(door)
  const { client: g } = await world.graces()
  return { ...world, a: world.client, g, gateway: world.service.gateway }
}
