import { RapportError } from '../errors/base'
import { RequestValidationError } from '../errors/client-errors'
import { bindMembers } from '../internal/bind-members'
import { Emitter } from '../internal/emitter'
import { isHeaderValue, validateHeaderValue } from '../internal/headers'
import type { TokenStore } from '../types/options'
import { Elevation, ElevationCache } from './elevation'
import { StoreSync, WITHOUT_IT } from './token-store'

/** What has become of a session. */
export interface SessionChange {
  /**
   * `signedIn` where there was no token, `signedOut` where there is none now, `tokenChanged` where another took its
   * place, `elevated` where a second factor was verified.
   */
  readonly type: 'signedIn' | 'signedOut' | 'tokenChanged' | 'elevated'
}

/** Who is signed in. Neither `inspect` nor JSON shows what it holds. */
export interface Session {
  /** The authentication token, or `null`. */
  readonly token: string | null
  /** Whether there is a token. */
  readonly isAuthenticated: boolean
  /** Fingerprint of a client that has not signed in. It goes out until the first token comes, then it is forgotten. */
  fingerprint: string | null
  /**
   * Takes a token from elsewhere, or forgets it with `null`. What a second factor has opened is closed again. The token
   * is in use at once; the promise waits for the token store, no longer than the client's `timeout`.
   * @throws RequestValidationError if the token cannot be a header value.
   * @throws RapportError if the token store fails, TimeoutError if it does not answer.
   */
  setToken(token: string | null): Promise<void>
  /** Calls `listener` after each change. Returns what ends it. */
  onChange(listener: (change: SessionChange) => void): () => void
}

/** The session with what the transport needs of it; callers see {@link Session}. */
export class SessionManager implements Session {
  #changes: Emitter<{ follow: SessionChange; change: SessionChange }> | undefined
  readonly #store: StoreSync | undefined
  /** Where what a listener throws is told. */
  readonly #report: (error: unknown) => void
  readonly #given = new ElevationCache(() => this.#emit('elevated'))
  /** What second factors have opened for the session's own token. */
  #own = this.#newElevation()
  #token: string | null = null
  #fingerprint: string | null = null
  /** Numbers what may change the token, in the order in which it began. */
  #begun = 0
  /** The latest of these that did change it. */
  #changedBy = 0
  #ready: Promise<void> | undefined
  #endLoad = () => {}

