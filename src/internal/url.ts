const LOOPBACK = /^(?:(?:.+\.)?localhost|127(?:\.\d{1,3}){3}|\[::1\])$/

/** Whether a host is the local machine, so that no network can read the traffic. */
export function isLoopback(hostname: string): boolean {
  return LOOPBACK.test(hostname)
}

/** Returns the problem of a gateway URL, or `undefined` if it is valid. The URL is not quoted. */
export function validateGatewayUrl(value: unknown, allowInsecure: boolean): string | undefined {
  const href = String(value)
  if (!URL.canParse(href)) return 'expected the absolute URL of the Gateway, such as "wss://gateway.service.example"'
  const url = new URL(href)
  if (url.protocol !== 'wss:' && url.protocol !== 'ws:') return 'expected wss or ws'
  if (url.protocol === 'ws:' && !allowInsecure && !isLoopback(url.hostname))
    return 'ws exposes the token to the network: use wss, or `allowInsecureHttp: true`'
  if (url.username !== '' || url.password !== '') return 'must not contain a user name or a password'
  // WebSocket also refuses an empty fragment.
  return url.href.includes('#') ? 'must not contain a fragment' : undefined
}
