import type { MockGateway } from '../gateway/gateway'
import { gatewayUrl, isGatewayPath } from '../gateway/protocol'
import { type MemoryDoor, MemoryWebSocket } from './memory-web-socket'
import { createTasks } from './tasks'
import type { MockWebSocketClass } from './types'

/** A `WebSocket` class whose sockets lead to a gateway in memory, and to nowhere else. */
export function createWebSocketClass(baseUrl: URL, { connect }: Pick<MockGateway, 'connect'>): MockWebSocketClass {
  const { origin } = new URL(gatewayUrl(baseUrl))
  const door: MemoryDoor = {
    tasks: createTasks(),
    connect,
    refusal(url) {
      if (url.origin === origin && isGatewayPath(baseUrl, url.pathname)) return undefined
      return `${url.origin}${url.pathname} is not the gateway of the mock service, which is at ${gatewayUrl(baseUrl)}`
    },
  }
  return class WebSocket extends MemoryWebSocket {
    constructor(url: string | URL, protocols?: string | string[]) {
      super(door, url, protocols)
    }
  }
}
