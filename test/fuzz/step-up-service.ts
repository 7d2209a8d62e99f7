const LIFETIME_MS = 300_000
export const CODE = '246810'

/** How a service may behave for a while. */
export const MOODS = [
  ...(['well', 'never satisfied', 'tickets expire', 'asks while verifying', 'fails to verify'] as const),
  ...(['gives no JWT', 'asks for nothing', 'nonsense', 'limits', 'breaks', 'fails'] as const),
]
export type Mood = (typeof MOODS)[number]

/** A request as the service sees it. */
export interface Asked {
  readonly path: string
  readonly account: string
  readonly jwt: string | null
  readonly body: { readonly ticket?: string; readonly data?: string }
  /** How often the session had changed when it was sent. */
  readonly epoch: number
}

interface Issued {
  readonly account: string
  readonly epoch: number
  readonly expiresAt: number
}

/** A service that wants a second factor for every call, and knows whose JWTs and tickets are whose. */
export class ModelService {
  mood: Mood = 'well'
  readonly issued = new Map<string, Issued>()
  /** When what second factors have opened for an account was closed last, by changes of the session. */
  readonly #closed = new Map<string, number>()
  /** What a client must never do. */
  readonly violations: string[] = []
  readonly #revoked = new Set<string>()
  #count = 0

  /** Looks at a request on its way out. `callEpoch` is how often the session had changed when its call was made. */
  inspect({ account, jwt }: Asked, callEpoch: number): void {
    if (jwt === null) return
    const found = this.issued.get(jwt)
    if (found === undefined) this.violations.push(`${jwt} was never issued`)
    else if (found.account !== account) this.violations.push(`${jwt} of ${found.account} travels with ${account}`)
    else if (found.expiresAt < performance.now()) this.violations.push(`${jwt} was sent after it had expired`)
    const closed = this.#closed.get(account) ?? 0
    if (found !== undefined && found.epoch < closed && callEpoch >= closed)
      this.violations.push(`${jwt} outlived a change of the session`)
  }

  /** The session changes from one account to another, and what was opened for either is closed. */
  close(accounts: readonly string[], epoch: number): void {
    for (const account of accounts) this.#closed.set(account, epoch)
  }

  /** Accepts none of the JWTs any more that it has issued. */
  revoke(): void {
    for (const jwt of this.issued.keys()) this.#revoked.add(jwt)
  }

  answer(asked: Asked): Response {
    if (this.mood === 'breaks') throw new TypeError('fetch failed')
    if (this.mood === 'fails') return Response.json({}, { status: 503 })
    if (this.mood === 'limits') return Response.json({}, { status: 429, headers: { 'retry-after': '1' } })
    if (asked.path === '/mfa/finish') return this.#verify(asked)
    const { jwt } = asked
    const issued = jwt === null || this.#revoked.has(jwt) ? undefined : this.issued.get(jwt)
    const isGood = issued?.account === asked.account && issued.expiresAt >= performance.now()
    return isGood && this.mood !== 'never satisfied' ? Response.json([]) : this.#require(asked.account)
  }

  #verify({ account, body, epoch }: Asked): Response {
    if (!body.ticket?.startsWith(`ticket of ${account},`)) this.violations.push(`${account} sent ${body.ticket}`)
    if (this.mood === 'tickets expire') return Response.json({ message: 'expired' }, { status: 401 })
    if (this.mood === 'asks while verifying') return this.#require(account)
    if (this.mood === 'fails to verify') return Response.json({}, { status: 500 })
    if (this.mood === 'gives no JWT') return Response.json({})
    if (body.data !== CODE) return Response.json({ code: 60008, message: 'Invalid code' }, { status: 400 })
    const token = `jwt of ${account}, ${++this.#count}`
    this.issued.set(token, { account, epoch, expiresAt: performance.now() + LIFETIME_MS })
    return Response.json({ token })
  }

  #require(account: string): Response {
    const ticket = `ticket of ${account}, ${++this.#count}`
    const methods = this.mood === 'nonsense' ? [{ type: 5 }, null] : [{ type: 'totp' }]
    const mfa = this.mood === 'asks for nothing' ? {} : { mfa: { ticket, methods } }
    return Response.json({ code: 60003, message: 'A second factor is due', ...mfa }, { status: 401 })
  }
}
