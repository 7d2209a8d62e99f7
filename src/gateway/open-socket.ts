import { GatewayError } from '../errors/gateway-error'
import type { SessionState } from '../session/session'
import { type GatewaySocketClass, socketClass } from './socket'

/** Waits for all that a connection needs. Returns the class that opens it. */
export async function prepareSocket(
  session: SessionState,
  given: GatewaySocketClass | undefined,
): Promise<GatewaySocketClass> {
  try {
    await session.ready
  } catch (cause) {
    throw new GatewayError('not_signed_in', 'the stored token could not be loaded.', { cause })
  }
  if (session.token === null)
    throw new GatewayError('not_signed_in', 'there is no token to connect with. Sign in first.')
  return socketClass(given)
}
