import { createMockService } from 'rapport-sdk/mocks'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { sockets, until } from './gateway-sockets'

afterEach(() => {
  vi.useRealTimers()
})

describe('service.WebSocket', () => {
  it('has the surface of the standard', async () => {
    const { service } = sockets()
    const socket = new service.WebSocket(service.gateway.url, ['a', 'b'])
    const constants = { CONNECTING: 0, OPEN: 1, CLOSING: 2, CLOSED: 3 }
    const { CONNECTING, OPEN, CLOSING, CLOSED } = service.WebSocket
    expect({ CONNECTING, OPEN, CLOSING, CLOSED }).toEqual(constants)
    expect(socket).toMatchObject(constants)
    expect(socket).toMatchObject({ readyState: 0, bufferedAmount: 0, protocol: '', extensions: '', binaryType: 'blob' })
    expect(socket).toMatchObject({
      url: service.gateway.url,
      onopen: null,
      onmessage: null,
      onerror: null,
      onclose: null,
    })
    expect(socket).toBeInstanceOf(EventTarget)
    expect(socket).toBeInstanceOf(service.WebSocket)
    expect(service.WebSocket.name).toBe('WebSocket')
    await until(socket, 'open')
    expect(socket.readyState).toBe(1)
  })

  it('opens in a later task, then tells what came', async () => {
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
    socket.onmessage = async ({ data }) => {
      const { s } = JSON.parse(String(data))
      order.push(`message ${s}`)
      for (let turn = 0; turn < 50; turn++) await null
      order.push(`settled ${s}`)
    }
    for (let count = 0; count < 2; count++) service.gateway.emit('X', {})
    await expect.poll(() => order).toEqual(['message 2', 'settled 2', 'message 3', 'settled 3'])
  })

  it('reads addresses as the standard does', () => {
    const { service } = sockets()
    const urlOf = (given: string | URL) => new service.WebSocket(given).url
    expect(urlOf('https://service.example/x')).toBe('wss://service.example/x')
    expect(urlOf('http://service.example')).toBe('ws://service.example/')
    expect(urlOf(new URL('WSS://SERVICE.example/x?y=1'))).toBe('wss://service.example/x?y=1')
    for (const given of ['/gateway', 'ftp://service.example', 'wss://service.example/#', '']) {
      expect(() => urlOf(given), given).toThrow(expect.objectContaining({ name: 'SyntaxError' }))
    }
  })

  it('takes subprotocols that are tokens, each once', () => {
    const { service } = sockets()
    const open = (protocols: string | string[]) => new service.WebSocket(service.gateway.url, protocols)
    expect(open('json').protocol).toBe('')
    for (const protocols of ['', 'a b', ['a', 'A'], ['a', 'é']]) {
      expect(() => open(protocols), String(protocols)).toThrow(expect.objectContaining({ name: 'SyntaxError' }))
    }
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

  it('sends once it is open, and counts what has not left', async () => {
    const { watched } = sockets()
    const { socket, told } = watched()
    expect(() => socket.send('x')).toThrow(expect.objectContaining({ name: 'InvalidStateError' }))
    await until(socket, 'message')
    socket.send('{"op":1}')
    expect(socket.bufferedAmount).toBe(8)
    await until(socket, 'message')
    expect(socket.bufferedAmount).toBe(0)
    expect(told.at(-1)).toEqual(['message', '{"op":11,"d":null,"s":null,"t":null}'])
    socket.close()
    expect(() => socket.send('é')).not.toThrow()
    expect(socket.bufferedAmount).toBe(2)
  })

  it('sends bytes in all forms, which are no frames', async () => {
    const { watched } = sockets()
    const bytes = new TextEncoder().encode('{"op":1}')
    for (const data of [bytes, bytes.buffer, new DataView(bytes.buffer), new Blob([bytes])]) {
      const { socket, told } = watched()
      await until(socket, 'message')
      socket.send(data)
      expect(socket.bufferedAmount).toBe(8)
      await until(socket, 'close')
      expect(told.at(-1)).toEqual(['close', 4002, 'Error while decoding payload.', true])
    }
  })

  it('gives bytes as binaryType says, and takes no other', async () => {
    const { service, watched } = sockets()
    const { socket, told } = watched()
    await until(socket, 'message')
    service.gateway.raw(new Uint8Array([1, 2]))
    await until(socket, 'message')
    socket.binaryType = 'arraybuffer'
    socket.binaryType = 'nodebuffer' as 'blob'
    expect(socket.binaryType).toBe('arraybuffer')
    service.gateway.raw(new Uint8Array([3]))
    await until(socket, 'message')
    const [blob, buffer] = told.slice(2).map((entry) => (entry as [string, unknown])[1])
    expect([...new Uint8Array(await (blob as Blob).arrayBuffer())]).toEqual([1, 2])
    expect([...new Uint8Array(buffer as ArrayBuffer)]).toEqual([3])
  })

  it('calls the handler of an attribute in its place among the listeners, until it is taken away', async () => {
    const { service } = sockets()
    const socket = new service.WebSocket(service.gateway.url)
    const calls: unknown[] = []
    socket.addEventListener('open', () => calls.push('first'))
    socket.onopen = () => calls.push('replaced')
    socket.addEventListener('open', () => calls.push('last'))
    socket.onopen = function (this: unknown) {
      calls.push(this === socket ? 'attribute' : 'stranger')
    }
    expect(socket.onopen).toBeTypeOf('function')
    socket.onmessage = () => calls.push('never')
    socket.onmessage = null
    socket.onclose = 'x' as never
    expect([socket.onmessage, socket.onclose]).toEqual([null, null])
    await until(socket, 'message')
    expect(calls).toEqual(['first', 'attribute', 'last'])
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
      socket.onclose = () => void (isOver || connect())
    }
    connect()
    await new Promise((resolve) => setTimeout(resolve, 20))
    isOver = true
    expect(attempts).toBeGreaterThan(2)
  })

  it('fits where the platform’s class does, and is of one service alone', async () => {
    const { service } = sockets()
    const platform: typeof WebSocket = service.WebSocket
    expect(platform).toBe(service.WebSocket)
    const other = createMockService({ baseUrl: 'http://127.0.0.1:1' })
    expect(other.gateway.url).toBe('ws://127.0.0.1:1/gateway')
    const socket = new other.WebSocket(other.gateway.url)
    await until(socket, 'open')
    expect([service.gateway.raw({}), other.gateway.raw({})]).toEqual([0, 1])
    await other.close()
  })
})
