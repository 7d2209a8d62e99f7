import { RapportError } from '../errors/base'
import { RequestValidationError } from '../errors/client-errors'
import { bindMembers } from '../internal/bind-members'
import { Emitter } from '../internal/emitter'
import { isHeaderValue, validateHeaderValue } from '../internal/headers'
import type { TokenStore } from '../types/options'
import type { Elevation, Elevations } from './elevation'
import { RECOVERY, StoreSync } from './token-store'

/** Change of a session. */
export interface SessionChange {
  /**
   * `signedIn` if there was no token before, `signedOut` if there is none now, `tokenChanged` if another token replaced
   * it, `elevated` if a second factor was verified.
   */
  readonly type: 'signedIn' | 'signedOut' | 'tokenChanged' | 'elevated'
}

/** The signed-in user's session. `inspect` and JSON show none of its values. */
export interface Session {
  /** The authentication token, or `null`. */
  readonly token: string | null
  /** Whether there is a token. */
  readonly isAuthenticated: boolean
  /** Fingerprint of a client that has not signed in. Sent until there is a token, then reset to `null`. */
  fingerprint: string | null
  /**
   * Sets the token, or removes it with `null`. Discards the verification JWT and closes open prompts. The token is used
   * immediately; the promise resolves when the token store has saved it, and rejects after the client's `timeout`.
   * @throws RequestValidationError if the token is not a valid header value.
   * @throws RapportError if the token store fails.
   * @throws TimeoutError if the token store does not settle within `timeout`.
   */
  setToken(token: string | null): Promise<void>
  /** Calls `listener` after each change. Returns an unsubscribe function. */
  onChange(listener: (change: SessionChange) => void): () => void
}

/** Client options that its session uses. */
export interface SessionConfig {
  readonly tokenStore?: TokenStore | undefined
  readonly token?: string | undefined
  readonly fingerprint?: string | undefined
  /** Time for the token store to save a token, in milliseconds. */
  readonly timeout: number
}

/** Implements {@link Session}, and what the transport needs of it. */
export class SessionManager implements Session {
  #changes: Emitter<{ follow: SessionChange; change: SessionChange }> | undefined
  readonly #store: StoreSync | undefined
  /** Receives the errors of listeners. */
  readonly #report: (error: unknown) => void
  readonly #elevations: Elevations | undefined
  #token: string | null = null
  #fingerprint: string | null = null
  /** Sequence number of the last operation that started and may change the token. */
  #lastStarted = 0
  /** Highest sequence number of the operations that changed it. */
  #lastApplied = 0
  #ready: Promise<void> | undefined
  #resolveReady = () => {}

  /** @param createElevations Absent if the client does not step up. */
  constructor(
    { tokenStore: store, token, fingerprint, timeout }: SessionConfig,
    report: (error: unknown) => void,
    createElevations?: (onElevated: () => void) => Elevations,
  ) {
    bindMembers(this)
    this.#report = report
    this.#elevations = createElevations?.(() => this.#emit('elevated'))
    this.#store = store && new StoreSync(store, timeout, (stored) => this.#onStoreChange(stored))
    if (token !== undefined) this.#token = token
    else this.#fingerprint = fingerprint ?? null
    if (token === undefined && this.#store) {
      const sync = this.#store
      this.#ready = new Promise((resolve, reject) => {
        this.#resolveReady = resolve
        this.#load(sync).then(resolve, reject)
      })
      // Calls that wait for it handle a rejection; avoid an unhandled rejection here.
      this.#ready.catch(() => {})
    }
    this.#store?.subscribe(token !== undefined)
  }

  /** Settles when the stored token is loaded; `undefined` if there is nothing to wait for. */
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
    await this.replace(token, this.nextSequence())
  }

  /** Returns the sequence number of a sign-in or sign-out that starts now. */
  nextSequence(): number {
    return ++this.#lastStarted
  }

  /** Whether an operation that started later has changed the token. */
  isSuperseded(sequence: number): boolean {
    return sequence < this.#lastApplied
  }

  /**
   * Sets the token of a sign-in, or `null` of a sign-out, and saves it.
   * @param sequence Its {@link nextSequence}.
   */
  async replace(token: string | null, sequence: number, timeoutMs?: number): Promise<void> {
    this.#applyToken(checkHeaderValue('token', token), sequence)
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

  /** Returns the elevation of a token, if the client steps up; `null` is a client without a token. */
  elevation(token: string | null): Elevation | undefined {
    return token === null || token === this.#token ? this.#elevations?.ofSession : this.#elevations?.ofToken(token)
  }

  /** Removes a token that was signed out, if it is still the session's, and closes its elevation. */
  async forget(token: string | null, sequence: number, timeoutMs?: number): Promise<void> {
    // A sign-out with a null token may have started before the stored one was loaded.
    if (token === this.#token || (token === null && !this.isSuperseded(sequence)))
      await this.replace(null, sequence, timeoutMs)
    else if (token !== null) this.#elevations?.closeToken('the token was signed out', token)
  }

  dispose(): void {
    this.#store?.dispose()
    this.#elevations?.dispose()
    this.#changes?.clear()
  }

  async #load(store: StoreSync): Promise<void> {
    const token = await store.load()
    // The token was set in the meantime: ignore the stored one.
    if (this.#ready === undefined) return
    if (token !== null && !isHeaderValue(token)) throw invalidTokenError()
    // Without a sequence number: the stored token is older than any sign-in, and supersedes none.
    if (token !== null) this.#applyToken(token)
    this.#ready = undefined
  }

  /** Applies a token that others wrote to the store. */
  #onStoreChange(token: string | null): void {
    // Report instead of throwing: the store is the caller here and cannot handle the error.
    if (token !== null && !isHeaderValue(token)) this.#report(invalidTokenError())
    else if (token !== this.#token) this.#applyToken(token, this.nextSequence())
    // A notification clears a failed load, even if the token is unchanged.
    else this.#finishLoad()
  }

  #finishLoad(): void {
    this.#ready = undefined
    this.#resolveReady()
  }

  #applyToken(token: string | null, sequence = 0): void {
    const before = this.#token
    this.#token = token
    this.#finishLoad()
    if (before !== token) this.#lastApplied = Math.max(this.#lastApplied, sequence)
    this.#elevations?.changeSession(token)
    if (token !== null) this.#fingerprint = null
    if (before === token) return
    this.#emit(before === null ? 'signedIn' : token === null ? 'signedOut' : 'tokenChanged')
  }

  #emit(type: SessionChange['type']): void {
    this.#changes?.emit('follow', { type })
    this.#changes?.emit('change', { type })
  }
}

function invalidTokenError(): RapportError {
  return new RapportError(`The value in the token store is not a valid token. ${RECOVERY}`)
}

/**
 * Returns a valid header value, or `null`, unchanged.
 * @throws RequestValidationError if the value is invalid; the message does not quote it.
 */
function checkHeaderValue<T extends string | null>(option: string, value: T): T {
  const issues = value === null ? [] : validateHeaderValue(option, value)
  if (issues.length > 0) throw new RequestValidationError('Client', issues)
  return value
}
