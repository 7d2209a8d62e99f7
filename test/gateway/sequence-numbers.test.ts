import { describe, expect, it, test, vi } from 'vitest'
import { createGatewayClient, type Peer, READY, serveGateway } from '../servers/gateway-server'

/** Sends an event with an ID that identifies it, and a sequence number. */
const remove = (peer: Peer, id: string, sequence: number | null) =>
  peer.dispatch('RELATIONSHIP_REMOVE', { id }, sequence)

/** Connects a client that has received events up to sequence number 5. `onResume` is how the server responds to Resume. */
async function connected(onResume: (peer: Peer) => void = (peer) => peer.dispatch('RESUMED', {})) {
  const server = await serveGateway({ onResume })
  const { gateway } = createGatewayClient(server)
  const received: string[] = []
  const warnings: string[] = []
  const messages: string[] = []
  gateway.on('relationshipRemove', ({ id }) => received.push(id))
  gateway.on('warning', ({ code, message }) => {
    warnings.push(code)
    messages.push(message)
  })
  await gateway.connect()
  const peer = await server.peer()
  for (const sequence of [2, 3, 4, 5]) remove(peer, `old ${sequence}`, sequence)
  await vi.waitFor(() => expect(received).toHaveLength(4))
  received.length = 0
  /** Cuts the connection, and resolves with the connection that resumed it. */
  const resume = async () => {
    const done = gateway.waitFor('resumed')
    server.peers.at(-1)?.socket.terminate()
    await done
    return server.peers.at(-1) ?? peer
  }
  return { server, gateway, peer, received, warnings, messages, resume }
}

describe('a sequence that restarts', () => {
  it('delivers every event after a resume and marks stores stale once', async () => {
    const { resume, received, warnings, messages } = await connected()
    const peer = await resume()
    for (const sequence of [1, 2, 3, 4, 5, 6, 7]) remove(peer, `new ${sequence}`, sequence)
    await vi.waitFor(() => expect(received).toEqual([1, 2, 3, 4, 5, 6, 7].map((sequence) => `new ${sequence}`)))
    expect(warnings).toEqual(['sequence_gap'])
    expect(messages).toEqual(['the sequence number went back from 5 to 1'])
  })

  it('it is noticed after a resume even if its events equal earlier ones', async () => {
    const { resume, received, warnings } = await connected()
    const peer = await resume()
    for (const sequence of [2, 3, 4, 5]) remove(peer, `old ${sequence}`, sequence)
    await vi.waitFor(() => expect(received).toEqual(['old 2', 'old 3', 'old 4', 'old 5']))
    expect(warnings).toEqual(['sequence_gap'])
  })

  it('delivers events that are sent again', async () => {
    const { resume, received, warnings } = await connected((peer) => {
      for (const sequence of [2, 3]) remove(peer, `new ${sequence}`, sequence)
      peer.dispatch('RESUMED', {}, 4)
    })
    await resume()
    expect(received).toEqual(['new 2', 'new 3'])
    expect(warnings).toEqual(['sequence_gap'])
  })

  it('marks stores stale with the number of Resumed', async () => {
    const { resume, received, warnings } = await connected((peer) => peer.dispatch('RESUMED', {}, 1))
    const peer = await resume()
    expect(warnings).toEqual(['sequence_gap'])
    remove(peer, 'new', 2)
    await vi.waitFor(() => expect(received).toEqual(['new']))
    expect(warnings).toEqual(['sequence_gap'])
  })

  it('marks stores stale if its events are too old to compare', async () => {
    const { resume, peer, received, warnings } = await connected((next) => {
      remove(next, 'new', 3)
      next.dispatch('RESUMED', {})
    })
    for (let sequence = 6; sequence <= 100; sequence++) remove(peer, `old ${sequence}`, sequence)
    await vi.waitFor(() => expect(received).toHaveLength(95))
    const next = await resume()
    expect(warnings).toEqual(['sequence_gap'])
    received.length = 0
    remove(next, 'new', 4)
    await vi.waitFor(() => expect(received).toEqual(['new']))
  })

  it('it is used by the next resume', async () => {
    const { server, resume, received } = await connected()
    remove(await resume(), 'new', 1)
    await vi.waitFor(() => expect(received).toEqual(['new']))
    server.peers.at(-1)?.socket.terminate()
    expect(await (await server.peer(2)).expect(6)).toMatchObject({ d: { seq: 1 } })
  })

  it('delivers its events on the same connection', async () => {
    const { peer, received, warnings } = await connected()
    for (const sequence of [1, 2, 3]) remove(peer, `new ${sequence}`, sequence)
    await vi.waitFor(() => expect(received).toEqual(['new 1', 'new 2', 'new 3']))
    expect(warnings).toEqual(['sequence_gap'])
  })
})

