import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import { type WebSocket, WebSocketServer } from 'ws'

/** Secrets, names and IDs of the service: nothing that is written may contain them. */
export const PRIVATE = {
  login: 'ada@lovelace.example',
  password: 'analytical engine',
  code: '246810',
  token: 'tok-ada-5f1c9e7b3d',
  ownToken: 'tok-own-8b2d4c6e1f',
  jwt: 'eyJhbGciOi.odd.c2lnbmF0dXJl',
  ticket: 'ticket-77aa88bb99',
  loginInstance: 'instance-1029384756',
  ada: '100000000000000001',
  grace: '100000000000000002',
  application: '300000000000000003',
  config: '400000000000000004',
  username: 'grace_hopper',
  nickname: 'amazing_grace',
  external: 'ext-4711-0815',
  session: 'gwsession-31415926',
  hash: 'hash-27182818',
} as const

/** Close code for a token that the gateway does not accept. */
const NOT_ACCEPTED = 4900

/** The service as an engineer might meet it: not built from the contract of this package, with planted differences. */
export class OddService {
  /** Method and path of each request, and operations of frames. */
  readonly journal: string[] = []
  /** Tokens that are accepted, with their sessions. */
  readonly #tokens = new Set<string>([PRIVATE.token])
  readonly #sockets = new Map<WebSocket, string>()
  readonly #server = createServer((request, response) => void this.#answer(request, response))
  readonly #gateway = new WebSocketServer({ server: this.#server, path: '/gateway' })
  nickname: string = PRIVATE.nickname
  configs = 0
  /** Whether requests that change something fail with 500. */
  isReadOnly = false
  /** Ends when the response to a change may be sent. */
  held: Promise<void> | undefined
  /** Whether sessions can be resumed; what was missed does not come even then. */
  canResume = false
  /** Address in Ready at which sessions are to be resumed. */
  resumeUrl: string | undefined

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  get gatewayUrl(): string {
    return `${this.url.replace('http', 'ws')}/gateway`
  }

  /** Listens until the end of the test. */
  async listen(): Promise<this> {
    onTestFinished(() => this.close())
    return this.start()
  }

  async start(): Promise<this> {
    this.#gateway.on('connection', (socket) => this.#connect(socket))
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
    return this
  }

