import { describe, expect, it } from 'vitest'
import { sockets, until } from './gateway-sockets'

describe('service.WebSocket', () => {
  it('closes in steps, once, with what it was given', async () => {
    const { watched } = sockets()
    const { socket, told } = watched()
    await until(socket, 'message')
    socket.close(4000, 'enough')
    socket.close(1000)
    expect(socket.readyState).toBe(2)
    await until(socket, 'close')
    socket.close()
    expect(socket.readyState).toBe(3)
    await new Promise((resolve) => setTimeout(resolve))
    expect(told.slice(2)).toEqual([['close', 4000, 'enough', true]])
  })

  it('closes without a code as 1005', async () => {
    const { watched } = sockets()
    const { socket, told } = watched()
    await until(socket, 'open')
    socket.close()
    await until(socket, 'close')
    expect(told.at(-1)).toEqual(['close', 1005, '', true])
  })

  it('fails when it is closed before it was open', async () => {
    const { watched, service } = sockets()
    const { socket, told } = watched()
    socket.close()
    expect(socket.readyState).toBe(2)
    await until(socket, 'close')
    expect(told).toEqual(['error', ['close', 1006, '', false]])
    expect(service.gateway.sendRaw({})).toBe(0)
  })

  it('throws for codes that a client may not close with', async () => {
    const { watched } = sockets()
    const { socket } = watched()
    for (const code of [1001, 1006, 2999, 5000, 0]) {
      expect(() => socket.close(code)).toThrow(expect.objectContaining({ name: 'InvalidAccessError' }))
    }
    expect(socket.readyState).toBe(0)
    expect(() => socket.close(3000)).not.toThrow()
  })

  it('receives no message once it closes', async () => {
    const { service, watched } = sockets()
    const { socket, told } = watched()
    await until(socket, 'message')
    service.gateway.sendRaw({ op: 99 })
    socket.close()
    await until(socket, 'close')
    expect(told.slice(2)).toEqual([['close', 1005, '', true]])
  })
})
