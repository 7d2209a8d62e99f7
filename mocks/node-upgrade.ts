import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'

/**
 * Makes a server serve requests that ask for a protocol which it does not have, such as `h2c`, as if they had not asked.
 * A server may ignore `Upgrade` (RFC 9110, section 7.8), but Node's leaves HTTP once anybody listens for upgrades. So the
 * request goes back into its connection without that header, and the connection back to the server.
 * @returns what takes such a request. What follows it on its connection stays behind it.
 */
export function ignoreUpgrades(server: Server) {
  /** The answers that are due on a connection: they come before that of a request which was sent after theirs. */
  const due = new WeakMap<Duplex, Set<ServerResponse>>()
  server.on('request', ({ socket }, response) => {
    const responses = due.get(socket) ?? new Set()
    due.set(socket, responses.add(response))
    response.once('close', () => responses.delete(response))
  })
  return async (request: IncomingMessage, socket: Duplex, rest: Buffer): Promise<void> => {
    await Promise.all([...(due.get(socket) ?? [])].map((response) => new Promise((end) => response.once('close', end))))
    if (socket.destroyed) return
    // Node reads the head of a request as latin1, so this is the same bytes.
    socket.unshift(Buffer.concat([Buffer.from(headOf(request), 'latin1'), rest]))
    server.emit('connection', socket)
  }
}

function headOf({ method, url, httpVersion, rawHeaders }: IncomingMessage): string {
  const lines = [`${method} ${url} HTTP/${httpVersion}`]
  for (let index = 0; index < rawHeaders.length; index += 2) {
    if (rawHeaders[index]?.toLowerCase() !== 'upgrade') lines.push(`${rawHeaders[index]}: ${rawHeaders[index + 1]}`)
  }
  return `${lines.join('\r\n')}\r\n\r\n`
}
