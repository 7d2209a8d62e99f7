import type { GatewaySocketClass } from 'rapport-sdk'
import { createMockService, type MockWebSocket } from 'rapport-sdk/mocks'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { setUp } from './set-up'

/** Sets up a service. `openSocket` opens a socket of its gateway and records its events. */
function setUpSockets() {
  const setup = setUp()
  const { service } = setup
  onTestFinished(() => service.close())
  const openSocket = (url: string | URL = service.gateway.url) => {
    const socket = new service.WebSocket(url)
    const events: unknown[] = []
    socket.addEventListener('open', ({ type }) => events.push(type))
    socket.addEventListener('message', ({ type, data }) => events.push([type, data]))
    socket.addEventListener('error', ({ type }) => events.push(type))
    socket.addEventListener('close', ({ type, code, reason, wasClean }) => events.push([type, code, reason, wasClean]))
    return { socket, events }
  }
  return { ...setup, openSocket }
}

/** Resolves with the next event of a type. */
const nextEvent = (socket: MockWebSocket, type: 'open' | 'close' | 'message') =>
  new Promise<Event>((resolve) => socket.addEventListener(type, resolve, { once: true }))

describe('service.WebSocket', () => {
  it('a socket that is terminated while it connects never opens', async () => {
    const { service, openSocket } = setUpSockets()
    const { socket, events } = openSocket()
    socket.terminate()
    expect(socket.readyState).toBe(2)
    await nextEvent(socket, 'close')
    expect(events).toEqual(['error', ['close', 1006, '', false]])
    expect(service.gateway.sessions).toEqual([])
  })

  it('has the properties that a gateway client uses', async () => {
    const { service } = setUpSockets()
    const socket = new service.WebSocket(new URL(service.gateway.url))
    expect(socket).toMatchObject({ readyState: 0, binaryType: 'arraybuffer', url: service.gateway.url })
    expect(socket).toBeInstanceOf(EventTarget)
    expect(socket).toBeInstanceOf(service.WebSocket)
    expect(service.WebSocket.name).toBe('WebSocket')
    await nextEvent(socket, 'open')
    expect(socket.readyState).toBe(1)
    expect(() => new service.WebSocket('/gateway')).toThrow(TypeError)
  })

  it('calls the handlers that are its properties', async () => {
    const { service } = setUpSockets()
    const socket = new service.WebSocket(service.gateway.url)
    const seen: unknown[] = []
    socket.onopen = ({ type }) => seen.push(type)
    socket.onmessage = ({ data }) => seen.push(data)
    socket.onclose = ({ code }) => seen.push(code)
    await nextEvent(socket, 'message')
    socket.onmessage = null
    service.gateway.sendRaw('ignored')
    service.gateway.drop(4000)
    await nextEvent(socket, 'close')
    expect(seen).toEqual(['open', expect.stringContaining('"op":10'), 4000])
    const failing = new service.WebSocket('wss://elsewhere.example')
    failing.onerror = ({ type }) => seen.push(type)
    await nextEvent(failing, 'close')
    expect(seen.at(-1)).toBe('error')
  })

  it('opens in a later task, then emits messages', async () => {
    const { openSocket } = setUpSockets()
    const { socket, events } = openSocket()
    await Promise.resolve()
    expect([socket.readyState, events]).toEqual([0, []])
    await nextEvent(socket, 'message')
    expect(events).toEqual(['open', ['message', expect.stringContaining('"op":10')]])
  })

  it('lets promises settle between two messages', async () => {
    const { service, ada, openSocket } = setUpSockets()
    const { socket } = openSocket()
    await nextEvent(socket, 'message')
    socket.send(JSON.stringify({ op: 2, d: { token: service.token(ada) } }))
    await nextEvent(socket, 'message')
    const order: string[] = []
    socket.addEventListener('message', async ({ data }) => {
      const { s } = JSON.parse(String(data))
      order.push(`message ${s}`)
      for (let turn = 0; turn < 50; turn++) await null
      order.push(`settled ${s}`)
    })
    for (let count = 0; count < 2; count++) service.gateway.emit('X', {})
    await expect.poll(() => order).toEqual(['message 2', 'settled 2', 'message 3', 'settled 3'])
  })

  it('fails at another URL with an error that says why', async () => {
    const { openSocket, service } = setUpSockets()
    for (const url of [
      'wss://elsewhere.example/gateway',
      'ws://service.example/api/v9/gateway',
      `${service.gateway.url}2`,
    ]) {
      const { socket, events } = openSocket(url)
      const message = new Promise((resolve) => socket.addEventListener('error', (event) => resolve({ ...event })))
      expect(await message).toMatchObject({
        message: `${url} is not the gateway of the mock service, which is at ${service.gateway.url}`,
      })
      expect([events, socket.readyState]).toEqual([['error', ['close', 1006, '', false]], 3])
    }
  })

  it('send() throws before the socket is open and does nothing while it closes', async () => {
    const { openSocket } = setUpSockets()
    const { socket, events } = openSocket()
    expect(() => socket.send('x')).toThrow(expect.objectContaining({ name: 'InvalidStateError' }))
    await nextEvent(socket, 'message')
    socket.send('{"op":1}')
    await nextEvent(socket, 'message')
    expect(events.at(-1)).toEqual(['message', '{"op":11,"d":null,"s":null,"t":null}'])
    socket.close()
    socket.send('no frame')
    await nextEvent(socket, 'close')
    expect(events.at(-1)).toEqual(['close', 1005, '', true])
  })

  it('send() accepts every form of bytes, which the gateway rejects with 4002', async () => {
    const { openSocket } = setUpSockets()
    const bytes = new TextEncoder().encode('{"op":1}')
    for (const data of [bytes, bytes.buffer, new DataView(bytes.buffer)]) {
      const { socket, events } = openSocket()
      await nextEvent(socket, 'message')
      socket.send(data)
      await nextEvent(socket, 'close')
      expect(events.at(-1)).toEqual(['close', 4002, 'Error while decoding payload.', true])
    }
  })

  it('delivers bytes as a copied ArrayBuffer', async () => {
    const { service, openSocket } = setUpSockets()
    const { socket, events } = openSocket()
    await nextEvent(socket, 'message')
    const bytes = new Uint8Array([0, 1, 2])
    service.gateway.sendRaw(bytes.subarray(1))
    await nextEvent(socket, 'message')
    const [, buffer] = events.at(-1) as [string, ArrayBuffer]
    expect([...new Uint8Array(buffer)]).toEqual([1, 2])
    expect(buffer).not.toBe(bytes.buffer)
  })

  it('works with fake timers', async () => {
    const { openSocket } = setUpSockets()
    vi.useFakeTimers()
    const { socket, events } = openSocket()
    await nextEvent(socket, 'message')
    socket.close()
    await nextEvent(socket, 'close')
    expect(events).toHaveLength(3)
    expect(vi.getTimerCount()).toBe(0)
  })

  it('a client that reconnects in a loop does not block the event loop', async () => {
    const { service } = setUpSockets()
    service.gateway.refuse()
    let attempts = 0
    let isOver = false
    const connect = () => {
      attempts += 1
      const socket = new service.WebSocket(service.gateway.url)
      socket.addEventListener('close', () => void (isOver || connect()))
    }
    connect()
    // A timer of this test runs, too.
    await new Promise((resolve) => setTimeout(resolve))
    await vi.waitFor(() => expect(attempts).toBeGreaterThan(2))
    isOver = true
  })

  it('it is a valid option of a client and connects to its own service only', async () => {
    const { service } = setUpSockets()
    const accepted: GatewaySocketClass = service.WebSocket
    expect(accepted).toBe(service.WebSocket)
    const other = createMockService({ baseUrl: 'http://127.0.0.1:1' })
    expect(other.gateway.url).toBe('ws://127.0.0.1:1/gateway')
    const socket = new other.WebSocket(other.gateway.url)
    await nextEvent(socket, 'open')
    expect([service.gateway.sendRaw({}), other.gateway.sendRaw({})]).toEqual([0, 1])
    await other.close()
  })

  it('close() goes through CLOSING to CLOSED and emits one close event with its code and reason', async () => {
    const { openSocket } = setUpSockets()
    const { socket, events } = openSocket()
    await nextEvent(socket, 'message')
    socket.close(4000, 'enough')
    socket.close(1000)
    expect(socket.readyState).toBe(2)
    await nextEvent(socket, 'close')
    socket.close()
    expect(socket.readyState).toBe(3)
    // Another close event of the first would come before it.
    await nextEvent(openSocket().socket, 'open')
    expect(events.slice(2)).toEqual([['close', 4000, 'enough', true]])
  })

  it('close() without a code emits 1005', async () => {
    const { openSocket } = setUpSockets()
    const { socket, events } = openSocket()
    await nextEvent(socket, 'open')
    socket.close()
    await nextEvent(socket, 'close')
    expect(events.at(-1)).toEqual(['close', 1005, '', true])
  })

  it('close() before the socket is open emits an error and 1006', async () => {
    const { openSocket, service } = setUpSockets()
    const { socket, events } = openSocket()
    socket.close()
    expect(socket.readyState).toBe(2)
    await nextEvent(socket, 'close')
    expect(events).toEqual(['error', ['close', 1006, '', false]])
    expect(service.gateway.sendRaw({})).toBe(0)
  })

  it('close() throws for a code that a client cannot use', async () => {
    const { openSocket } = setUpSockets()
    const { socket } = openSocket()
    for (const code of [1001, 1006, 2999, 5000, 0]) {
      expect(() => socket.close(code)).toThrow(expect.objectContaining({ name: 'InvalidAccessError' }))
    }
    expect(socket.readyState).toBe(0)
    expect(() => socket.close(3000)).not.toThrow()
  })

  it('a closing socket receives no message', async () => {
    const { service, openSocket } = setUpSockets()
    const { socket, events } = openSocket()
    await nextEvent(socket, 'message')
    service.gateway.sendRaw({ op: 99 })
    socket.close()
    await nextEvent(socket, 'close')
    expect(events.slice(2)).toEqual([['close', 1005, '', true]])
  })
})
