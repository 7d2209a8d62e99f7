// The sealed cookie of a session.
import { parseJson } from '../internal/json'
import { Sealer } from '../internal/seal'
import type { HandlerConfig } from './options'

/** A session of a browser. Times are those of `Date.now()`, `jwt` is a verification. */
export interface CookieSession {
  readonly id: string
  readonly token: string
  readonly userId: string | null
  readonly createdAt: number
  /** Time at which it ends unless it is renewed. */
  readonly expiresAt: number
  readonly jwt?: string | undefined
  readonly jwtExpiresAt?: number | undefined
}

/** Browsers keep at least 4,096 bytes, with name and attributes. */
const MAX_COOKIE_LENGTH = 3_900
const MAX_SIGNED_OUT = 10_000
const ATTRIBUTES = 'Path=/; Secure; HttpOnly; SameSite=Lax'

/**
 * Reads and writes the cookies of sessions. Only a sign-in sets the one with the token. What changes later, its renewal and
 * the verification, is in a second one that opens only with the first: a slow answer, of any process, cannot restore a session.
 */
export class SessionCookies {
  readonly #sealer: Sealer
  readonly #config: HandlerConfig['cookie']
  readonly #stateName: string
  /** Sessions that were signed out in this process. */
  readonly signedOut = new Set<string>()
  readonly #listeners = new Map<() => void, string>()

  constructor({ keys, cookie, baseUrl }: HandlerConfig) {
    this.#sealer = new Sealer(keys, `cookie of ${baseUrl.href}`)
    this.#config = cookie
    this.#stateName = `${cookie.name}-state`
  }

  /** Returns the session of a request, or `undefined` without a valid cookie. */
  async read(header: string | null): Promise<CookieSession | undefined> {
    const { name, idleMs } = this.#config
    const content = await this.#open(header, name, '')
    if (content === undefined || this.signedOut.has(content.id)) return undefined
    const state = await this.#open(header, this.#stateName, content.id)
    const session = { expiresAt: content.createdAt + idleMs, ...content, ...state }
    return session.expiresAt > Date.now() ? session : undefined
  }

  /** Returns the `Set-Cookie` that renews a session if that is due, or removes the second cookie if there is no session. */
  async refresh(header: string | null, session: CookieSession | undefined): Promise<readonly string[]> {
    // Never the first: a late answer would remove that of a sign-in meanwhile.
    if (session === undefined) return header?.includes(`${this.#stateName}=`) ? this.removal.slice(1) : []
    return session.expiresAt - Date.now() < this.#config.idleMs * 0.9 ? this.renew(session) : []
  }

  /** Returns the `Set-Cookie` of a new session, none if it is too large for browsers. */
  create(content: Omit<CookieSession, 'expiresAt'>): Promise<readonly string[]> {
    return this.#seal(this.#config.name, '', content, content.createdAt + this.#config.maxMs)
  }

  /** Returns the `Set-Cookie` that renews a session, with its verification. */
  renew({ id, createdAt, jwt, jwtExpiresAt }: CookieSession): Promise<readonly string[]> {
    const expiresAt = Math.min(Date.now() + this.#config.idleMs, createdAt + this.#config.maxMs)
    return this.#seal(this.#stateName, id, { expiresAt, jwt, jwtExpiresAt }, expiresAt)
  }

  get removal(): readonly string[] {
    return [this.#config.name, this.#stateName].map((name) => `${name}=; ${ATTRIBUTES}; Max-Age=0`)
  }

  /** Returns the `Set-Cookie`s that remove a session. From now on no answer of this process writes its cookie. */
  signOut(session: CookieSession | undefined): readonly string[] {
    if (session) this.signedOut.add(session.id)
    for (const oldest of this.signedOut) if (this.signedOut.size > MAX_SIGNED_OUT) this.signedOut.delete(oldest)
    for (const [listener, other] of this.#listeners) if (other === session?.id) listener()
    return this.removal
  }

  /** Calls `listener` when a session is signed out. Returns an unsubscribe function. */
  onSignOut({ id }: CookieSession, listener: () => void): () => void {
    this.#listeners.set(listener, id)
    return () => this.#listeners.delete(listener)
  }

  async #seal(name: string, id: string, content: object, expiresAt: number): Promise<readonly string[]> {
    const value = await this.#sealer.seal(JSON.stringify(content), `${name} ${id}`, expiresAt)
    const seconds = Math.max(0, Math.floor((expiresAt - Date.now()) / 1000))
    return value.length > MAX_COOKIE_LENGTH ? [] : [`${name}=${value}; ${ATTRIBUTES}; Max-Age=${seconds}`]
  }

  /** Of two cookies with a name neither is used: one may have been planted. */
  async #open(header: string | null, name: string, id: string) {
    const pairs = (header ?? '').split(';').map((pair) => pair.trim())
    const [pair = '', ...others] = pairs.filter((pair) => pair.startsWith(`${name}=`))
    if (others.length > 0 || pair.length > MAX_COOKIE_LENGTH + name.length) return undefined
    const { text, problem } = await this.#sealer.open(pair.slice(name.length + 1), `${name} ${id}`)
    return problem ? undefined : Object(parseJson(text))
  }
}
