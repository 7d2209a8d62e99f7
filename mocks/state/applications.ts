import type { PartialUserApplicationProfile } from '../../src/contract/identities'
import type { WidgetConfig } from '../../src/contract/widget-configs'
import type { WidgetComponentField } from '../../src/contract/widget-surfaces'
import type { Caller, ServiceContext } from '../core'
import { type ApplicationRecord, type IdentityRecord, viewOf } from '../database'
import { apiError } from '../errors'
import type { PolicyCaller } from '../policy'
import type { EndpointName } from '../router'

/** The application of a path, else 404. */
export function requireApplication({ db, policy }: ServiceContext, id: string): ApplicationRecord {
  const application = db.applications.get(id)
  if (application === undefined) throw apiError(policy, 'unknownApplication')
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
export function hasAccess({ policy }: ServiceContext, caller: Caller, application: ApplicationRecord): boolean {
  return policy.hasApplicationAccess(policyCaller(caller), application)
}

/** The application that a call acts for: its token's, else the one that the policy names. */
export function actingApplication(
  core: ServiceContext,
  endpoint: EndpointName,
  { user, session }: Caller,
): ApplicationRecord {
  const id =
    session.applicationId ?? core.policy.applicationOf(endpoint, viewOf(user), [...core.db.applications.values()])
  if (id === null) throw apiError(core.policy, 'forbidden')
  return requireApplication(core, id)
}

/** Which account of which user in which application. */
export type IdentityKey = Pick<IdentityRecord, 'applicationId' | 'userId' | 'externalUserId'>

const keyOf = ({ applicationId, userId, externalUserId }: IdentityKey) => `${applicationId} ${userId} ${externalUserId}`

/** Adds an identity, or replaces the one there is. */
export function putIdentity({ db }: ServiceContext, identity: IdentityRecord): void {
  db.identities.set(keyOf(identity), identity)
}

/** The identity of a path, else 404. */
export function requireIdentity({ db, policy }: ServiceContext, key: IdentityKey): IdentityRecord {
  const identity = db.identities.get(keyOf(key))
  if (identity === undefined) throw apiError(policy, 'unknownProfile')
  return identity
}

/** An identity's profile, as the service answers it. */
export function profileOf(identity: IdentityRecord): PartialUserApplicationProfile {
  return {
    username: identity.username,
    metadata: identity.metadata,
    ...(identity.data !== null && { data: identity.data, data_trusted: identity.dataTrusted }),
    connection_visible: identity.connectionVisible,
  }
}

/** The configs of an application, the oldest first. */
export function configsOf({ db }: ServiceContext, applicationId: string): WidgetConfig[] {
  return db.widgetConfigs.where('applicationId', applicationId)
}

/** A config with the assets that its surfaces refer to, as the service answers it. */
export function presentConfig({ db }: ServiceContext, config: WidgetConfig): WidgetConfig {
  const wanted = new Set<unknown>(assetIds(config))
  const known = db.applications.get(config.application_id)?.assets ?? []
  const assets = known.filter(({ id }) => wanted.has(id))
  return structuredClone(assets.length > 0 ? { ...config, resolved_assets: assets } : config)
}

function* assetIds({ surfaces }: WidgetConfig): Generator<string> {
  for (const { components } of Object.values(surfaces)) {
    for (const { fields } of Object.values(components)) {
      for (const first of Object.values(fields)) {
        for (let field: WidgetComponentField | undefined = first; field !== undefined; field = field.fallback) {
          if (field.value_type === 'application_asset') yield field.value
        }
      }
    }
  }
}
