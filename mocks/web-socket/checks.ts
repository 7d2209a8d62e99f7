/** The address of a WebSocket, as the standard reads it. */
export function socketUrl(given: string | URL): URL {
  const url = URL.canParse(given) ? new URL(given) : undefined
  if (url === undefined) throw syntaxError(`"${given}" is no absolute address`)
  if (url.protocol === 'http:') url.protocol = 'ws:'
  if (url.protocol === 'https:') url.protocol = 'wss:'
  if (url.protocol !== 'ws:' && url.protocol !== 'wss:') throw syntaxError(`${url.protocol} is no scheme of WebSockets`)
  if (/#/.test(String(given))) throw syntaxError('the address of a WebSocket has no fragment')
  return url
}

/** Refuses subprotocols that are no tokens, or are there twice. */
export function assertProtocols(given: string | string[]): void {
  const protocols = typeof given === 'string' ? [given] : given
  const isUnique = new Set(protocols.map((protocol) => protocol.toLowerCase())).size === protocols.length
  if (isUnique && protocols.every((protocol) => /^[!#$%&'*+\-.^_`|~\w]+$/.test(protocol))) return
  throw syntaxError('subprotocols are tokens, each given once')
}

/** Refuses what a client may not close with. */
export function assertClosing(code: number | undefined, reason: string): void {
  if (code !== undefined && code !== 1000 && !(code >= 3000 && code <= 4999)) {
    throw new DOMException(`a client closes with 1000 or 3000–4999, not ${code}`, 'InvalidAccessError')
  }
  if (new TextEncoder().encode(reason).length > 123) throw syntaxError('a reason has at most 123 bytes')
}

function syntaxError(message: string): DOMException {
  return new DOMException(message, 'SyntaxError')
}
