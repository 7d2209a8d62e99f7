import { AbortScope } from '../abort'
import type { Endpoint } from '../contract/endpoint'
import { finishMfa } from '../contract/mfa'
import { readField } from '../internal/json'
import { isHeaderValue } from '../internal/options'
import { compileSecrets, type Secrets } from '../internal/redact'
import { Sealer } from '../internal/seal'
import { SETS_COOKIE } from '../session/cookie-session'
import { type CookieSession, SessionCookies } from './cookie'
import { endpointOf, isForeign, parseObject, pickHeaders, Refusal, readBody } from './incoming'
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
/** Maximum size of a response that is read completely, in bytes. */
const MAX_ANSWER_BYTES = 8 * 1024 * 1024
const UNEXPECTED = 'The response of the service does not match the API.'

/** That of a request, if it has one. */
type Session = CookieSession | undefined

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
  for (const name of sessions.config.allow)
    sessions.config.logger.warn?.(`rapport: ${name} is allowed: scripts of the page can take a sign-in elsewhere.`)
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
  readonly cookies: SessionCookies
  readonly #tickets: Sealer

  constructor(readonly config: HandlerConfig) {
    this.cookies = new SessionCookies(config)
    this.#tickets = new Sealer(config.keys, 'ticket')
  }

  async handle(request: Request): Promise<Response> {
    const answer = await this.#answer(request).catch((error) => this.#refuse(request, error))
    const { headers } = answer
    headers.set('cache-control', 'private, no-store')
    headers.set('vary', 'Cookie')
    // A page of the service would otherwise run as one of the app.
    headers.set('content-security-policy', "sandbox; default-src 'none'")
    headers.set('x-content-type-options', 'nosniff')
    return answer
  }

  /** Returns the answer to a request that failed, and logs it if that is not the page's fault. Errors are not shown. */
  #refuse({ method, url, signal }: Request, error: unknown): Response {
    const { status, message, cause } = error instanceof Refusal ? error : new Refusal(500, 'The request failed.', error)
    const words = [cause, Object(cause).cause].flatMap((error) => [Object(error).name, Object(error).code])
    // Messages may quote anything. Nobody waits for the answer if the browser has left.
    const details = { status, cause: words.filter((word) => /^[A-Z_]{1,40}$/i.test(word ?? '')).join(' ') }
    if (status >= 500 && !signal.aborted)
      this.config.logger.warn?.(`rapport: ${method} ${new URL(url).pathname}: ${message}`, details)
    return Response.json({ code: 0, message }, { status })
  }

  async #answer(request: Request): Promise<Response> {
    const { config } = this
    const { pathname } = new URL(request.url)
    if (!pathname.startsWith(`${config.mount}/`)) throw new Refusal(404, 'The handler is mounted elsewhere.')
    if (isForeign(request, config.origin)) throw new Refusal(403, 'The request comes from another origin.')
    const path = pathname.slice(config.mount.length)
    const session = await this.cookies.read(request.headers.get('cookie'))
    if (path === '/session' && request.method === 'GET') return this.#describe(request, session)
    const endpoint = endpointOf(request.method, path, config)
    const shown = request.headers.get('x-rapport-user')
    if (shown !== null && session?.userId && shown !== session.userId)
      throw new Refusal(409, 'The page shows another user than that of the session.')
    if (endpoint.name === 'Logout') return this.#signOut(request, endpoint, session)
    if (session === undefined && endpoint.auth === 'token') throw new Refusal(401, 'There is no session: sign in.')
    return this.#forward(request, endpoint, session)
  }

  /** Answers `GET <mount>/session`, and renews the session if that is due. */
  async #describe({ headers }: Request, session: Session): Promise<Response> {
    const user = session?.userId ? { id: session.userId } : null
    const content = { status: session ? 'signedIn' : 'signedOut', user }
    return withCookies(Response.json(content), await this.cookies.refresh(headers.get('cookie'), session))
  }

  /** Removes the cookies even if the service fails. */
  async #signOut(request: Request, endpoint: Endpoint, session: Session): Promise<Response> {
    const removal = this.cookies.signOut(session)
    if (session === undefined) return withCookies(new Response(null, { status: 204 }), removal)
    const answer = await this.#forward(request, endpoint, session).catch((error) => this.#refuse(request, error))
    return withCookies(answer, removal)
  }

  /** Sends a request of a page to the service. @throws Refusal if that cannot be reached, or its answer is unusable. */
  async #forward(request: Request, endpoint: Endpoint, session: Session): Promise<Response> {
    const { config } = this
    const { fetch = globalThis.fetch, mount, mfaHeader, clientAddress } = config
    const scope = new AbortScope(endpoint.name, request.signal, config.timeout)
    const lose = (cause: unknown): never => {
      if (scope.signal.aborted) throw new Refusal(504, 'The service did not respond in time.', cause)
      if (Object(cause).status === 413) throw new Refusal(502, 'The response of the service is too large.')
      throw new Refusal(502, 'The service cannot be reached, or its response is incomplete.', cause)
    }
    try {
      const { body = null, user_id } = await this.#openTicket(await readBody(request, config.maxRequestBytes, scope))
      const headers = pickHeaders(request.headers, config.requestHeaders)
      const address = clientAddress?.(request)
      if (address !== undefined) headers.set('x-forwarded-for', address)
      if (session && endpoint.auth !== 'none') {
        headers.set('authorization', config.authorize(session.token))
        if (session.jwt !== undefined && Number(session.jwtExpiresAt) > Date.now()) headers.set(mfaHeader, session.jwt)
      }
      const { pathname, search } = new URL(request.url)
      const url = config.baseUrl.href.replace(/\/$/, '') + pathname.slice(mount.length) + search
      const init: RequestInit = { method: request.method, headers, body, redirect: 'manual', signal: scope.signal }
      const response = await scope.race(fetch(url, init)).catch(lose)
      const { status, ok, type } = response
      if (type === 'opaqueredirect' || (status >= 300 && status <= 399)) {
        response.body?.cancel().catch(() => {})
        throw new Refusal(502, 'The service redirects, which is not followed.')
      }
      // These have no secrets, and may be long.
      if (ok && !/^\/(?:auth|mfa)\//.test(endpoint.path))
        return new Response(response.body, { status, headers: pickHeaders(response.headers, config.responseHeaders) })
      const bytes = await readBody(response, MAX_ANSWER_BYTES, scope).catch(lose)
      return await this.#toAnswer(endpoint, session, response, new TextDecoder().decode(bytes), user_id)
    } finally {
      scope.close()
    }
  }

  /** Returns what a page receives of an answer: an object without tokens and verifications. Another text may be a part of one. */
  async #toAnswer(endpoint: Endpoint, session: Session, response: Response, text: string, user_id = '') {
    const { name, path } = endpoint
    const { status, ok } = response
    const headers = pickHeaders(response.headers, this.config.responseHeaders)
    const content = parseObject(text)
    if (ok && text !== '' && !content) throw new Refusal(502, UNEXPECTED)
    const { token, ...rest } = content ?? { code: 0, message: UNEXPECTED }
    const isSignIn = name !== finishMfa.name && SETS_COOKIE.test(path)
    const shown = isSignIn && user_id ? { user_id, ...rest } : rest
    let cookies: readonly string[] = []
    if (ok && SETS_COOKIE.test(path) && !(rest.mfa === true && typeof rest.ticket === 'string')) {
      if (!isHeaderValue(token)) throw new Refusal(502, UNEXPECTED)
      cookies = await (isSignIn ? this.#signIn(token, shown, session) : this.#verify(token, session))
      if (cookies.length === 0) throw new Refusal(502, 'The session does not fit into a cookie.')
    }
    if (ok && name === 'Revert Account') cookies = this.cookies.signOut(session)
    if (text === '') return withCookies(new Response(null, { status, headers }), cookies)
    headers.set('content-type', 'application/json')
    const tokens = name === 'Create Handoff Token' ? /^token$/i : /(?:^|[_-]|access|auth)token$/i
    const secrets = [token, session?.token, session?.jwt].filter((secret) => typeof secret === 'string')
    const body = await this.#conceal(shown, tokens, compileSecrets(secrets))
    return withCookies(new Response(body, { status, headers }), cookies)
  }

  async #signIn(token: string, answer: object, previous: Session): Promise<readonly string[]> {
    this.cookies.signOut(previous)
    const known = readField(answer, 'user_id') || readField(readField(answer, 'user'), 'id')
    const userId = typeof known === 'string' ? known : null
    return this.cookies.create({ id: crypto.randomUUID(), token, userId, createdAt: Date.now() })
  }

  /** @throws Refusal if the session was signed out meanwhile: its cookie must not come back. */
  async #verify(jwt: string, session: Session): Promise<readonly string[]> {
    if (session === undefined) throw new Refusal(401, 'There is no session: sign in.')
    const cookies = await this.cookies.renew({ ...session, jwt, jwtExpiresAt: Date.now() + VERIFICATION_MS })
    if (this.cookies.signedOut.has(session.id)) throw new Refusal(401, 'The session was signed out.')
    return cookies
  }

  /** Returns JSON without tokens. Tickets are sealed with the ID of the user, which Verify MFA Login does not return. */
  async #conceal(content: Record<string, unknown>, tokens: RegExp, secrets: Secrets): Promise<string> {
    const tickets = new Map<string, string>()
    JSON.stringify(content, (name, value: unknown) => {
      if (typeof value === 'string' && /ticket$/i.test(name)) tickets.set(value, '')
      return value
    })
    for (const ticket of tickets.keys())
      tickets.set(ticket, await this.#tickets.seal(`${content.user_id ?? ''} ${ticket}`, '', Date.now() + TICKET_MS))
    return JSON.stringify(content, (name, value: unknown) => {
      if (typeof value !== 'string') return value
      if (tokens.test(name)) return undefined
      return tickets.get(value) ?? secrets.text(value)
    })
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
