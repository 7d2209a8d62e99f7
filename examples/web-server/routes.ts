import { Client, type ClientOptions, explain, isApiError, isMfaRequiredError, type MfaHandler } from 'rapport-sdk'

/** A web `Request` in, a web `Response` out, as in Next.js, Remix, SvelteKit, Hono or a worker. */
export type RouteHandler = (request: Request) => Promise<Response>

/**
 * Creates the route handlers of an app. Whatever belongs to a user comes with the request and ends with it: the token is
 * in a cookie, and each request has a client of its own.
 */
export function createRoutes(options: ClientOptions): Readonly<Record<string, RouteHandler>> {
  // One for the process, for its options and rate limits. Nobody ever signs in with it.
  const service = new Client(options)

  /** Gives a handler the client of the user who sent the request. */
  const withUser = (handle: (client: Client, request: Request) => Promise<Response>): RouteHandler =>
    withErrors(async (request) => {
      const token = tokenOf(request)
      if (token === undefined) return json({ title: 'Signed out', action: 'signIn' }, 401)
      await using client = service.as(token)
      return await handle(client, request)
    })

  return {
    'POST /api/login': withErrors(async (request) => {
      const { login, password, code } = await request.json()
      // Also a client of its own, because a login signs its client in.
      await using client = new Client(options)
      const result = await client.auth.login({ login, password }, { onMfaRequired: answerWith(code) })
      if (result.status === 'mfa') return json({ action: 'verify', methods: result.challenge.methods }, 401)
      return json({ user_id: result.user_id }, 200, sessionCookie(result.token))
    }),

    'GET /api/friends': withUser(async (client, { signal }) => json(await client.relationships.list({ signal }))),

    'POST /api/friends': withUser(async (client, request) => {
      const { username } = await request.json()
      await client.relationships.sendRequest({ username, discriminator: null })
      return json({}, 201)
    }),

    'POST /api/logout-elsewhere': withUser(async (client, request) => {
      const { code } = await request.json()
      const { user_sessions } = await client.auth.sessions.list()
      // The mock lists the session of the request first; elsewhere, compare with `gateway.sessionHash`.
      const [, ...others] = user_sessions.map(({ id_hash }) => id_hash)
      await client.auth.sessions.logout({ session_id_hashes: others }, { onMfaRequired: answerWith(code) })
      return json({ count: others.length })
    }),

    'POST /api/logout': withUser(async (client) => {
      await client.auth.logout()
      return json({}, 200, sessionCookie(''))
    }),
  }
}

/**
 * Answers a step-up with the code that came with the request. Without one, the call rejects with `MfaRequiredError`: the
 * page asks the user and sends the request again. So no prompt stays open on the server between two requests.
 */
function answerWith(code: unknown): MfaHandler | false {
  if (typeof code !== 'string') return false
  return ({ lastError }) => {
    if (lastError) throw lastError
    return { type: 'totp', code }
  }
}

/** Responds to errors in words for the page. */
function withErrors(handle: RouteHandler): RouteHandler {
  return async (request) => {
    try {
      return await handle(request)
    } catch (error) {
      if (isMfaRequiredError(error)) return json({ action: 'verify', methods: error.challenge?.methods ?? [] }, 401)
      const explanation = explain(error)
      return json(explanation, isApiError(error) ? error.status : explanation.action === 'edit' ? 400 : 502)
    }
  }
}

function json(body: unknown, status = 200, headers: Record<string, string> = {}): Response {
  // `no-store`: no cache may keep the data of a user.
  return Response.json(body, { status, headers: { 'cache-control': 'no-store', ...headers } })
}

/** A cookie that scripts of the page cannot read, and that forms of other pages do not send. */
function sessionCookie(token: string): Record<string, string> {
  const end = token === '' ? '; Max-Age=0' : ''
  return {
    'set-cookie': `__Host-session=${encodeURIComponent(token)}; Path=/; Secure; HttpOnly; SameSite=Strict${end}`,
  }
}

function tokenOf(request: Request): string | undefined {
  const [, value] = /(?:^|; )__Host-session=([^;]+)/.exec(request.headers.get('cookie') ?? '') ?? []
  return value && decodeURIComponent(value)
}
