import { describe, expect, it, vi } from 'vitest'
import { clientOf, type Peer, serveGateway } from './gateway-server'

/** An event that tells what it was by its ID, and has a number of its own. */
const remove = (peer: Peer, id: string, sequence: number | null) =>
  peer.dispatch('RELATIONSHIP_REMOVE', { id }, sequence)

/** A client that has received events up to number 5, of a server that answers a resume as `resumed` does. */
async function connected(resumed: (peer: Peer) => void = (peer) => peer.dispatch('RESUMED', {})) {
  const server = await serveGateway({ resumed })
  const { gateway } = clientOf(server)
  const heard: string[] = []
  const warnings: string[] = []
  const messages: string[] = []
  gateway.on('relationshipRemove', ({ id }) => heard.push(id))
  gateway.on('warning', ({ code, message }) => {
    warnings.push(code)
    messages.push(message)
  })
  await gateway.connect()
  const peer = await server.peer()
  for (const sequence of [2, 3, 4, 5]) remove(peer, `old ${sequence}`, sequence)
  await vi.waitFor(() => expect(heard).toHaveLength(4))
  heard.length = 0
  /** Cuts the connection, and resolves with the one that has resumed it. */
  const resume = async () => {
    const done = gateway.waitFor('resumed')
    server.peers.at(-1)?.socket.terminate()
    await done
    return server.peers.at(-1) ?? peer
  }
  return { server, gateway, peer, heard, warnings, messages, resume }
}

describe('a sequence that restarts', () => {
  it('a sequence that restarts after a resume delivers every event and marks stores stale once', async () => {
    const { resume, heard, warnings, messages } = await connected()
    const peer = await resume()
    for (const sequence of [1, 2, 3, 4, 5, 6, 7]) remove(peer, `new ${sequence}`, sequence)
    await vi.waitFor(() => expect(heard).toEqual([1, 2, 3, 4, 5, 6, 7].map((sequence) => `new ${sequence}`)))
    expect(warnings).toEqual(['sequence_gap'])
    expect(messages).toEqual(['the numbers of events went back from 5 to 1'])
  })

  it('a sequence that restarts after a resume is noticed even if its events equal earlier ones', async () => {
    const { resume, heard, warnings } = await connected()
    const peer = await resume()
    for (const sequence of [2, 3, 4, 5]) remove(peer, `old ${sequence}`, sequence)
    await vi.waitFor(() => expect(heard).toEqual(['old 2', 'old 3', 'old 4', 'old 5']))
    expect(warnings).toEqual(['sequence_gap'])
  })

  it('a sequence that restarts delivers events that are sent again', async () => {
    const { resume, heard, warnings } = await connected((peer) => {
      for (const sequence of [2, 3]) remove(peer, `new ${sequence}`, sequence)
      peer.dispatch('RESUMED', {}, 4)
    })
    await resume()
    expect(heard).toEqual(['new 2', 'new 3'])
    expect(warnings).toEqual(['sequence_gap'])
  })

  it('a sequence that restarts with the number of Resumed marks stores stale', async () => {
    const { resume, heard, warnings } = await connected((peer) => peer.dispatch('RESUMED', {}, 1))
    const peer = await resume()
    expect(warnings).toEqual(['sequence_gap'])
    remove(peer, 'new', 2)
    await vi.waitFor(() => expect(heard).toEqual(['new']))
    expect(warnings).toEqual(['sequence_gap'])
  })

  it('a sequence that restarts with events too old to compare marks stores stale', async () => {
    const { resume, peer, heard, warnings } = await connected((next) => {
      remove(next, 'new', 3)
      next.dispatch('RESUMED', {})
    })
    for (let sequence = 6; sequence <= 100; sequence++) remove(peer, `old ${sequence}`, sequence)
    await vi.waitFor(() => expect(heard).toHaveLength(95))
    const next = await resume()
    expect(warnings).toEqual(['sequence_gap'])
    heard.length = 0
    remove(next, 'new', 4)
    await vi.waitFor(() => expect(heard).toEqual(['new']))
  })

  it('the next resume uses the restarted sequence', async () => {
    const { server, resume, heard } = await connected()
    remove(await resume(), 'new', 1)
    await vi.waitFor(() => expect(heard).toEqual(['new']))
    server.peers.at(-1)?.socket.terminate()
    expect(await (await server.peer(2)).expect(6)).toMatchObject({ d: { seq: 1 } })
  })

  it('a sequence that restarts on the same connection delivers its events', async () => {
    const { peer, heard, warnings } = await connected()
    for (const sequence of [1, 2, 3]) remove(peer, `new ${sequence}`, sequence)
    await vi.waitFor(() => expect(heard).toEqual(['new 1', 'new 2', 'new 3']))
    expect(warnings).toEqual(['sequence_gap'])
  })
})

