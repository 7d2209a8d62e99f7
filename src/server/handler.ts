import { AbortScope } from '../abort'
import type { Endpoint } from '../contract/endpoint'
import { finishMfa } from '../contract/mfa'
import { isObject, readField } from '../internal/json'
import { Sealer } from '../internal/seal'
import { SETS_COOKIE } from '../session/cookie-session'
import { type CookieSession, SessionCookies } from './cookie'
import { endpointOf, forwardedHeaders, isForeign, parseObject, Refusal, readBody, returnedHeaders } from './incoming'
import { type HandlerConfig, readHandlerOptions, type SessionHandlerOptions } from './options'

/** Answers a request of a page; never rejects. */
export interface SessionHandler {
  (request: Request): Promise<Response>
  /**
   * Returns `parent.as(…)` for the session of a request, to render a page on the server; `undefined` if there is none. It
   * has the token: keep it on the server.
   */
  client<C>(
    request: { readonly headers: Pick<Headers, 'get'> },
    parent: { as(token: string, userId?: string): C },
  ): Promise<C | undefined>
}

/** A verification JWT expires after 5 minutes (API, "Limits"), less a margin for the latency of a request. */
const VERIFICATION_MS = 290_000
/** Time for which a page can use a ticket; that of the service may be shorter. */
const TICKET_MS = 60 * 60 * 1000

/** A request of a page that is forwarded. */
interface Exchange {
  readonly request: Request
  readonly endpoint: Endpoint
  /** Path and query. */
  readonly target: string
  readonly session: CookieSession | undefined
}

/** The sessions of each handler, for the gateway. */
export const handlers = new WeakMap<SessionHandler, Sessions>()

/**
 * Creates a handler of cookie sessions for a server that speaks `Request` and `Response`: pages call the service through it,
 * and their token stays in a sealed cookie that no script can read. Mount it at `mount` and below, for all methods. Pages
 * use `new Client({ baseUrl: '/rapport', session: 'cookie' })`.
 *
 * @throws RequestValidationError naming every invalid option.
 *
 * @example
 * import { createSessionHandler } from 'rapport-sdk/server'
 *
 * const handler = createSessionHandler({
 *   baseUrl: 'https://service.example/api',
 *   keys: [{ id: '2026', key: Buffer.from(process.env.SEALING_KEY ?? '', 'base64') }],
 *   origin: 'https://app.example',
 * })
 * export const GET = handler
 * export const POST = handler
 */
export function createSessionHandler(options: SessionHandlerOptions): SessionHandler {
  const sessions = new Sessions(readHandlerOptions(options))
  const { allow, logger } = sessions.config
  for (const name of allow)
    logger.warn?.(`rapport: ${name} is allowed: scripts of the page can take a sign-in elsewhere.`)
  const client: SessionHandler['client'] = async ({ headers }, parent) => {
    const session = await sessions.cookies.read(headers.get('cookie'))
    return session && parent.as(session.token, session.userId ?? undefined)
  }
  const handler: SessionHandler = Object.assign((request: Request) => sessions.handle(request), { client })
  handlers.set(handler, sessions)
  return handler
}

/** Implements {@link createSessionHandler}. */
export class Sessions {
  readonly config: HandlerConfig
  readonly cookies: SessionCookies
  readonly #tickets: Sealer

  constructor(config: HandlerConfig) {
    this.config = config
    this.cookies = new SessionCookies(config)
    this.#tickets = new Sealer(config.keys, 'ticket')
  }

  async handle(request: Request): Promise<Response> {
    const answer = await this.#answer(request).catch(toAnswer)
    const { headers } = answer
    headers.set('cache-control', 'private, no-store')
    headers.set('vary', 'Cookie')
    // A page of the service would otherwise run as one of the app.
    headers.set('content-security-policy', "sandbox; default-src 'none'")
    headers.set('x-content-type-options', 'nosniff')
    return answer
  }

