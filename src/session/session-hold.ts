import { MfaCancelledError } from '../errors/mfa-errors'
import type { Lifetime } from '../transport/lifetime'
import type { SessionState } from './session'

/** The session as it was when a sign-in began to wait for a person. That one the sign-in may replace, no later one. */
export class SessionHold {
  readonly #session: SessionState
  readonly #token: string | null
  #stop = () => {}

  constructor(session: SessionState) {
    this.#session = session
    this.#token = session.token
  }

  /** Ends a sign-in when the session changes, until `release` or `replace`. */
  watch(lifetime: Lifetime): void {
    const check = () => {
      if (this.#session.token !== this.#token) lifetime.end(this.#changed())
    }
    this.#stop = this.#session.onChange(check)
    // It may have changed since the hold began.
    check()
  }

  /** Rejects where the session is another one by now. */
  throwIfChanged(): void {
    if (this.#session.token !== this.#token) throw this.#changed()
  }

  /** Gives the session the token that the sign-in has earned. */
  async replace(token: string): Promise<void> {
    this.throwIfChanged()
    this.release()
    await this.#session.setToken(token)
  }

  /** Ends what `watch` began. */
  release(): void {
    this.#stop()
  }

  #changed(): MfaCancelledError {
    return new MfaCancelledError(this.#session.token === null ? 'the session was signed out' : 'the session changed')
  }
}
