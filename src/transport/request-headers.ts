import { wrapError } from '../errors/wrap-error'
import { compileSecrets } from '../internal/redact'
import type { Call } from './call'
import type { Config } from './config'
import { checkHeaderValue } from './headers'
import type { Transport } from './transport'

/** Returns the headers that all requests of a call share, names in lower case; those of the call replace the client's. */
export function requestHeaders({ config }: Transport, { prepared, limits, token }: Call): Record<string, string> {
  const headers: Record<string, string> = { accept: 'application/json', ...config.headers, ...limits.headers }
  if (prepared.contentType !== undefined) headers['content-type'] = prepared.contentType
  if (token !== null && prepared.auth !== 'none') {
    headers.authorization = checkHeaderValue('authorize', authorize(config, prepared.name, token))
  }
  return headers
}

function authorize(config: Config, endpoint: string, token: string): string {
  try {
    const value: unknown = config.authorize(token)
    // It is refused as no string; alone it must not end the process.
    if (value instanceof Promise) value.catch(() => {})
    return value as string
  } catch (error) {
    throw wrapError(`${endpoint}: \`authorize\` threw, nothing was sent.`, error, compileSecrets([token]))
  }
}

/** Returns the headers that depend on the session as it is now: a call may have waited since its last request. */
export function sessionHeaders({ config, session }: Transport, { token, jwt }: Call): Record<string, string> {
  return {
    // A fingerprint goes out until authentication completes (Interface, "Authentication", 3).
    ...(session.fingerprint !== null && token === null && { 'x-fingerprint': session.fingerprint }),
    ...(jwt !== undefined && { [config.mfaHeader]: jwt }),
  }
}
