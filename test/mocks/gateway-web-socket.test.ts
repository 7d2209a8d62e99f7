import type { GatewaySocketClass } from 'rapport-sdk'
import { createMockService } from 'rapport-sdk/mocks'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { sockets, until } from './gateway-sockets'

afterEach(() => {
  vi.useRealTimers()
})

describe('service.WebSocket', () => {
  it('has the properties of a standard socket that a gateway client uses', async () => {
    const { service } = sockets()
    const socket = new service.WebSocket(new URL(service.gateway.url))
    expect(socket).toMatchObject({ readyState: 0, binaryType: 'arraybuffer', url: service.gateway.url })
    expect(socket).toBeInstanceOf(EventTarget)
    expect(socket).toBeInstanceOf(service.WebSocket)
    expect(service.WebSocket.name).toBe('WebSocket')
    await until(socket, 'open')
    expect(socket.readyState).toBe(1)
    expect(() => new service.WebSocket('/gateway')).toThrow(TypeError)
  })

  it('opens in a later task, then emits the messages received', async () => {
    const { watched } = sockets()
    const { socket, told } = watched()
    await Promise.resolve()
    expect([socket.readyState, told]).toEqual([0, []])
    const { type, origin } = (await until(socket, 'message')) as MessageEvent
    expect([type, origin]).toEqual(['message', 'wss://service.example'])
    expect(told).toEqual(['open', ['message', expect.stringContaining('"op":10')]])
  })

  it('lets promises settle between two messages, as tasks do', async () => {
    const { service, ada, watched } = sockets()
    const { socket } = watched()
    await until(socket, 'message')
    socket.send(JSON.stringify({ op: 2, d: { token: service.token(ada) } }))
    await until(socket, 'message')
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

  it('fails at any other address with an error that says why, and 1006', async () => {
    const { watched, service } = sockets()
    for (const url of [
      'wss://elsewhere.example/gateway',
      'ws://service.example/api/v9/gateway',
      `${service.gateway.url}2`,
    ]) {
      const { socket, told } = watched(url)
      const message = new Promise((resolve) => socket.addEventListener('error', (event) => resolve({ ...event })))
      expect(await message).toMatchObject({
        message: `${url} is not the gateway of the mock service, which is at ${service.gateway.url}`,
      })
      expect([told, socket.readyState]).toEqual([['error', ['close', 1006, '', false]], 3])
    }
  })

  it('sends once it is open, and drops what is sent while it closes', async () => {
    const { watched } = sockets()
    const { socket, told } = watched()
    expect(() => socket.send('x')).toThrow(expect.objectContaining({ name: 'InvalidStateError' }))
    await until(socket, 'message')
    socket.send('{"op":1}')
    await until(socket, 'message')
    expect(told.at(-1)).toEqual(['message', '{"op":11,"d":null,"s":null,"t":null}'])
    socket.close()
    socket.send('no frame')
    await until(socket, 'close')
    expect(told.at(-1)).toEqual(['close', 1005, '', true])
  })

  it('sends bytes in all forms, which are no frames', async () => {
    const { watched } = sockets()
    const bytes = new TextEncoder().encode('{"op":1}')
    for (const data of [bytes, bytes.buffer, new DataView(bytes.buffer)]) {
      const { socket, told } = watched()
      await until(socket, 'message')
      socket.send(data)
      await until(socket, 'close')
      expect(told.at(-1)).toEqual(['close', 4002, 'Error while decoding payload.', true])
    }
  })

  it('delivers bytes as an ArrayBuffer of their own', async () => {
    const { service, watched } = sockets()
    const { socket, told } = watched()
    await until(socket, 'message')
    const bytes = new Uint8Array([0, 1, 2])
    service.gateway.sendRaw(bytes.subarray(1))
    await until(socket, 'message')
    const [, buffer] = told.at(-1) as [string, ArrayBuffer]
    expect([...new Uint8Array(buffer)]).toEqual([1, 2])
    expect(buffer).not.toBe(bytes.buffer)
  })

  it('works while timers are replaced', async () => {
    const { watched } = sockets()
    vi.useFakeTimers()
    const { socket, told } = watched()
    await until(socket, 'message')
    socket.close()
    await until(socket, 'close')
    expect(told).toHaveLength(3)
    expect(vi.getTimerCount()).toBe(0)
  })

  it('blocks nothing, though a client connects again and again without a pause', async () => {
    const { service } = sockets()
    service.gateway.refuse()
    let attempts = 0
    let isOver = false
    const connect = () => {
      attempts += 1
      const socket = new service.WebSocket(service.gateway.url)
      socket.addEventListener('close', () => void (isOver || connect()))
    }
    connect()
    await new Promise((resolve) => setTimeout(resolve, 20))
    isOver = true
    expect(attempts).toBeGreaterThan(2)
  })

  it('is accepted as the class of a client, and connects to one service only', async () => {
    const { service } = sockets()
    const accepted: GatewaySocketClass = service.WebSocket
    expect(accepted).toBe(service.WebSocket)
    const other = createMockService({ baseUrl: 'http://127.0.0.1:1' })
    expect(other.gateway.url).toBe('ws://127.0.0.1:1/gateway')
    const socket = new other.WebSocket(other.gateway.url)
    await until(socket, 'open')
    expect([service.gateway.sendRaw({}), other.gateway.sendRaw({})]).toEqual([0, 1])
    await other.close()
  })
})
