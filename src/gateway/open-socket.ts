import { GatewayError } from '../errors/gateway-error'
import type { SessionState } from '../session/session'
import { type GatewaySocket, type GatewaySocketClass, socketClass } from './socket'

/** Waits for all that a socket needs. Returns what opens it at once. */
export async function prepareSocket(
  session: SessionState,
  given: GatewaySocketClass | undefined,
): Promise<(address: string) => GatewaySocket> {
  const [Socket] = await Promise.all([socketClass(given), tokenLoaded(session)])
  if (session.token === null)
    throw new GatewayError('not_signed_in', 'there is no token to connect with. Sign in first.')
  return (address) => new Socket(address)
}

async function tokenLoaded(session: SessionState): Promise<void> {
  try {
    await session.ready
  } catch (cause) {
    throw new GatewayError('not_signed_in', 'the stored token could not be loaded.', { cause })
  }
}
