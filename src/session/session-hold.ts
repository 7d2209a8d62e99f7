import { MfaCancelledError } from '../errors/mfa-errors'
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

  /** Aborts when the session changes, until `release` or `replace`; `signal` aborts it too. */
  watch(signal: AbortSignal): AbortSignal {
    const control = new AbortController()
    const check = () => {
      if (this.#session.token !== this.#token) control.abort(this.#changed())
    }
    this.#stop = this.#session.onChange(check)
    // It may have changed since the hold began.
    check()
    return AbortSignal.any([signal, control.signal])
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
