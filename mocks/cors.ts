type RequestHeaders = Readonly<Record<string, string | string[] | undefined>>

/** The methods that endpoints have. */
export const METHODS = 'GET, POST, PUT, PATCH, DELETE'

/** What lets a page of another origin read an answer. The origin is repeated: `*` would shut cookies out. */
export function corsHeaders({
  origin,
  'access-control-request-headers': wanted,
}: RequestHeaders): Record<string, string> {
  if (typeof origin !== 'string') return {}
  return {
    'access-control-allow-origin': origin,
    'access-control-allow-credentials': 'true',
    'access-control-allow-methods': METHODS,
    'access-control-allow-headers': typeof wanted === 'string' ? wanted : '',
    'access-control-expose-headers': 'retry-after',
    vary: 'origin',
  }
}

/** Whether a browser asks whether it may ask. */
export function isPreflight(method: string | undefined, headers: RequestHeaders): boolean {
  return method === 'OPTIONS' && headers['access-control-request-method'] !== undefined
}