  /** @param timeoutMs How long the store may take to keep a token. */
  constructor(
    store: TokenStore | undefined,
    token: string | undefined,
    fingerprint: string | undefined,
    timeoutMs: number,
    report: (error: unknown) => void,
  ) {
    bindMembers(this)
    this.#report = report
    this.#store = store && new StoreSync(store, timeoutMs, (held) => this.#follow(held))
    if (token !== undefined) this.#token = token
    else this.#fingerprint = fingerprint ?? null
    if (token === undefined && this.#store) {
      const sync = this.#store
      this.#ready = new Promise((resolve, reject) => {
        this.#endLoad = resolve
        this.#load(sync).then(resolve, reject)
      })
      // Calls wait for it and reject with it; alone it must not end the process.
      this.#ready.catch(() => {})
    }
    this.#store?.subscribe(token !== undefined)
  }

  /** Settles when the stored token is loaded; `undefined` where there is nothing to wait for. */
  get ready(): Promise<void> | undefined {
    return this.#ready
  }

  get token(): string | null {
    return this.#token
  }

  get isAuthenticated(): boolean {
    return this.#token !== null
  }

  get fingerprint(): string | null {
    return this.#fingerprint
  }

  set fingerprint(value: string | null) {
    this.#fingerprint = checkHeaderValue('fingerprint', value)
  }

  async setToken(token: string | null): Promise<void> {
    await this.replace(token, this.begin())
  }

  /** Numbers a sign-in or a sign-out that begins now. */
  begin(): number {
    return ++this.#begun
  }

  /** Whether something that began later has changed the token. */
  isSuperseded(order: number): boolean {
    return order < this.#changedBy
  }

  /**
   * Takes over the token of a sign-in, or `null` of a sign-out.
   * @param order What {@link begin} returned for it.
   */
  async replace(token: string | null, order: number, timeoutMs?: number): Promise<void> {
    this.#adopt(checkHeaderValue('token', token), order)
    await this.#store?.write(token, timeoutMs)
  }

  onChange(listener: (change: SessionChange) => void): () => void {
    this.#changes ??= new Emitter(this.#report)
    return this.#changes.on('change', listener)
  }

  /** Adds a listener that is called before those of {@link onChange}: the gateway and stores follow the session first. */
  follow(listener: (change: SessionChange) => void): () => void {
    this.#changes ??= new Emitter(this.#report)
    return this.#changes.on('follow', listener)
  }

  /** What second factors have opened for a token; `null` is a client that has none. */
  elevation(token: string | null): Elevation {
    return token === null || token === this.#token ? this.#own : this.#given.elevation(token)
  }

  /** Forgets a token that has ended, if it still is the session's, and what second factors have opened for it. */
  async forget(token: string | null, order: number, timeoutMs?: number): Promise<void> {
    // A call that waits for no token may have been made before the stored one was loaded.
    if (token === this.#token || (token === null && !this.isSuperseded(order)))
      await this.replace(null, order, timeoutMs)
    else if (token !== null) this.#given.close('the token was signed out', token)
  }

  dispose(): void {
    this.#store?.dispose()
    this.#own.close('the client was disposed')
    this.#given.close('the client was disposed')
    this.#changes?.clear()
  }

  async #load(store: StoreSync): Promise<void> {
    const token = await store.load()
    // Once there is a token from elsewhere, what the store held no longer matters.
    if (this.#ready === undefined) return
    if (token !== null && !isHeaderValue(token)) throw invalidTokenError()
    // It is older than any sign-in, and supersedes none.
    if (token !== null) this.#adopt(token)
    this.#ready = undefined
  }

  /** Takes over what others have written into the store. */
  #follow(token: string | null): void {
    // In here an error would end up with the store, which cannot know what to do with it.
    if (token !== null && !isHeaderValue(token)) this.#report(invalidTokenError())
    else if (token !== this.#token) this.#adopt(token, this.begin())
    // News from the store, though it be none, mends a load that failed.
    else this.#settle()
  }

  #settle(): void {
    this.#ready = undefined
    this.#endLoad()
  }

  #adopt(token: string | null, order = 0): void {
    const before = this.#token
    this.#token = token
    this.#settle()
    if (before !== token) this.#changedBy = Math.max(this.#changedBy, order)
    this.#own.close(token === null ? 'the session was signed out' : 'the session changed')
    this.#own = this.#newElevation()
    // From here on calls that give this token share the session's prompts: a second one must not stay open.
    if (token !== null) this.#given.close('the session took the token over', token)
    if (token !== null) this.#fingerprint = null
    if (before === token) return
    this.#emit(before === null ? 'signedIn' : token === null ? 'signedOut' : 'tokenChanged')
  }

  #newElevation(): Elevation {
    return new Elevation(() => this.#emit('elevated'))
  }

  #emit(type: SessionChange['type']): void {
    this.#changes?.emit('follow', { type })
    this.#changes?.emit('change', { type })
  }
}

function invalidTokenError(): RapportError {
  return new RapportError(`The token store holds something that a header cannot carry, so no token. ${WITHOUT_IT}`)
}

/**
 * Gives a value back if it can be a header's; the value is never quoted.
 * @throws RequestValidationError where it cannot.
 */
export function checkHeaderValue<T extends string | null>(option: string, value: T): T {
  const issues = value === null ? [] : validateHeaderValue(option, value)
  if (issues.length > 0) throw new RequestValidationError('Client', issues)
  return value
}
