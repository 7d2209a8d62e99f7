import type { ProfileData } from '../../src/contract/profile-data'
import type { Core } from '../core'
import type { UserRef } from '../mock-user'
import { authorize } from '../state/applications'
import { putIdentity } from '../state/identities'
import { userOf } from '../state/users'
import { type ApplicationRef, applicationOf } from './applications'

/** An account of a user in an application, to be there from the start. */
export interface CreateIdentityOptions {
  /** The application. */
  readonly application: ApplicationRef
  /** The user. */
  readonly user: UserRef
  /** ID of the user on the external identity provider. */
  readonly externalUserId: string
  /** Username in the application. @default null */
  readonly username?: string | null
  /** Custom metadata. @default null */
  readonly metadata?: Readonly<Record<string, unknown>> | null
  /** What the profile shows. @default null */
  readonly data?: ProfileData | null
  /** Whether the data are the application's word. @default false */
  readonly dataTrusted?: boolean
  /** `connection_visible` of the profile. @default true */
  readonly connectionVisible?: boolean
}

/** The application identities of a service. */
export interface MockIdentities {
  /** Links a user to an external account, and has the user authorize the application. */
  create(options: CreateIdentityOptions): void
}

export function createIdentities(core: Core): MockIdentities {
  return {
    create({ application, user, externalUserId, username = null, metadata = null, data = null, ...options }) {
      const { id: userId } = userOf(core, user)
      authorize(applicationOf(core, application), userId)
      putIdentity(core, {
        applicationId: applicationOf(core, application).id,
        userId,
        externalUserId,
        username,
        metadata: metadata === null ? null : JSON.stringify(metadata),
        data: structuredClone(data),
        dataTrusted: options.dataTrusted ?? false,
        connectionVisible: options.connectionVisible ?? true,
      })
    },
  }
}
