import type { Session } from '../session/session'
import { formsOf } from '../transport/known-secrets'

/** The forms in which others may write the session's token: in a close reason, the name of an event, what a protocol throws. */
export function tokenForms({ token }: Session): string[] {
  return token === null ? [] : formsOf([token])
}
