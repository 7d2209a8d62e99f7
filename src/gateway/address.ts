import { isLoopback } from '../transport/loopback'
import type { GatewayConfig } from './read-options'

/** What keeps an address from being a gateway's, or `undefined`. The address itself is not quoted. */
export function addressProblem(address: unknown, allowInsecure: boolean): string | undefined {
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

/**
 * The address at which the service wants a session to be resumed, or `undefined` where it cannot be used: it may not be
 * less safe than the one that was given.
 */
export function resumeAddress(given: unknown, { url, allowInsecure }: GatewayConfig): string | undefined {
  if (typeof given !== 'string' || addressProblem(given, allowInsecure) !== undefined) return undefined
  const address = new URL(given)
  if (url.protocol === 'wss:' && address.protocol !== 'wss:') return undefined
  // What the query says, such as a version, holds for every address.
  if (address.search === '') address.search = url.search
  return address.href
}
