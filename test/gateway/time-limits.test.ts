import { beforeEach, describe, expect, it, vi } from 'vitest'
import { scriptedGateway } from './scripted-gateway'
import { behaving, ScriptedSocket } from './scripted-socket'

beforeEach(() => {
  vi.useFakeTimers()
})

describe('13. a time limit', () => {
  const endsAfter = async (ms: number) => {
    await vi.advanceTimersByTimeAsync(ms - 1)
    expect(ScriptedSocket.sockets).toHaveLength(1)
    await vi.advanceTimersByTimeAsync(1_001)
    expect(ScriptedSocket.sockets).toHaveLength(2)
    expect(ScriptedSocket.sockets[0]?.closeCodes).toEqual([4000])
  }

  it('of opening and the greeting reconnects', async () => {
    ScriptedSocket.reset()
    scriptedGateway()
    await vi.advanceTimersByTimeAsync(0)
    await endsAfter(15_000)
  })

  it('of the greeting holds though the socket opens', async () => {
    ScriptedSocket.reset((socket) => queueMicrotask(() => socket.emit('open')))
    scriptedGateway()
    await vi.advanceTimersByTimeAsync(0)
    await endsAfter(15_000)
  })

  it('of Ready reconnects', async () => {
    ScriptedSocket.reset((socket) => {
      socket.send = () => {}
      behaving()(socket)
    })
    const { gateway } = scriptedGateway()
    const reasons: (string | undefined)[] = []
    gateway.on('stateChange', ({ reason }) => reasons.push(reason))
    await vi.advanceTimersByTimeAsync(0)
    await endsAfter(30_000)
    expect(reasons).toContain('Ready did not come within 30000 ms')
  })

  it('of Resumed reconnects', async () => {
    ScriptedSocket.reset(behaving())
    const { gateway } = scriptedGateway()
    await vi.advanceTimersByTimeAsync(0)
    const first = ScriptedSocket.last
    ScriptedSocket.reset((socket) => {
      socket.send = () => {}
      behaving()(socket)
    })
    first.emit('close', { code: 1006 })
    // By the millisecond: how long it waits before it opens is left to chance.
    while (gateway.state !== 'resuming') await vi.advanceTimersByTimeAsync(1)
    await endsAfter(30_000)
  })

  it('is no more once it was kept', async () => {
    ScriptedSocket.reset(behaving())
    scriptedGateway()
    await vi.advanceTimersByTimeAsync(10 * 60_000)
    expect(ScriptedSocket.sockets).toHaveLength(1)
  })
})
