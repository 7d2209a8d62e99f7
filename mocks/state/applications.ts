import type { Core } from '../core'
import type { EndpointName } from '../endpoint-names'
import { refusal } from '../envelope'
import { viewOf } from '../mock-user'
import type { PolicyCaller } from '../policy'
import type { Caller } from '../routes/route'
import type { ApplicationRecord } from './database'

/** The application of a path, else 404. */
export function requireApplication({ db, policy }: Core, id: string): ApplicationRecord {
  const application = db.applications.get(id)
  if (application === undefined) throw refusal(policy, 'unknownApplication')
  return application
}

/** Users by the list of an application: a list of thousands must not be read for each token and each relationship. */
const authorizers = new WeakMap<readonly string[], Set<string>>()

/** Whether a user has authorized an application. */
export function isAuthorized({ authorizedBy }: ApplicationRecord, userId: string): boolean {
  return authorizersOf(authorizedBy).has(userId)
}

/** Notes that a user has authorized an application. */
export function authorize({ authorizedBy }: ApplicationRecord, userId: string): void {
  const users = authorizersOf(authorizedBy)
  if (users.has(userId)) return
  users.add(userId)
  authorizedBy.push(userId)
}

function authorizersOf(authorizedBy: readonly string[]): Set<string> {
  const known = authorizers.get(authorizedBy)
  if (known !== undefined) return known
  const users = new Set(authorizedBy)
  authorizers.set(authorizedBy, users)
  return users
}

/** A caller, as the policy sees it. */
export function policyCaller({ user, session }: Caller): PolicyCaller {
  return { user: viewOf(user), applicationId: session.applicationId, isBot: session.kind === 'bot' }
}

/** Whether a caller may work on an application. */
export function hasAccess({ policy }: Core, caller: Caller, application: ApplicationRecord): boolean {
  return policy.hasApplicationAccess(policyCaller(caller), application)
}

/** The application that a call acts for: its token's, else the one that the policy names. */
export function actingApplication(core: Core, endpoint: EndpointName, { user, session }: Caller): ApplicationRecord {
  const id =
    session.applicationId ?? core.policy.applicationOf(endpoint, viewOf(user), [...core.db.applications.values()])
  if (id === null) throw refusal(core.policy, 'forbidden')
  return requireApplication(core, id)
}