test.each([4, 3, 0])('a sequence that jumps back to %i delivers its events', async (start) => {
  const { peer, received, warnings } = await connected()
  const numbers = Array.from({ length: 6 }, (_, index) => start + index)
  for (const sequence of numbers) remove(peer, `new ${sequence}`, sequence)
  await vi.waitFor(() => expect(received).toEqual(numbers.map((sequence) => `new ${sequence}`)))
  expect(warnings).toEqual(['sequence_gap'])
})

test.each([1_000_000, Number.MAX_SAFE_INTEGER])(
  'a sequence that jumps to %i and back delivers its events',
  async (far) => {
    const { peer, received, warnings } = await connected()
    for (const sequence of [6, far, 7, 8, 9]) remove(peer, `new ${sequence}`, sequence)
    await vi.waitFor(() => expect(received).toEqual([6, far, 7, 8, 9].map((sequence) => `new ${sequence}`)))
    expect(warnings).toEqual(['sequence_gap', 'sequence_gap'])
  },
)

describe('an event that arrives twice', () => {
  it('it is delivered once on one connection', async () => {
    const { peer, received, warnings } = await connected()
    for (const sequence of [5, 6, 6, 7, 6, 7, 8]) remove(peer, sequence === 5 ? 'old 5' : `new ${sequence}`, sequence)
    await vi.waitFor(() => expect(received).toContain('new 8'))
    expect(received).toEqual(['new 6', 'new 7', 'new 8'])
    expect(warnings).toEqual([])
  })

  it('it is delivered once if it is replayed after a resume', async () => {
    const { resume, peer, received, warnings } = await connected((next) => {
      for (let sequence = 2; sequence <= 101; sequence++) remove(next, `old ${sequence}`, sequence)
      next.dispatch('RESUMED', {}, 102)
    })
    for (let sequence = 6; sequence <= 100; sequence++) remove(peer, `old ${sequence}`, sequence)
    await vi.waitFor(() => expect(received).toHaveLength(95))
    received.length = 0
    await resume()
    expect(received).toEqual(['old 101'])
    expect(warnings).toEqual([])
  })

  it('it is delivered once if it is replayed after later ones', async () => {
    const { resume, received, warnings } = await connected((next) => {
      remove(remove(next, 'new 6', 6), 'old 5', 5).dispatch('RESUMED', {})
    })
    await resume()
    expect(received).toEqual(['new 6'])
    expect(warnings).toEqual([])
  })

  it('it is delivered once if it arrives in a replay and again after it', async () => {
    const { resume, received, warnings } = await connected((next) => {
      remove(next, 'new 6', 6).dispatch('RESUMED', {})
    })
    const peer = await resume()
    remove(remove(peer, 'new 6', 6), 'new 7', 7)
    await vi.waitFor(() => expect(received).toContain('new 7'))
    expect(received).toEqual(['new 6', 'new 7'])
    expect(warnings).toEqual([])
  })

  it('it is delivered once if it is replayed and too large to remember', async () => {
    const large = 'x'.repeat(10_000)
    const { resume, peer, received } = await connected((next) => {
      remove(next, large, 6).dispatch('RESUMED', {}, 7)
    })
    remove(peer, large, 6)
    await vi.waitFor(() => expect(received).toHaveLength(1))
    await resume()
    expect(received).toHaveLength(1)
  })
})

it('a session that gets its first sequence number from Resumed has missed nothing', async () => {
  const server = await serveGateway({
    onIdentify: (peer) => peer.dispatch('READY', READY, null),
    onResume: (peer) => peer.dispatch('RESUMED', {}, 5),
  })
  const { gateway } = createGatewayClient(server)
  const warnings: unknown[] = []
  gateway.on('warning', (warning) => warnings.push(warning))
  await gateway.connect()
  const resumed = gateway.waitFor('resumed')
  ;(await server.peer()).socket.terminate()
  await resumed
  expect(warnings).toEqual([])
  server.peers.at(-1)?.socket.terminate()
  expect(await (await server.peer(2)).expect(6)).toMatchObject({ d: { seq: 5 } })
})
