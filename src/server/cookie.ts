// The sealed cookie of a session.
import { parseJson } from '../internal/json'
import { Sealer } from '../internal/seal'
import type { HandlerConfig } from './options'

/** What the cookie of a session contains. Times are those of `Date.now()`, `jwt` is a verification. */
export interface CookieSession {
  /** Identifies the session, so that a slow answer does not restore it after its sign-out. */
  readonly id: string
  readonly token: string
  readonly userId: string | null
  readonly jwt?: string | undefined
  readonly jwtExpiresAt?: number | undefined
  readonly createdAt: number
  /** Time at which it ends unless it is renewed. */
  readonly expiresAt: number
}

/** Browsers keep at least 4,096 bytes, with name and attributes. */
const MAX_COOKIE_LENGTH = 3_900
const MAX_SIGNED_OUT = 10_000
const ATTRIBUTES = 'Path=/; Secure; HttpOnly; SameSite=Lax'

/** Reads and writes the cookies of sessions. */
export class SessionCookies {
  readonly #sealer: Sealer
  readonly #config: HandlerConfig['cookie']
  /** Sessions that were signed out in this process. */
  readonly signedOut = new Set<string>()
  readonly #listeners = new Map<() => void, string>()

  constructor({ keys, cookie }: HandlerConfig) {
    this.#sealer = new Sealer(keys, 'cookie')
    this.#config = cookie
  }

  /** Returns the session of a request, or `undefined` without a valid cookie. */
  async read(header: string | null): Promise<CookieSession | undefined> {
    const value = this.#valueIn(header)
    if (value === undefined) return undefined
    const opened = await this.#sealer.open(value, this.#config.name)
    if (opened.problem) return undefined
    // Sealed by `write`.
    const content: Omit<CookieSession, 'expiresAt'> = Object(parseJson(opened.text))
    return this.signedOut.has(content.id) ? undefined : { ...content, expiresAt: opened.expiresAt }
  }

  /** Whether a request has a cookie of this name, valid or not. */
  has(header: string | null): boolean {
    return (header ?? '').includes(`${this.#config.name}=`)
  }

  /** Whether the cookie is to be written again: half of its idle time has passed, or its key is no longer the first. */
  isDue(header: string | null, { expiresAt }: CookieSession): boolean {
    return expiresAt - Date.now() < this.#config.idleMs / 2 || !this.#sealer.isCurrent(this.#valueIn(header) ?? '')
  }

  /** Returns the `Set-Cookie` of a session, or `undefined` if it is too large for browsers. */
  async write({ expiresAt: _, ...content }: CookieSession): Promise<string | undefined> {
    const { name, idleMs, maxMs } = this.#config
    const expiresAt = Math.min(Date.now() + idleMs, content.createdAt + maxMs)
    const value = await this.#sealer.seal(JSON.stringify(content), name, expiresAt)
    if (value.length > MAX_COOKIE_LENGTH) return undefined
    return `${name}=${value}; ${ATTRIBUTES}; Max-Age=${Math.max(0, Math.floor((expiresAt - Date.now()) / 1000))}`
  }

  get removal(): string {
    return `${this.#config.name}=; ${ATTRIBUTES}; Max-Age=0`
  }

  /** From now on no answer of this process writes the cookie of a session. */
  signOut({ id }: CookieSession): void {
    this.signedOut.add(id)
    for (const oldest of this.signedOut) if (this.signedOut.size > MAX_SIGNED_OUT) this.signedOut.delete(oldest)
    for (const [listener, other] of this.#listeners) if (other === id) listener()
  }

  /** Calls `listener` when a session is signed out. Returns an unsubscribe function. */
  onSignOut({ id }: CookieSession, listener: () => void): () => void {
    this.#listeners.set(listener, id)
    return () => this.#listeners.delete(listener)
  }

  /** Of two cookies with the name neither is used: one may have been planted. */
  #valueIn(header: string | null): string | undefined {
    const prefix = `${this.#config.name}=`
    const found = (header ?? '').split(';').flatMap((pair) => {
      const text = pair.trim()
      return text.startsWith(prefix) ? [text.slice(prefix.length)] : []
    })
    const [value] = found
    return found.length === 1 && value !== undefined && value.length <= MAX_COOKIE_LENGTH ? value : undefined
  }
}
