import type { Call } from './call'
import { checkHeaderValue } from './headers'
import type { Transport } from './transport'

/** The headers of a request, names in lower case; what a call gives goes over what the client was given. */
export function requestHeaders(
  { config, session }: Transport,
  { prepared, limits, token }: Call,
  jwt: string | undefined,
): Record<string, string> {
  const headers: Record<string, string> = { accept: 'application/json', ...config.headers, ...limits.headers }
  if (prepared.contentType !== undefined) headers['content-type'] = prepared.contentType
  if (token !== null && prepared.auth !== 'none') {
    headers.authorization = checkHeaderValue('authorize', config.authorize(token))
  }
  // A fingerprint goes out until authentication completes (Interface, "Authentication", 3).
  if (session.fingerprint !== null && token === null) headers['x-fingerprint'] = session.fingerprint
  if (jwt !== undefined) headers[config.mfaHeader] = checkHeaderValue('mfaHeader', jwt)
  return headers
}
