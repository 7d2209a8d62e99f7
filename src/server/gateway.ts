// Proxies the gateway of pages, whose sockets have no token.
import type { RawData, WebSocket, WebSocketServer } from 'ws'
import { setSafeTimeout } from '../abort'
import { RapportError } from '../errors/base'
import { isObject } from '../internal/json'
import { validateGatewayUrl } from '../internal/options'
import type { CookieSession } from './cookie'
import { handlers, type SessionHandler } from './handler'
import { parseObject } from './incoming'

/** Options of {@link attachGateway}. */
export interface GatewayProxyOptions {
  /** URL of the service's gateway: wss, or ws on loopback. */
  readonly url: string | URL
}

/** The part of a server of `node:http` or `node:https` that {@link attachGateway} uses. */
export interface UpgradeServer {
  /** Adds a listener. */
  on(event: 'upgrade', listener: (...parameters: unknown[]) => void): unknown
  /** Returns the number of listeners. */
  listenerCount(event: 'upgrade'): number
}

/** The proxy of a gateway. */
export interface GatewayProxy {
  /**
   * Closes the sockets of all pages with 1001, so that they connect again, and refuses others with status 503. Call it before
   * `server.close()`, which waits for them: at most 30 seconds for a page that does not answer.
   */
  close(): void
}

const MAX_FRAME_BYTES = 64 * 1024
const MAX_BUFFERED_BYTES = 4 * 1024 * 1024

/**
 * Connects pages to the gateway of the service: a `gateway.url` of `wss://app.example/rapport/gateway`. The handshake needs
 * the exact `Origin` and a session; the token is filled in here. A socket ends with its cookie, by time or by sign-out. Other
 * upgrades are left to other listeners, if there are any. For the default protocol, whose frames are JSON.
 *
 * @throws RapportError if `url` is invalid, or `handler` is not one of `createSessionHandler`.
 */
export function attachGateway(
  server: UpgradeServer,
  handler: SessionHandler,
  { url }: GatewayProxyOptions,
): GatewayProxy {
  const sessions = handlers.get(handler)
  if (sessions === undefined)
    throw new RapportError(
      'attachGateway: expected a handler of `createSessionHandler`, loaded like this: `import` and `require` load two copies.',
    )
  if (validateGatewayUrl(url, false))
    throw new RapportError('attachGateway: expected `url` to be wss, or ws on loopback.')
  const { config, cookies } = sessions
  const path = `${config.mount}/gateway`
  const loading = import('ws')
  const opening = loading.then((ws) => new ws.WebSocketServer({ noServer: true, maxPayload: MAX_FRAME_BYTES }))
  const upgrade = async (...[request, socket, head]: Parameters<WebSocketServer['handleUpgrade']>) => {
    const isOurs = request.url?.split('?')[0] === path
    if (!isOurs && server.listenerCount('upgrade') > 1) return
    socket.on('error', () => socket.destroy())
    const { origin, cookie = null } = request.headers
    const session = await cookies.read(cookie)
    if (!isOurs || origin !== config.origin || session === undefined) {
      // Nobody reads from it, so that it would not notice that the browser closes it.
      socket.once('finish', () => socket.destroy())
      const status = isOurs ? (session ? '403 Forbidden' : '401 Unauthorized') : '404 Not Found'
      socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\n\r\n`)
      return
    }
    const [{ WebSocket }, pages] = await Promise.all([loading, opening])
    pages.handleUpgrade(request, socket, head, (page) => {
      const service = new WebSocket(url, { followRedirects: false })
      relay(page, service, session)
      const end = () => page.close(4004, 'The session has ended.')
      const stops = [setSafeTimeout(session.expiresAt - Date.now(), end), cookies.onSignOut(session, end)]
      page.on('close', () => stops.map((stop) => stop()))
    })
  }
  server.on('upgrade', (...parameters) => Reflect.apply(upgrade, undefined, parameters))
  const closeAll = (pages: WebSocketServer) => {
    pages.close()
    for (const page of pages.clients) page.close(1001, 'The server is stopping.')
  }
  return { close: () => void opening.then(closeAll) }
}

/** Connects two sockets. What the page sends before the service is ready waits. */
function relay(page: WebSocket, service: WebSocket, { token, userId }: CookieSession): void {
  const waiting: string[] = []
  const send = (to: WebSocket, text: string) =>
    to.bufferedAmount > MAX_BUFFERED_BYTES ? to.terminate() : to.send(text)
  const receive = (data: RawData, change: (frame: Record<string, unknown>) => void) => {
    const text = String(data)
    const frame = parseObject(text)
    if (!isObject(frame?.d) || Array.isArray(frame.d)) return text
    const fields: Record<string, unknown> = { ...frame.d }
    change(fields)
    return JSON.stringify({ ...frame, d: fields })
  }
  page.on('message', (data) => {
    // Identify and Resume have a placeholder, which names the user whom the page shows.
    const text = receive(data, (fields) => {
      const [, shown = userId] = /^cookie (.+)$/.exec(String(fields.token)) ?? []
      if (userId && shown !== userId) page.close(4004, 'The page shows another user than that of the session.')
      if ('token' in fields) fields.token = token
    })
    if (page.readyState !== page.OPEN) return
    if (service.readyState === service.OPEN) send(service, text)
    else if (waiting.push(text) > 16) page.terminate()
  })
  service.on('open', () => waiting.splice(0).map((text) => send(service, text)))
  service.on('message', (data) => {
    // The page cannot connect there without the token.
    const text = receive(data, (fields) => void delete fields.resume_gateway_url)
    if (page.readyState === page.OPEN) send(page, text)
  })
  const follow = (to: WebSocket, from: WebSocket) => {
    from.on('error', () => {})
    // These two are no codes of a frame.
    from.on('close', (code, reason) => (code === 1005 || code === 1006 ? to.terminate() : to.close(code, reason)))
  }
  follow(page, service)
  follow(service, page)
}
