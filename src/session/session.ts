import type { PartialUser } from '../contract/relationships'
import { RapportError } from '../errors/base'
import { RequestValidationError } from '../errors/client-errors'
import { bindMembers } from '../internal/bind-members'
import { Emitter, Queue } from '../internal/emitter'
import { readField } from '../internal/json'
import { validateHeaderValue } from '../internal/options'
import type { StoreWarning, TokenRecord, TokenStore } from '../types/options'
import type { Elevation, Elevations } from './elevation'
import { StoreSync } from './token-store'

/** State of a session: `loading` while the token store loads its token, then `signedOut` or `signedIn`. */
export type SessionStatus = 'loading' | 'signedOut' | 'signedIn'

/** The signed-in user: the `id`, and what else the service has sent so far of the fields that an app declares. */
export type SessionUser = Pick<PartialUser, 'id'> & Partial<PartialUser>

/** State of a session at one time. Frozen, and the same object until something in it changes. */
export interface SessionSnapshot {
  /** Whether there is a token, or the token store is still loading it. */
  readonly status: SessionStatus
  /**
   * The signed-in user: at least the `id`, and what else sign-in or the Gateway's Ready contains. `null` if unknown: the
   * API has no call that returns the current user. A token store that keeps the ID, such as `webStorageTokenStore`,
   * provides `{ id }` after a reload; otherwise it is `null` until Ready. Frozen. That Ready may have a `user` is a convention.
   */
  readonly user: SessionUser | null
}

/** Change of a session, with the state after it. Contains no token. */
export interface SessionChange extends SessionSnapshot {
  /**
   * `signedIn` if there was no token before, `signedOut` if there is none now, `tokenChanged` if another token replaced
   * it (also one of the same user), `elevated` if a second factor was verified for a call of this client, `userChanged` if only `user` is another
   * or has other fields, `loaded` if the token store has no token or failed.
   */
  readonly type: 'signedIn' | 'signedOut' | 'tokenChanged' | 'elevated' | 'userChanged' | 'loaded'
  /** State before the change: `previous.user` is the user who was signed out. */
  readonly previous: SessionSnapshot
  /** `store` if the token store caused the change: a stored token was loaded, or another tab signed in or out. */
  readonly source: 'client' | 'store'
}

/** The signed-in user's session. `inspect` and JSON show none of its values. */
export interface Session extends Pick<SessionSnapshot, 'status' | 'user'> {
  /** The authentication token, or `null`. With `session: 'cookie'`, a string that identifies the user. */
  readonly token: string | null
  /** Whether there is a token. */
  readonly isAuthenticated: boolean
  /** Fingerprint of a client that has not signed in. Sent until there is a token, then reset to `null`. */
  fingerprint: string | null
  /**
   * Sets the token, or removes it with `null`. Discards the verification JWT of the previous token and closes its prompts,
   * also for other clients of that account. The token is used immediately; the promise resolves when the token store has saved it, and rejects after the client's `timeout`.
   * @throws RequestValidationError if the token is not a valid header value.
   * @throws RapportError if the token store fails, or with `session: 'cookie'`, where only `null` is allowed: it signs out.
   * @throws TimeoutError if the token store does not settle within `timeout`.
   */
  setToken(token: string | null): Promise<void>
  /**
   * Calls `listener` after each change, in the order of the changes, even if a listener changes the session. Returns an
   * unsubscribe function.
   */
  onChange(listener: (change: SessionChange) => void): () => void
  /**
   * Calls `listener` after each change, without the change. Can be passed on without the session, for example to
   * React's `useSyncExternalStore`. Returns an unsubscribe function.
   */
  readonly subscribe: (listener: () => void) => () => void
  /** Returns `status` and `user`. Can be passed on without the session. */
  readonly getSnapshot: () => SessionSnapshot
}

export interface SessionConfig {
  readonly session?: 'token' | 'cookie' | undefined
  readonly tokenStore?: TokenStore | undefined
  readonly token?: string | undefined
  readonly userId?: string | undefined
  readonly fingerprint?: string | undefined
  /** Time for the token store to save a token, in milliseconds. */
  readonly timeout: number
}

/** Parts of a client that follow its session, in this order: no listener of the gateway may see another account's items. */
type SessionFollower = 'stores' | 'gateway'

/** Implements {@link Session}, and what the transport needs of it. */
export class SessionManager implements Session {
  #changes: Changes | undefined
  readonly #store: StoreSync | undefined
  readonly #isCookie: boolean
  readonly #report: (error: unknown) => void
  readonly #warn: (warning: StoreWarning) => void
  readonly #elevations: Elevations | undefined
  /** Last elevation of the current token: other tokens may have displaced it. */
  #elevation: Elevation | undefined
  #token: string | null = null
  #user: SessionUser | null = null
  #isLoading = false
  #snapshot: SessionSnapshot = { status: 'signedOut', user: null }
  /** Snapshot after the last change that was emitted. */
  #emitted = this.#snapshot
  #fingerprint: string | null = null
  /** Sequence number of the last operation that started and may change the token. */
  #lastStarted = 0
  /** Highest sequence number of the operations that changed it. */
  #lastApplied = 0
  #ready: Promise<void> | undefined
  #resolveReady = () => {}

