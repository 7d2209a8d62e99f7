import type { Session } from '../session/session'
import { formsOf } from '../transport/known-secrets'
import { maskError } from '../transport/mask-error'
import { maskKnown } from '../transport/redact'

/** Takes the session's token out of what others wrote: a close reason, the name of an event, what a protocol threw. */
export class Mask {
  readonly #session: Session

  constructor(session: Session) {
    this.#session = session
  }

  text(text: string): string {
    return maskKnown(text, this.#secrets())
  }

  error(error: unknown): unknown {
    return maskError(error, this.#secrets())
  }

  #secrets(): string[] {
    const { token } = this.#session
    return token === null ? [] : formsOf([token])
  }
}