  async close(): Promise<void> {
    for (const socket of this.#gateway.clients) socket.terminate()
    this.#gateway.close()
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url = '', headers } = request
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const text = Buffer.concat(chunks).toString()
    const body = text === '' ? {} : JSON.parse(text)
    const { pathname, searchParams } = new URL(url, this.url)
    const path = pathname.replaceAll(/\d{10,}|ext-[\d-]+/g, '*')
    this.journal.push(`${method} ${path}`)
    const send = (status: number, value?: object, more: Record<string, string> = {}) => {
      response.writeHead(status, { 'content-type': 'application/json', 'x-request-id': 'r-1', ...more })
      response.end(value === undefined ? undefined : JSON.stringify(value))
    }
    const fail = (status: number, code: number, more: object = {}) =>
      send(status, { error: { code, message: 'It does not work.', ...more } })
    // A scheme, unlike in the default of the client.
    const token = /^Bearer (.+)$/.exec(headers.authorization ?? '')?.[1]
    const session = { token: PRIVATE.ownToken, user_settings: { locale: 'en-GB', theme: 'dark' } }
    switch (`${method} ${path}`) {
      case 'GET /auth/location-metadata':
        return send(200, {
          country_code: 'GB',
          consent_required: true,
          promotional_email_opt_in: { required: false, pre_checked: false },
        })
      case 'GET /unique-username/username-suggestions-unauthed':
        return send(200, { username: PRIVATE.username })
      case 'POST /auth/login': {
        if (body.login !== PRIVATE.login || body.password !== PRIVATE.password) return fail(400, 50035)
        const { ada: user_id, ticket, loginInstance: login_instance_id } = PRIVATE
        return send(200, {
          user_id,
          ticket,
          login_instance_id,
          mfa: true,
          totp: true,
          sms: false,
          backup: true,
          webauthn: null,
        })
      }
      case 'POST /auth/mfa/totp':
        // 401 for a wrong code, which the client takes for an expired ticket.
        if (body.ticket !== PRIVATE.ticket || body.code !== PRIVATE.code) return fail(401, 60008)
        this.#tokens.add(PRIVATE.ownToken)
        return send(200, session)
    }
    if (token === undefined || !this.#tokens.has(token)) return fail(401, 40001)
    if (method !== 'GET' && this.isReadOnly) return fail(500, 0)
    switch (`${method} ${path}`) {
      case 'POST /mfa/finish':
        return body.data === PRIVATE.code ? send(200, { token: PRIVATE.jwt }) : fail(401, 60008)
      case 'POST /auth/logout':
        this.#end(token)
        return send(204)
      case 'POST /auth/sessions/logout':
        // 403, unlike in the document.
        if (headers['x-service-mfa-authorization'] !== PRIVATE.jwt) {
          const methods = [{ type: 'totp', backup_codes_allowed: true }]
          return fail(403, 60003, { mfa: { ticket: PRIVATE.ticket, methods } })
        }
        if (body.session_id_hashes?.includes(PRIVATE.hash)) this.#end(token)
        return send(204)
      case 'GET /auth/sessions':
        // `location` is gone.
        return send(200, {
          user_sessions: [
            {
              id_hash: PRIVATE.hash,
              approx_last_used_time: '2026-11-27T00:00:00.000Z',
              client_info: { os: 'Linux', platform: null },
            },
          ],
        })
      case 'GET /users/@me/relationships': {
        const base = { id: PRIVATE.grace, user: { id: PRIVATE.grace, username: PRIVATE.username }, user_ignored: false }
        // A type that the document does not have.
        return send(200, [
          { ...base, type: 1, nickname: this.nickname, since: '2026-01-01T00:00:00.000Z' },
          { ...base, type: 9, nickname: null },
        ])
      }
      case 'PATCH /users/@me/relationships/*':
        this.nickname = body.nickname
        await this.held
        return send(204)
      case 'GET /users/@me/game-relationships':
        return send(200, [
          {
            id: PRIVATE.grace,
            application_id: PRIVATE.application,
            type: 1,
            user: { id: PRIVATE.grace },
            since: '2026-01-01T00:00:00.000Z',
            // A string, not an integer.
            dm_access_type: 'everyone',
            user_id: PRIVATE.ada,
          },
        ])
      case 'GET /friend-suggestions':
        return send(200, [
          { suggested_user: { id: PRIVATE.grace }, reasons: [{ type: 1, platform: 'chess', name: PRIVATE.username }] },
        ])
      case 'GET /users/@me/widgets/suggested-games':
        return send(200, { suggested_games: [PRIVATE.application], suggested_wishlist_games: [] })
      case 'GET /widget-configs/featured':
        return send(200, { application_ids: [], configs: {} })
      case 'GET /widget-configs/layout-definitions':
        return send(200, {})
      case 'GET /widget-configs/developer':
        return send(200, { configs: { [PRIVATE.application]: [this.#config('draft')] } })
      case 'GET /applications/*/widget-configs':
        return send(200, [this.#config('draft')])
      case 'POST /applications/*/widget-configs':
        this.configs++
        // New configs are published at once.
        return send(200, this.#config('published'))
      case 'DELETE /applications/*/widget-configs/*':
        this.configs--
        return send(204)
      case 'GET /users/*/application-identities':
        if (!['true', 'false', null].includes(searchParams.get('with_profiles')))
          return fail(400, 50035, { fields: [{ field: 'with_profiles', code: 'BOOLEAN', message: 'Not a boolean.' }] })
        return send(200, {
          identities: [{ application_id: PRIVATE.application, provider_issued_user_id: PRIVATE.external }],
        })
      case 'GET /applications/*/users/*/identities/*/profile':
        // Milliseconds in the body.
        return send(
          429,
          { error: { code: 31001, message: 'Slow down.', retry_after: 1400, global: false } },
          { 'retry-after': '2' },
        )
    }
    return fail(404, 10000)
  }

  #config(status: string): object {
    return {
      application_id: PRIVATE.application,
      config_id: PRIVATE.config,
      display_name: PRIVATE.username,
      surfaces: {
        widget_top: {
          layout: 'widget_top_hero',
          components: {
            [PRIVATE.username]: {
              fields: { hero: { value_type: 'data', presentation_type: 'text', value: PRIVATE.nickname } },
            },
          },
        },
      },
      status,
      published_at: null,
      updated_at: '2026-01-01T00:00:00.000Z',
      // Not in the document.
      theme_color: 7,
    }
  }

  #end(token: string): void {
    this.#tokens.delete(token)
    for (const [socket, owner] of this.#sockets) if (owner === token) socket.close(NOT_ACCEPTED)
  }

  #connect(socket: WebSocket): void {
    const send = (op: number, d: unknown = null, t: string | null = null, s: number | null = null) =>
      socket.send(JSON.stringify({ op, d, t, s }))
    socket.on('error', () => {})
    socket.on('close', () => this.#sockets.delete(socket))
    socket.on('message', (data) => {
      const { op, d } = JSON.parse(String(data))
      this.journal.push(`op ${op}`)
      if (op === 1) send(11)
      if (op === 6) this.canResume ? send(0, {}, 'RESUMED', 3) : send(9, false)
      if (op !== 2) return
      if (!this.#tokens.has(d.token)) return socket.close(NOT_ACCEPTED)
      this.#sockets.set(socket, d.token)
      // Without `user`, and with an event that the document does not have.
      const session = { auth_session_id_hash: PRIVATE.hash, session_id: PRIVATE.session }
      send(0, { ...session, resume_gateway_url: this.resumeUrl }, 'READY', 1)
      send(0, { [PRIVATE.username]: 1 }, 'PRESENCE_SYNC', 2)
    })
    send(10, { heartbeat_interval: 30_000 })
  }
}