  /** @param elevations Those of the client's parent; absent if the client does not step up. */
  constructor(
    { session, tokenStore: store, token, userId, fingerprint, timeout }: SessionConfig,
    report: (error: unknown) => void,
    warn: (warning: StoreWarning) => void,
    elevations?: Elevations,
  ) {
    bindMembers(this)
    this.#isCookie = session === 'cookie'
    this.#report = report
    this.#warn = warn
    this.#elevations = elevations
    this.#store = store && new StoreSync(store, timeout, (stored) => this.#onStoreChange(stored), warn)
    this.#user = freezeUser(toUser(userId))
    if (token !== undefined) this.#token = token
    else {
      const sync = this.#store
      this.#fingerprint = fingerprint ?? null
      if (sync) {
        this.#isLoading = true
        // A sign-in may come first.
        const signedIn = new Promise<void>((resolve) => {
          this.#resolveReady = resolve
        })
        this.#ready = sync.limit(Promise.race([this.#load(sync.load()), signedIn])).catch((error) => {
          this.#endLoading('store')
          throw error
        })
        // Calls that wait for it handle a rejection; avoid an unhandled rejection here.
        this.#ready.catch(() => {})
      }
    }
    this.#emitted = this.getSnapshot()
    this.#store?.subscribe(token !== undefined)
  }

  /** Settles when the stored token is loaded; `undefined` if there is nothing to wait for. */
  get ready(): Promise<void> | undefined {
    return this.#ready
  }

  get token(): string | null {
    return this.#token
  }

  /** Whether the token is in a cookie, and that of this session only identifies it. */
  get isCookie(): boolean {
    return this.#isCookie
  }

  get isAuthenticated(): boolean {
    return this.#token !== null
  }

  get status(): SessionStatus {
    return this.#token !== null ? 'signedIn' : this.#isLoading ? 'loading' : 'signedOut'
  }

  get user(): SessionUser | null {
    return this.#user
  }

  getSnapshot(): SessionSnapshot {
    const { status, user } = this
    if (status !== this.#snapshot.status || user !== this.#snapshot.user)
      this.#snapshot = Object.freeze({ status, user })
    return this.#snapshot
  }

  subscribe(listener: () => void): () => void {
    return this.onChange(() => listener())
  }

  get fingerprint(): string | null {
    return this.#fingerprint
  }

  set fingerprint(value: string | null) {
    this.#fingerprint = checkHeaderValue('fingerprint', value)
  }

  async setToken(token: string | null): Promise<void> {
    if (this.#isCookie && token !== null) throw new RapportError('The token is in a cookie: sign in by `client.auth`.')
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
   * @param user User that the response of a sign-in contains.
   */
  async replace(
    token: string | null,
    sequence: number,
    timeoutMs?: number,
    user: SessionUser | null = null,
  ): Promise<void> {
    checkHeaderValue('token', token)
    const before = this.#token
    const known = token === before ? this.#user : null
    // First: a listener may cause another change, whose write must be the last.
    const write = this.#store?.write(token === null ? null : { token, userId: (user ?? known)?.id }, timeoutMs)
    this.#applyToken(token, sequence, user)
    await write
    await this.#elevations?.settled(before)
  }

  /** Sets the user that Ready contains, if any. */
  identify(ready: unknown): void {
    this.#mergeUser(this.#token, readUser(ready))
  }

  onChange(listener: (change: SessionChange) => void): () => void {
    return this.follow('change', listener)
  }

  /** Adds a listener that is called before open prompts are closed, and before those of {@link onChange}. */
  follow(follower: SessionFollower | 'change', listener: (change: SessionChange) => void): () => void {
    this.#changes ??= new Changes(this.#report)
    return this.#changes.on(follower, listener)
  }

  /** Returns the elevation of a token, if the client steps up. */
  elevation(token: string | null): Elevation | undefined {
    if (token !== this.#token) return this.#elevations?.of(token)
    this.#elevation = this.#elevations?.of(token, this.#elevation)
    return this.#elevation
  }

  /** Emits `elevated`: a second factor was verified. */
  elevated(): void {
    this.#emit('elevated')
  }

  /** Removes a token that was signed out, if it is still the session's, and closes its elevation. */
  async forget(token: string | null, sequence: number, timeoutMs?: number): Promise<void> {
    // A sign-out with a null token may have started before the stored one was loaded.
    if (token === this.#token || (token === null && !this.isSuperseded(sequence)))
      await this.replace(null, sequence, timeoutMs)
    else {
      this.#elevations?.forget(token, 'the token was signed out', this.#warn)()
      await this.#elevations?.settled(token)
    }
  }

  dispose(): void {
    this.#store?.dispose()
    this.#changes?.clear(true)
  }

  /** Adopts the stored token, unless there was a sign-in or a sign-out; also if it comes after the `timeout`. */
  async #load(loading: Promise<TokenRecord | null>): Promise<void> {
    const record = await loading
    if (this.#ready === undefined) return
    // Without a sequence number: the stored token is older than any sign-in, and supersedes none.
    if (record === null) this.#finishLoad('store')
    else this.#applyToken(record.token, 0, toUser(record.userId), 'store')
  }

  /** Applies what others wrote to the store. A notification clears a failed load, even if the token is unchanged. */
  #onStoreChange(record: TokenRecord | null): void {
    const [token, user] = [record?.token ?? null, toUser(record?.userId)]
    if (token !== this.#token) this.#applyToken(token, this.nextSequence(), user, 'store')
    else {
      this.#finishLoad('store')
      this.#mergeUser(token, user, 'store')
    }
  }

  #finishLoad(source?: SessionChange['source']): void {
    this.#ready = undefined
    this.#resolveReady()
    this.#endLoading(source)
  }

  #endLoading(source?: SessionChange['source']): void {
    const isSignedOut = this.status === 'loading'
    this.#isLoading = false
    if (isSignedOut) this.#emit('loaded', source)
  }

  #applyToken(
    token: string | null,
    sequence: number,
    user: SessionUser | null = null,
    source?: SessionChange['source'],
  ): void {
    const before = this.#token
    this.#token = token
    // Never keep the user of another token, which may be another account's.
    if (before !== token) this.#user = freezeUser(user)
    this.#finishLoad(source)
    if (before !== token) this.#lastApplied = Math.max(this.#lastApplied, sequence)
    const reason = token === null ? 'the session was signed out' : 'the session changed'
    const closePrompts = this.#elevations?.forget(before, reason, this.#warn, this.#elevation)
    this.#elevation = undefined
    if (token !== null) this.#fingerprint = null
    if (before === token) {
      closePrompts?.()
      this.#mergeUser(token, user, source)
    } else
      this.#emit(before === null ? 'signedIn' : token === null ? 'signedOut' : 'tokenChanged', source, closePrompts)
  }

  /** Adds what is known of the user of a token, if it is still the session's. */
  #mergeUser(token: string | null, user: SessionUser | null, source?: SessionChange['source']): void {
    if (user === null || token === null || token !== this.#token) return
    const merged = freezeUser(user.id === this.#user?.id ? { ...this.#user, ...user } : user)
    if (JSON.stringify(merged) === JSON.stringify(this.#user)) return
    this.#user = merged
    this.#emit('userChanged', source)
  }

  #emit(type: SessionChange['type'], source: SessionChange['source'] = 'client', closePrompts?: () => void): void {
    const previous = this.#emitted
    this.#emitted = this.getSnapshot()
    const change = { type, ...this.#emitted, previous, source }
    if (this.#changes) this.#changes.notify(change, closePrompts)
    else closePrompts?.()
  }
}

/** Notifies of changes in the order in which they happened, also of those that a listener causes. */
class Changes extends Emitter<Record<SessionFollower | 'change', SessionChange>> {
  readonly #following = new Queue()
  readonly #notifying = new Queue()

  notify(change: SessionChange, closePrompts = () => {}): void {
    // First of all: a listener that one of the next steps calls may cause another change.
    this.#following.add(() => this.emit('gateway', change))
    // The abort listeners of prompts read the state of the new account.
    this.#following.add(closePrompts)
    this.#notifying.add(this.defer('change', change))
    this.emit('stores', change)
    if (this.#following.run()) this.#notifying.run()
  }
}

/** Returns the user that a sign-in response or Ready contains, as `user` (a convention in Ready) or `user_id`. */
export function readUser(payload: unknown): SessionUser | null {
  const user = readField(payload, 'user')
  // Other fields are not validated: they are those that the service sends.
  return typeof readField(user, 'id') === 'string' ? (user as SessionUser) : toUser(readField(payload, 'user_id'))
}

function freezeUser(user: SessionUser | null): SessionUser | null {
  try {
    return JSON.parse(JSON.stringify(user), (_, field) => Object.freeze(field))
  } catch {
    // Nested too deeply for a copy, or what a protocol of the app has decoded is no JSON.
    return user && Object.freeze({ id: user.id })
  }
}

function toUser(id: unknown): SessionUser | null {
  return typeof id === 'string' ? { id } : null
}

/** Returns a valid header value, or `null`, unchanged. @throws RequestValidationError, which does not quote it, if it is invalid. */
function checkHeaderValue<T extends string | null>(option: string, value: T): T {
  const issues = value === null ? [] : validateHeaderValue(option, value)
  if (issues.length > 0) throw new RequestValidationError('Client', issues)
  return value
}
