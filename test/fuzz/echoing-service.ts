import { type Echo, filled } from './echo'

/** What is never to be shown. */
export type Secrets = Readonly<Record<(typeof SECRET_NAMES)[number], string>>

export const SECRET_NAMES = [
  ...(['token', 'fingerprint', 'password', 'code', 'ticket', 'jwt', 'newToken', 'challenge', 'credential'] as const),
  ...(['key', 'handoffToken', 'phoneToken', 'apiKey'] as const),
]

const mfaRequired = ({ ticket, challenge }: Secrets) => {
  const methods = [{ type: 'totp' }, { type: 'webauthn', challenge: JSON.stringify({ challenge }) }]
  return { status: 401, body: { code: 60003, message: 'A second factor is due', mfa: { ticket, methods } } }
}

/** What the service answers when it behaves, and which secrets it gives away in doing so. */
function properAnswer(path: string, headers: Headers, secrets: Secrets): { status: number; body: object } {
  const { ticket, jwt, newToken: token, challenge, handoffToken: handoff_token } = secrets
  const webauthn = JSON.stringify({ challenge })
  if (path === '/mfa/finish') return { status: 200, body: { token: jwt } }
  if (path === '/auth/mfa/sms/send') return { status: 200, body: { phone: '+1•••42' } }
  if (path === '/auth/login') return { status: 200, body: { user_id: '1', mfa: true, ticket, totp: true, webauthn } }
  if (path === '/auth/handoff') return { status: 200, body: { handoff_token } }
  if (path === '/auth/conditional/start') return { status: 200, body: { ticket, challenge: webauthn } }
  if (path.startsWith('/auth/')) return { status: 200, body: { token, user_id: '1', user_settings: {} } }
  return headers.has('x-service-mfa-authorization') ? { status: 200, body: {} } : mfaRequired(secrets)
}

/**
 * A service that throws back whatever it is sent, and whatever it gives away in the same answer. What it was sent in an
 * earlier call it has forgotten, as the client has.
 */
export function echoingFetch(secrets: Secrets, echoes: readonly Echo[]): typeof fetch {
  const rest = [...echoes]
  return async (input, init) => {
    const request = new Request(input, init)
    const { pathname: path } = new URL(request.url)
    const sent = [...request.headers.values(), await request.text()].join('\n')
    const echo = rest.shift()
    const proper = properAnswer(path, request.headers, secrets)
    const given = echo?.how === 'instead' ? '' : JSON.stringify(proper.body)
    const told = sent + given
    const carried = Object.values(secrets).filter((secret) =>
      [secret, JSON.stringify(secret).slice(1, -1), escapedTwice(secret)].some((form) => told.includes(form)),
    )
    const [, scheme, value] = /^(\w+) (\S+)$/.exec(request.headers.get('authorization') ?? '') ?? []
    if (scheme !== undefined && value !== undefined) carried.push(value)
    if (echo === undefined) return Response.json(proper.body, proper)
    return answerOf(echo, proper, carried.length === 0 ? ['nothing'] : carried)
  }
}

const escapedTwice = (secret: string) => JSON.stringify(JSON.stringify(secret).slice(1, -1)).slice(1, -1)

function answerOf(echo: Echo, proper: { status: number; body: object }, carried: readonly string[]): Response {
  const headers = new Headers()
  for (const [name, index] of echo.headers) {
    const value = carried[index % carried.length] ?? ''
    // What no header can carry comes percent-encoded, as some services have it.
    headers.append(name, /^[\x20-\x7e]*$/.test(value) ? value : encodeURIComponent(value))
  }
  if (echo.how === 'well') return Response.json(proper.body, { status: proper.status, headers })
  const body = filled(echo.body, carried)
  if (echo.how === 'beside') {
    const beside = { ...Object(body), ...proper.body }
    return Response.json(Array.isArray(body) ? proper.body : beside, { status: proper.status, headers })
  }
  if (echo.asPage) return new Response(`<h1>${JSON.stringify(body)}</h1>`, { status: echo.status, headers })
  return Response.json(body, { status: echo.status, headers })
}
