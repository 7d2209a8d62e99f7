import { MfaCancelledError } from '../errors/mfa-errors'
import { RapportError } from '../errors/rapport-error'
import type { Lifetime } from '../transport/lifetime'
import type { SessionState } from './session'

/** The session as it was when a sign-in began. A sign-in may replace that one, but none that has begun later. */
export class SessionHold {
  readonly #session: SessionState
  readonly #order: number
  #stop = () => {}

  constructor(session: SessionState) {
    this.#session = session
    this.#order = session.begin()
  }

  /** Ends a sign-in when the session changes, until `release` or `replace`. */
  watch(lifetime: Lifetime): void {
    const check = () => {
      if (this.#isSuperseded) lifetime.end(this.#cancelled())
    }
    this.#stop = this.#session.onChange(check)
    // It may have changed since the hold began.
    check()
  }

  /** Rejects if the session has changed since a second factor was asked for. */
  throwIfChanged(): void {
    if (this.#isSuperseded) throw this.#cancelled()
  }

  /**
   * Gives the session the token that a sign-in has earned.
   * @throws RapportError if the session has changed since: the token is not used then.
   */
  async replace(endpoint: string, token: string, timeoutMs?: number): Promise<void> {
    this.release()
    if (this.#isSuperseded)
      throw new RapportError(`${endpoint} succeeded, but ${this.#change} meanwhile: its token is not used.`)
    await this.#session.replace(token, this.#order, timeoutMs)
  }

  /** Has the session forget the token of a call that has ended it. */
  forget(token: string | null, timeoutMs?: number): Promise<void> {
    return this.#session.forget(token, this.#order, timeoutMs)
  }

  /** Ends what `watch` began. */
  release(): void {
    this.#stop()
  }

  get #isSuperseded(): boolean {
    return this.#session.isSuperseded(this.#order)
  }

  get #change(): string {
    return this.#session.token === null ? 'the session was signed out' : 'the session changed'
  }

  #cancelled(): MfaCancelledError {
    return new MfaCancelledError(this.#change)
  }
}
