import { beforeEach, describe, expect, it, vi } from 'vitest'
import { scriptedGateway } from './scripted-gateway'
import { behaving, ScriptedSocket } from './scripted-socket'

beforeEach(() => {
  vi.useFakeTimers()
})

describe('a time limit', () => {
  const endsAfter = async (ms: number) => {
    await vi.advanceTimersByTimeAsync(ms - 1)
    expect(ScriptedSocket.sockets).toHaveLength(1)
    await vi.advanceTimersByTimeAsync(1_001)
    expect(ScriptedSocket.sockets).toHaveLength(2)
    expect(ScriptedSocket.sockets[0]?.closeCodes).toEqual([4000])
  }

  it('a connection that does not open and say Hello in time is replaced', async () => {
    ScriptedSocket.reset()
    scriptedGateway()
    await vi.advanceTimersByTimeAsync(0)
    await endsAfter(15_000)
  })

  it('a connection that opens without Hello in time is replaced', async () => {
    ScriptedSocket.reset((socket) => queueMicrotask(() => socket.emit('open')))
    scriptedGateway()
    await vi.advanceTimersByTimeAsync(0)
    await endsAfter(15_000)
  })

  it('a connection without Ready in time is replaced', async () => {
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

  it('a connection without Resumed in time is replaced', async () => {
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

  it('a time limit that was met no longer applies', async () => {
    ScriptedSocket.reset(behaving())
    scriptedGateway()
    await vi.advanceTimersByTimeAsync(10 * 60_000)
    expect(ScriptedSocket.sockets).toHaveLength(1)
  })
})