  async #answer(request: Request): Promise<Response> {
    const { config } = this
    const { pathname, search } = new URL(request.url)
    if (!pathname.startsWith(`${config.mount}/`)) throw new Refusal(404, 'The handler is mounted elsewhere.')
    if (isForeign(request, config.origin)) throw new Refusal(403, 'The request comes from another origin.')
    const path = pathname.slice(config.mount.length)
    const session = await this.cookies.read(request.headers.get('cookie'))
    if (path === '/session' && request.method === 'GET') return this.#describe(request, session)
    const endpoint = endpointOf(request.method, path, config)
    const shown = request.headers.get('x-rapport-user')
    if (shown !== null && session?.userId && shown !== session.userId)
      throw new Refusal(409, 'The page shows another user than that of the session.')
    const exchange = { request, endpoint, target: path + search, session }
    if (endpoint.name === 'Logout') return this.#signOut(exchange)
    if (session === undefined && endpoint.auth === 'token') throw new Refusal(401, 'There is no session: sign in.')
    return this.#forward(exchange)
  }

  /** Answers `GET <mount>/session`, and renews the session if that is due. */
  async #describe(request: Request, session: CookieSession | undefined): Promise<Response> {
    const user = session?.userId ? { id: session.userId } : null
    const cookies = await this.cookies.refresh(request.headers.get('cookie'), session)
    return withCookies(Response.json({ status: session ? 'signedIn' : 'signedOut', user }), cookies)
  }

  /** Removes the cookies even if the service fails. */
  async #signOut(exchange: Exchange): Promise<Response> {
    const { session } = exchange
    if (session) this.cookies.signOut(session)
    const answer = session ? await this.#forward(exchange).catch(toAnswer) : new Response(null, { status: 204 })
    return withCookies(answer, this.cookies.removal)
  }

  /** Sends a request of a page to the service. @throws Refusal if that cannot be reached. */
  async #forward(exchange: Exchange): Promise<Response> {
    const { request, endpoint, target, session } = exchange
    const { baseUrl, fetch = globalThis.fetch, authorize, mfaHeader, timeout } = this.config
    const { body = null, user_id } = await this.#openTicket(await readBody(request, this.config))
    const headers = forwardedHeaders(request, this.config)
    if (session && endpoint.auth !== 'none') {
      headers.set('authorization', authorize(session.token))
      if (session.jwt !== undefined && Number(session.jwtExpiresAt) > Date.now()) headers.set(mfaHeader, session.jwt)
    }
    const url = baseUrl.href.replace(/\/$/, '') + target
    const scope = new AbortScope(endpoint.name, request.signal, timeout)
    const init: RequestInit = { method: request.method, headers, body, redirect: 'manual', signal: scope.signal }
    const response = await fetch(url, init)
      .catch(() => {
        throw scope.signal.aborted
          ? new Refusal(504, 'The service did not respond in time.')
          : new Refusal(502, 'The service cannot be reached.')
      })
      .finally(() => scope.close())
    const isRedirect = response.type === 'opaqueredirect' || (response.status >= 300 && response.status <= 399)
    if (!isRedirect) return this.#toAnswer(exchange, response, user_id)
    response.body?.cancel().catch(() => {})
    throw new Refusal(502, 'The service redirects, which is not followed.')
  }

  /** Returns what a page receives. Tokens, verifications and tickets, which can be exchanged for them, are taken out or sealed. */
  async #toAnswer({ endpoint, session }: Exchange, response: Response, user_id = ''): Promise<Response> {
    const { status } = response
    const { name, path } = endpoint
    const headers = returnedHeaders(response, this.config)
    // Other answers have no secrets, and may be long.
    if (!/^\/(?:auth|mfa)\//.test(path) && status !== 401) return new Response(response.body, { status, headers })
    const isReverted = name === 'Revert Account' && response.ok
    if (isReverted && session) this.cookies.signOut(session)
    const text = await response.text()
    const content = parseObject(text)
    let cookies = isReverted ? this.cookies.removal : []
    if (content === undefined) return withCookies(new Response(text || null, { status, headers }), cookies)
    const { token, handoff_token, ...rest } = content
    const isSignIn = name !== finishMfa.name && SETS_COOKIE.test(path)
    if (response.ok && typeof token === 'string' && SETS_COOKIE.test(path)) {
      cookies = await (isSignIn ? this.#signIn(token, { user_id, ...rest }, session) : this.#verify(token, session))
      if (cookies.length === 0) throw new Refusal(502, 'The session does not fit into a cookie.')
    }
    const known = isSignIn && user_id ? { user_id, ...rest } : rest
    const shown = await this.#sealTickets(name === 'Create Handoff Token' ? content : known)
    return withCookies(new Response(JSON.stringify(shown), { status, headers }), cookies)
  }

  async #signIn(token: string, answer: object, previous: CookieSession | undefined): Promise<readonly string[]> {
    if (previous) this.cookies.signOut(previous)
    const userId = readField(answer, 'user_id') || readField(readField(answer, 'user'), 'id')
    const known = typeof userId === 'string' ? userId : null
    return this.cookies.create({ id: crypto.randomUUID(), token, userId: known, createdAt: Date.now() })
  }

  /** @throws Refusal if the session was signed out meanwhile: its cookie must not come back. */
  async #verify(jwt: string, session: CookieSession | undefined): Promise<readonly string[]> {
    if (session === undefined) throw new Refusal(401, 'There is no session: sign in.')
    const cookies = await this.cookies.renew({ ...session, jwt, jwtExpiresAt: Date.now() + VERIFICATION_MS })
    if (this.cookies.signedOut.has(session.id)) throw new Refusal(401, 'The session was signed out.')
    return cookies
  }

  /** Seals tickets with the ID of the user, which Verify MFA Login does not return. */
  async #sealTickets({ ...content }: Record<string, unknown>): Promise<object> {
    const seal = (value: unknown) =>
      typeof value === 'string'
        ? this.#tickets.seal(`${content.user_id ?? ''} ${value}`, '', Date.now() + TICKET_MS)
        : value
    const { ticket, mfa } = content
    if (ticket !== undefined) content.ticket = await seal(ticket)
    if (isObject(mfa)) content.mfa = { ...mfa, ticket: await seal(readField(mfa, 'ticket')) }
    return content
  }

  /** Opens the ticket in a body. One that is not sealed stays as it is: it comes from a mail. */
  async #openTicket(bytes: Uint8Array<ArrayBuffer> | undefined) {
    const content = bytes && parseObject(new TextDecoder().decode(bytes))
    if (typeof content?.ticket !== 'string') return { body: bytes }
    const { text, problem } = await this.#tickets.open(content.ticket, '')
    if (problem === 'is malformed') return { body: bytes }
    if (problem) throw new Refusal(401, 'The ticket has expired.')
    const end = text.indexOf(' ')
    return { body: JSON.stringify({ ...content, ticket: text.slice(end + 1) }), user_id: text.slice(0, end) }
  }
}

/** Adds the `Set-Cookie`s of a session. */
function withCookies(answer: Response, cookies: readonly string[]): Response {
  for (const cookie of cookies) answer.headers.append('set-cookie', cookie)
  return answer
}

/** Other errors are not shown: they may quote anything. */
function toAnswer(error: unknown): Response {
  const { status, message } = error instanceof Refusal ? error : new Refusal(500, 'The request failed.')
  return Response.json({ code: 0, message }, { status })
}
