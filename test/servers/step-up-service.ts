import { setImmediate as turn } from 'node:timers/promises'
import type { Client } from 'rapport-sdk'
import { type HttpServer, json, type RecordedRequest, resetConnection, serve } from './http-server'

export const MFA_HEADER = 'x-service-mfa-authorization'
/** The code that the service accepts. */
export const CODE = '246810'
const JWT_LIFETIME_MS = 300_000

/** How a service behaves: as the API document shows, or with a fault. */
export const MODES = [
  ...(['normal', 'rejects every JWT', 'expires every ticket', 'fails to verify', 'requires MFA to verify'] as const),
  ...(['returns no JWT', 'returns no challenge', 'returns malformed methods'] as const),
  ...(['rate limited', 'unavailable', 'network error'] as const),
]
export type Mode = (typeof MODES)[number]

/** The parts of a request that decide its response. */
export interface StepUpRequest {
  readonly path: string
  /** The token of the account. */
  readonly account: string
  readonly jwt: string | undefined
  readonly body: { readonly ticket?: string; readonly data?: string }
}

interface Reply {
  readonly status: number
  readonly body: object
  readonly headers?: Record<string, string>
}

/** A service that requires a second factor for every call and verifies {@link CODE} of each account separately. */
export class StepUpService<Request extends StepUpRequest = StepUpRequest> {
  mode: Mode = 'normal'
  /** JWTs, named `jwt-of-<account>-1`, `-2`, …, with the request that each was issued for. */
  readonly issued = new Map<string, { readonly request: Request; readonly expiresAt: number }>()
  /** Tickets, named `ticket-1`, `-2`, …, with their accounts. */
  readonly tickets = new Map<string, string>()
  readonly #revoked = new Set<string>()

  constructor(readonly methods: readonly object[] = [{ type: 'totp', backup_codes_allowed: true }]) {}

  /** Rejects all JWTs that were issued so far. */
  revokeJwts(): void {
    for (const jwt of this.issued.keys()) this.#revoked.add(jwt)
  }

  /** Returns the response to a request, or `undefined` for a network error. */
  handle(request: Request): Reply | undefined {
    if (this.mode === 'network error') return undefined
    if (this.mode === 'unavailable') return { status: 503, body: {} }
    if (this.mode === 'rate limited') return { status: 429, body: {}, headers: { 'retry-after': '1' } }
    if (request.path === '/mfa/finish') return this.#verify(request)
    return this.#isVerified(request) ? { status: 200, body: [] } : this.#requireMfa(request)
  }

  #isVerified({ jwt, account }: Request): boolean {
    const issued = jwt === undefined || this.#revoked.has(jwt) ? undefined : this.issued.get(jwt)
    if (issued === undefined || this.mode === 'rejects every JWT') return false
    return issued.request.account === account && issued.expiresAt >= performance.now()
  }

  #verify(request: Request): Reply {
    if (this.mode === 'expires every ticket') return { status: 401, body: { message: 'expired' } }
    if (this.mode === 'requires MFA to verify') return this.#requireMfa(request)
    if (this.mode === 'fails to verify') return { status: 500, body: { message: 'broken' } }
    if (this.mode === 'returns no JWT') return { status: 200, body: {} }
    if (request.body.data !== CODE) return { status: 400, body: { code: 60008, message: 'Invalid two-factor code' } }
    const token = `jwt-of-${request.account}-${this.issued.size + 1}`
    this.issued.set(token, { request, expiresAt: performance.now() + JWT_LIFETIME_MS })
    return { status: 200, body: { token } }
  }

  #requireMfa({ account }: Request): Reply {
    const ticket = `ticket-${this.tickets.size + 1}`
    this.tickets.set(ticket, account)
    const methods = this.mode === 'returns malformed methods' ? [{ type: 5 }, null] : this.methods
    const mfa = this.mode === 'returns no challenge' ? {} : { mfa: { ticket, methods } }
    return { status: 401, body: { code: 60003, message: 'Two factor is required for this operation', ...mfa } }
  }
}

/** A {@link StepUpService} over HTTP. */
export interface StepUpServer {
  readonly server: HttpServer
  readonly url: string
  /** The requests to `/mfa/finish`. */
  finishes(): RecordedRequest[]
  /** All other requests. */
  calls(): RecordedRequest[]
  /** Rejects all JWTs that were issued so far. */
  revokeJwts(): void
}

/** Serves a {@link StepUpService} until the end of the test. */
export async function serveStepUp(mode: Mode = 'normal'): Promise<StepUpServer> {
  const service = new StepUpService()
  service.mode = mode
  const server = await serve()
  server.fallback((request) => {
    const { [MFA_HEADER]: jwt, authorization: account = 'nobody' } = request.headers
    const body = request.url === '/mfa/finish' ? (request.json() as StepUpRequest['body']) : {}
    const reply = service.handle({ path: request.url, account, jwt: typeof jwt === 'string' ? jwt : undefined, body })
    return reply === undefined ? resetConnection : json(reply.status, reply.body, reply.headers)
  })
  const isFinish = ({ url }: RecordedRequest) => url === '/mfa/finish'
  return {
    server,
    url: server.url,
    revokeJwts: () => service.revokeJwts(),
    finishes: () => server.requests.filter(isFinish),
    calls: () => server.requests.filter((request) => !isFinish(request)),
  }
}

/** Resolves when `count` calls of a client wait for a prompt. */
export async function waitForPrompts(client: Client, count: number): Promise<void> {
  await new Promise<void>((resolve) => {
    let required = 0
    client.on('mfaRequired', () => {
      if (++required === count) resolve()
    })
  })
  await turn()
}