describe('a sequence that jumps', () => {
  it.each([4, 3, 0])('a sequence that jumps back to %i delivers its events', async (start) => {
    const { peer, heard, warnings } = await connected()
    const numbers = Array.from({ length: 6 }, (_, index) => start + index)
    for (const sequence of numbers) remove(peer, `new ${sequence}`, sequence)
    await vi.waitFor(() => expect(heard).toEqual(numbers.map((sequence) => `new ${sequence}`)))
    expect(warnings).toEqual(['sequence_gap'])
  })

  it.each([1_000_000, Number.MAX_SAFE_INTEGER])(
    'a sequence that jumps to %i and back delivers its events',
    async (far) => {
      const { peer, heard, warnings } = await connected()
      for (const sequence of [6, far, 7, 8, 9]) remove(peer, `new ${sequence}`, sequence)
      await vi.waitFor(() => expect(heard).toEqual([6, far, 7, 8, 9].map((sequence) => `new ${sequence}`)))
      expect(warnings).toEqual(['sequence_gap', 'sequence_gap'])
    },
  )
})

describe('an event that comes twice', () => {
  it('an event that arrives twice on one connection is delivered once', async () => {
    const { peer, heard, warnings } = await connected()
    for (const sequence of [5, 6, 6, 7, 6, 7, 8]) remove(peer, sequence === 5 ? 'old 5' : `new ${sequence}`, sequence)
    await vi.waitFor(() => expect(heard).toContain('new 8'))
    expect(heard).toEqual(['new 6', 'new 7', 'new 8'])
    expect(warnings).toEqual([])
  })

  it('an event that is replayed after a resume is delivered once', async () => {
    const { resume, peer, heard, warnings } = await connected((next) => {
      for (let sequence = 2; sequence <= 101; sequence++) remove(next, `old ${sequence}`, sequence)
      next.dispatch('RESUMED', {}, 102)
    })
    for (let sequence = 6; sequence <= 100; sequence++) remove(peer, `old ${sequence}`, sequence)
    await vi.waitFor(() => expect(heard).toHaveLength(95))
    heard.length = 0
    await resume()
    expect(heard).toEqual(['old 101'])
    expect(warnings).toEqual([])
  })

  it('an event that arrives in a replay and again after it is delivered once', async () => {
    const { resume, heard, warnings } = await connected((next) => {
      remove(next, 'new 6', 6).dispatch('RESUMED', {})
    })
    const peer = await resume()
    remove(remove(peer, 'new 6', 6), 'new 7', 7)
    await vi.waitFor(() => expect(heard).toContain('new 7'))
    expect(heard).toEqual(['new 6', 'new 7'])
    expect(warnings).toEqual([])
  })

  it('a replayed event that is too large to remember is delivered once', async () => {
    const large = 'x'.repeat(10_000)
    const { resume, peer, heard } = await connected((next) => {
      remove(next, large, 6).dispatch('RESUMED', {}, 7)
    })
    remove(peer, large, 6)
    await vi.waitFor(() => expect(heard).toHaveLength(1))
    await resume()
    expect(heard).toHaveLength(1)
  })
})
