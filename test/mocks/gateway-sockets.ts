import type { MockWebSocket } from 'rapport-sdk/mocks'
import { onTestFinished } from 'vitest'
import { setUp } from './calls'

/** A service, and sockets to its gateway that write down what they tell. */
export function sockets() {
  const found = setUp()
  const { service } = found
  onTestFinished(() => service.close())
  /** A socket, with what it tells as `type` and details. */
  const watched = (url: string | URL = service.gateway.url) => {
    const socket = new service.WebSocket(url)
    const told: unknown[] = []
    socket.addEventListener('open', ({ type }) => told.push(type))
    socket.addEventListener('message', ({ type, data }) => told.push([type, data]))
    socket.addEventListener('error', ({ type }) => told.push(type))
    socket.addEventListener('close', ({ type, code, reason, wasClean }) => told.push([type, code, reason, wasClean]))
    return { socket, told }
  }
  return { ...found, watched }
}

/** The next event of a kind. */
export const until = (socket: MockWebSocket, type: 'open' | 'close' | 'message') =>
  new Promise<Event>((resolve) => socket.addEventListener(type, resolve, { once: true }))
