import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { behaving, connectScripted, refuse, ScriptedSocket } from '../servers/scripted-socket'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

describe('coming online or becoming visible', () => {
  let window: EventTarget
  let document: EventTarget & { visibilityState: string }

  beforeEach(() => {
    window = new EventTarget()
    document = Object.assign(new EventTarget(), { visibilityState: 'visible' })
    vi.stubGlobal('document', document)
    vi.stubGlobal('addEventListener', window.addEventListener.bind(window))
    vi.stubGlobal('removeEventListener', window.removeEventListener.bind(window))
    vi.spyOn(Math, 'random').mockReturnValue(1)
  })

  const online = () => window.dispatchEvent(new Event('online'))
  const showTab = (visibilityState = 'visible') => {
    document.visibilityState = visibilityState
    document.dispatchEvent(new Event('visibilitychange'))
  }

  it.each([
    ['coming online', online],
    ['becoming visible', showTab],
  ])('%s skips the backoff', async (_, wake) => {
    ScriptedSocket.reset(refuse)
    connectScripted()
    await vi.advanceTimersByTimeAsync(4_000)
    const before = ScriptedSocket.sockets.length
    ScriptedSocket.script = behaving()
    wake()
    await vi.advanceTimersByTimeAsync(0)
    expect(ScriptedSocket.sockets).toHaveLength(before + 1)
    await vi.advanceTimersByTimeAsync(120_000)
    expect(ScriptedSocket.sockets).toHaveLength(before + 1)
  })

  it('becoming hidden does not skip the backoff', async () => {
    ScriptedSocket.reset(refuse)
    connectScripted()
    await vi.advanceTimersByTimeAsync(4_000)
    const before = ScriptedSocket.sockets.length
    showTab('hidden')
    await vi.advanceTimersByTimeAsync(0)
    expect(ScriptedSocket.sockets).toHaveLength(before)
  })

  it('never opens a second connection', async () => {
    ScriptedSocket.reset()
    connectScripted()
    online()
    await vi.advanceTimersByTimeAsync(0)
    for (const wake of [online, showTab, online]) wake()
    await vi.advanceTimersByTimeAsync(0)
    ScriptedSocket.last.open()
    for (const wake of [online, showTab, online]) wake()
    await vi.advanceTimersByTimeAsync(0)
    expect(ScriptedSocket.sockets).toHaveLength(1)
  })

  it('checks a connection that may have been lost during sleep at once', async () => {
    ScriptedSocket.reset(behaving(40_000))
    connectScripted()
    await vi.advanceTimersByTimeAsync(0)
    vi.setSystemTime(Date.now() + 60 * 60_000)
    showTab()
    expect(ScriptedSocket.last.sentOf(1)).toHaveLength(1)
  })

  it('never reopens a disconnected gateway', async () => {
    ScriptedSocket.reset(behaving())
    const { gateway } = connectScripted()
    await vi.advanceTimersByTimeAsync(0)
    await gateway.disconnect()
    online()
    showTab()
    await vi.advanceTimersByTimeAsync(120_000)
    expect(ScriptedSocket.sockets).toHaveLength(1)
    expect(gateway.state).toBe('closed')
  })

  it('never reopens a gateway after a fatal close', async () => {
    ScriptedSocket.reset(behaving())
    connectScripted()
    await vi.advanceTimersByTimeAsync(0)
    ScriptedSocket.last.emit('close', { code: 4004 })
    online()
    showTab()
    await vi.advanceTimersByTimeAsync(120_000)
    expect(ScriptedSocket.sockets).toHaveLength(1)
  })

  it('it is listened to once, and only while the gateway is active', async () => {
    let listeners = 0
    for (const target of [window, document]) {
      const { addEventListener, removeEventListener } = target
      target.addEventListener = (...args) => {
        listeners++
        addEventListener.apply(target, args)
      }
      target.removeEventListener = (...args) => {
        listeners--
        removeEventListener.apply(target, args)
      }
    }
    vi.stubGlobal('addEventListener', window.addEventListener)
    vi.stubGlobal('removeEventListener', window.removeEventListener)
    ScriptedSocket.reset(behaving())
    const { gateway } = connectScripted()
    await vi.advanceTimersByTimeAsync(0)
    for (let round = 0; round < 3; round++) {
      ScriptedSocket.last.emit('close', { code: 1006 })
      await vi.advanceTimersByTimeAsync(5_000)
    }
    expect(listeners).toBe(2)
    await gateway.disconnect()
    expect(listeners).toBe(0)
  })

  it('does not shorten the wait after an invalid session', async () => {
    ScriptedSocket.reset(behaving())
    connectScripted()
    await vi.advanceTimersByTimeAsync(0)
    ScriptedSocket.last.receive({ op: 9, d: false })
    online()
    await vi.advanceTimersByTimeAsync(4_999)
    expect(ScriptedSocket.sockets).toHaveLength(1)
  })
})
