import type { Core } from '../core'
import type { UserRef } from '../mock-user'
import { authorize } from '../state/applications'
import { startSession } from '../state/sessions'
import { userOf } from '../state/users'
import { type ApplicationRef, applicationOf } from './applications'

/** What a token is for. */
export interface TokenOptions {
  /** The application that the user authorizes: calls with the token are an OAuth2 context. Default: none. */
  readonly oauth2?: ApplicationRef
  /** The `User-Agent` of the client, as its session shows it. Default: none. */
  readonly userAgent?: string
  /** The IP address of the client. @default '127.0.0.1' */
  readonly ip?: string
}

/** Issues a token of a user, as if the user had signed in. */
export type TokenDoor = (user: UserRef, options?: TokenOptions) => string

export function createTokenDoor(core: Core): TokenDoor {
  return (ref, { oauth2, userAgent = '', ip = '127.0.0.1' } = {}) => {
    const user = userOf(core, ref)
    if (oauth2 === undefined) return startSession(core, user, { ip, userAgent }).token
    const application = applicationOf(core, oauth2)
    authorize(application, user.id)
    return startSession(core, user, { ip, userAgent }, { kind: 'oauth2', applicationId: application.id }).token
  }
}
