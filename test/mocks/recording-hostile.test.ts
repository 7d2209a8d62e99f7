import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { expect, it, onTestFinished } from 'vitest'
import { WebSocket } from 'ws'
import { serve } from '../servers/http-server'
import { mockCommand, startRecording } from './command'
import { rawSocket, requestText } from './raw-sockets'
import { sender } from './set-up'

const { startMock } = mockCommand()

/** Starts a gateway that sends frames without end and never closes a connection; returns its port and connections. */
async function endlessGateway() {
  const server = createServer()
  const sockets = new Set<Duplex>()
  server.on('upgrade', ({ headers }, socket) => {
    const accept = createHash('sha1').update(`${headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`)
    const head = ['HTTP/1.1 101 Switching Protocols', 'Upgrade: websocket', 'Connection: Upgrade']
    socket.write(`${[...head, `Sec-WebSocket-Accept: ${accept.digest('base64')}`].join('\r\n')}\r\n\r\n`)
    // A text frame of two characters.
    const endless = setInterval(() => socket.write(Buffer.from('\x81\x02{}', 'latin1')), 1)
    sockets.add(socket)
    socket.on('error', () => {})
    socket.resume().on('close', () => {
      clearInterval(endless)
      sockets.delete(socket)
    })
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return { url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}`, sockets }
}

it('a proxy ends with a valid recording although the gateway neither falls silent nor closes', async () => {
  const { url } = await endlessGateway()
  const recording = await startRecording(startMock, 'http://127.0.0.1:1', '--gateway', url)
  const client = new WebSocket(recording.gatewayUrl)
  await once(client, 'message')
  expect(await recording.stop()).toEqual([0, null])
  expect(recording.output.stderr).toMatch(/^rapport-mock: recorded \d+ entries in /)
  expect(recording.entries().length).toBeGreaterThan(0)
})

it('a handshake that is invalid leaves no connection to the gateway of the service', async () => {
  const { url, sockets } = await endlessGateway()
  const recording = await startRecording(startMock, 'http://127.0.0.1:1', '--gateway', url)
  const { port, pathname } = new URL(recording.gatewayUrl)
  const socket = await rawSocket(Number(port))
  const upgrade = ['Host: localhost', 'Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Version: 13']
  socket.write(requestText(`GET ${pathname}`, [...upgrade, 'Sec-WebSocket-Key: invalid']))
  expect((await socket.response()).status).toBe(400)
  await expect.poll(() => sockets.size).toBe(0)
})

it('a status that is none of HTTP is not recorded, because no recording could be read with it', async () => {
  const service = await serve((response) => {
    response.socket?.end('HTTP/1.1 999 Odd\r\nContent-Length: 0\r\n\r\n')
  })
  const recording = await startRecording(startMock, service.url)
  const { status, body } = await sender(fetch, recording.url)('GET /auth/sessions')
  expect([status, body.message]).toEqual([502, expect.stringContaining('its status 999 is none of HTTP')])
  expect(recording.entries()).toEqual([])
})
