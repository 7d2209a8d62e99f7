import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { behaving, connectScripted, refuse, ScriptedSocket } from '../servers/scripted-socket'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.restoreAllMocks()
})

describe('an outage', () => {
  it('leads to one attempt within 100 ms, then waits that double from 1 s to 60 s', async () => {
    vi.spyOn(Math, 'random').mockReturnValue(1)
    ScriptedSocket.reset(refuse)
    const { delays } = connectScripted()
    await vi.advanceTimersByTimeAsync(10 * 60_000)
    expect(delays.slice(0, 10)).toEqual([100, 1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000, 60_000])
  })

  it('the backoff has full jitter: a wait is random, up to its limit', async () => {
    ScriptedSocket.reset(refuse)
    const limits = [100, 1_000, 2_000, 4_000]
    const shares: number[] = []
    for (let round = 0; round < 50; round++) {
      const { gateway, delays } = connectScripted()
      await vi.advanceTimersByTimeAsync(8_000)
      shares.push(...limits.map((limit, index) => (delays[index] ?? 0) / limit))
      await gateway.disconnect()
    }
    expect(Math.max(...shares)).toBeLessThanOrEqual(1)
    expect(Math.min(...shares)).toBeGreaterThanOrEqual(0)
    expect(shares.filter((share) => share < 0.25).length).toBeGreaterThan(20)
    expect(shares.filter((share) => share > 0.75).length).toBeGreaterThan(20)
  })

  it('the delay that a state change reports is a whole number of milliseconds', async () => {
    vi.spyOn(Math, 'random').mockReturnValue(0.51778432772)
    ScriptedSocket.reset(refuse)
    const { delays } = connectScripted()
    await vi.advanceTimersByTimeAsync(2_000)
    expect(delays.slice(0, 3)).toEqual([52, 518, 1_036])
  })

  it('one of an hour leads to a bounded number of attempts', async () => {
    ScriptedSocket.reset(refuse)
    connectScripted()
    await vi.advanceTimersByTimeAsync(60 * 60_000)
    // Waits of at most a minute, half of it on average.
    expect(ScriptedSocket.sockets.length).toBeLessThan(200)
    expect(ScriptedSocket.sockets.length).toBeGreaterThan(60)
  })

  it('the backoff resets only after a connection has lasted, not when it opens or resumes', async () => {
    vi.spyOn(Math, 'random').mockReturnValue(1)
    ScriptedSocket.reset(behaving())
    const { gateway, delays } = connectScripted()
    for (let round = 0; round < 4; round++) {
      await vi.waitFor(() => expect(gateway.state).toBe('ready'))
      ScriptedSocket.last.emit('close', { code: 1006 })
      await vi.advanceTimersByTimeAsync(4_000)
    }
    expect(delays).toEqual([100, 1_000, 2_000, 4_000])
    await vi.advanceTimersByTimeAsync(30_000)
    ScriptedSocket.last.emit('close', { code: 1006 })
    expect(delays.at(-1)).toBe(100)
  })

  it('the backoff follows the options', async () => {
    vi.spyOn(Math, 'random').mockReturnValue(1)
    ScriptedSocket.reset(refuse)
    const { delays } = connectScripted({ initialDelay: 1, baseDelay: 10, maxDelay: 25 })
    await vi.advanceTimersByTimeAsync(1_000)
    expect(delays.slice(0, 5)).toEqual([1, 10, 20, 25, 25])
  })

  it('does not let the backoff exceed its limit, however long it is', async () => {
    ScriptedSocket.reset(refuse)
    const { delays } = connectScripted({ initialDelay: 0, baseDelay: 0, maxDelay: 0 })
    while (delays.length < 1_100) await vi.advanceTimersByTimeAsync(1)
    expect(new Set(delays)).toEqual(new Set([0]))
  })

  it('the backoff starts over with each connect()', async () => {
    vi.spyOn(Math, 'random').mockReturnValue(1)
    ScriptedSocket.reset(refuse)
    const { gateway, delays } = connectScripted()
    await vi.advanceTimersByTimeAsync(10_000)
    await gateway.disconnect()
    delays.length = 0
    gateway.connect().catch(() => {})
    await vi.advanceTimersByTimeAsync(1_100)
    expect(delays.slice(0, 2)).toEqual([100, 1_000])
  })
})
