import { EventEmitter } from 'eventemitter3'
import { RapportError } from '../errors/rapport-error'
import { bindMembers } from '../internal/bind-members'
import { checkHeaderValue, isHeaderValue } from '../transport/headers'
import { notify } from '../transport/notify'
import { Elevation, GivenTokens } from './elevation'
import type { TokenStore } from './token-store'

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
   * Takes a token from elsewhere, or forgets it with `null`. What a second factor has opened is closed again.
   * @throws RequestValidationError where the token cannot be a header value.
   */
  setToken(token: string | null): Promise<void>
  /** Calls `listener` after each change. Returns what ends it. */
  onChange(listener: (change: SessionChange) => void): () => void
}

/** The session with what the transport needs of it; callers see {@link Session}. */
export class SessionState implements Session {
  readonly #changes = new EventEmitter<{ change: [SessionChange] }>()
  readonly #store: TokenStore
  /** Where what a listener throws is told. */
  readonly #report: (error: unknown) => void
  readonly #given = new GivenTokens(() => this.#emit('elevated'))
  /** What second factors have opened for the session's own token. */
  #own = this.#newElevation()
  readonly #unsubscribe: (() => void) | undefined
  #token: string | null = null
  #fingerprint: string | null = null
  #written: Promise<void> = Promise.resolve()
  /** Goes up with each change of the token, so that a slow store cannot bring an old one back. */
  #revision = 0
  #ready: Promise<void> | undefined

  constructor(
    store: TokenStore,
    token: string | undefined,
    fingerprint: string | undefined,
    report: (error: unknown) => void,
  ) {
    this.#store = store
    bindMembers(this)
    this.#report = report
    this.#fingerprint = fingerprint ?? null
    if (token !== undefined) this.#adopt(token)
    else {
      this.#ready = this.#load()
      // Calls wait for it and reject with it; alone it must not end the process.
      this.#ready.catch(() => {})
    }
    this.#unsubscribe = store.subscribe?.((changed) => {
      this.#revision++
      // News from the store, though it be none, mends a load that failed.
      if (changed === this.#token) this.#ready = undefined
      if (changed === this.#token) return
      // In here an error would end up with the store, which cannot know what to do with it.
      if (changed === null || isHeaderValue(changed)) this.#adopt(changed)
      else this.#report(notAToken())
    })
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
    this.#adopt(checkHeaderValue('token', token))
    // Writes follow one another, so that the last token is the one that is kept.
    const write = this.#written.then(() => this.#store.set(token))
    this.#written = write.then(undefined, () => {})
    try {
      await write
    } catch (cause) {
      throw new RapportError('The token is in use, but the token store failed to keep it.', { cause })
    }
  }

  onChange(listener: (change: SessionChange) => void): () => void {
    this.#changes.on('change', listener)
    return () => this.#changes.off('change', listener)
  }

  /** What second factors have opened for a token; `null` is a client that has none. */
  elevation(token: string | null): Elevation {
    return token === null || token === this.#token ? this.#own : this.#given.elevation(token)
  }

  /** Forgets a token that has ended, if it still is the session's, and what second factors have opened for it. */
  async forget(token: string | null): Promise<void> {
    if (token === this.#token) await this.setToken(null)
    else if (token !== null) this.#given.close('the token was signed out', token)
  }

  dispose(): void {
    this.#unsubscribe?.()
    this.#own.close('the client was disposed')
    this.#given.close('the client was disposed')
    this.#changes.removeAllListeners()
  }

  async #load(): Promise<void> {
    const revision = this.#revision
    const isStale = () => revision !== this.#revision
    let token: string | null
    try {
      token = (await this.#store.get()) ?? null
    } catch (cause) {
      if (isStale()) return
      throw new RapportError(`The token store failed to load the token. ${WITHOUT_IT}`, { cause })
    }
    if (isStale()) return
    if (token !== null && !isHeaderValue(token)) throw notAToken()
    if (token !== null) this.#adopt(token)
    this.#ready = undefined
  }

  #adopt(token: string | null): void {
    const before = this.#token
    this.#revision++
    this.#token = token
    this.#ready = undefined
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
    for (const listener of this.#changes.listeners('change')) notify(listener, { type }, this.#report)
  }
}

const WITHOUT_IT = 'Set one, or null, by `session.setToken` to go on without it.'

function notAToken(): RapportError {
  return new RapportError(`The token store holds something that a header cannot carry, so no token. ${WITHOUT_IT}`)
}
