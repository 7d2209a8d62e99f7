const LOOPBACK = /^(?:localhost|.+\.localhost|127(?:\.\d{1,3}){3}|\[::1\])$/

/** Whether a host is this machine, which no network comes between. */
export function isLoopback(hostname: string): boolean {
  return LOOPBACK.test(hostname)
}

/** What keeps an address from being a gateway's, or `undefined`. The address itself is not quoted. */
export function validateGatewayUrl(address: unknown, allowInsecure: boolean): string | undefined {
  const given = String(address)
  if (!URL.canParse(given)) return 'expected the absolute URL of the Gateway, such as "wss://gateway.service.example"'
  const url = new URL(given)
  if (url.protocol !== 'wss:' && url.protocol !== 'ws:') return 'expected wss or ws'
  if (url.protocol === 'ws:' && !allowInsecure && !isLoopback(url.hostname))
    return 'ws shows the token to the network: use wss, or `allowInsecureHttp: true`'
  if (url.username !== '' || url.password !== '') return 'must not carry a user or a password'
  // WebSocket refuses even an empty one.
  return url.href.includes('#') ? 'must not carry a fragment' : undefined
}
