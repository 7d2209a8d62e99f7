import type { PartialUserApplicationProfile } from '../../src/contract/identities'
import type { WidgetComponentField, WidgetConfig } from '../../src/contract/widget-configs'
import type { Caller, ServiceContext } from '../core'
import { type ApplicationRecord, type IdentityRecord, viewOf } from '../database'
import { apiError } from '../errors'
import type { PolicyCaller } from '../policy'
import type { EndpointName } from '../router'

export function requireApplication({ db, policy }: ServiceContext, id: string): ApplicationRecord {
  const application = db.applications.get(id)
  if (application === undefined) throw apiError(policy, 'unknownApplication')
  return application
}

/** Sets of users by the array of an application, to avoid a linear search for each token and relationship. */
const authorizers = new WeakMap<readonly string[], Set<string>>()

export function isAuthorized({ authorizedBy }: ApplicationRecord, userId: string): boolean {
  return authorizersOf(authorizedBy).has(userId)
}

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

export function policyCaller({ user, session }: Caller): PolicyCaller {
  return { user: viewOf(user), applicationId: session.applicationId, isBot: session.kind === 'bot' }
}

export function hasAccess({ policy }: ServiceContext, caller: Caller, application: ApplicationRecord): boolean {
  return policy.hasApplicationAccess(policyCaller(caller), application)
}

/** Returns the application that a call acts for: that of its token, else the one of the policy. */
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

export type IdentityKey = Pick<IdentityRecord, 'applicationId' | 'userId' | 'externalUserId'>

const keyOf = ({ applicationId, userId, externalUserId }: IdentityKey) => `${applicationId} ${userId} ${externalUserId}`

export function putIdentity({ db }: ServiceContext, identity: IdentityRecord): void {
  db.identities.set(keyOf(identity), identity)
}

export function requireIdentity({ db, policy }: ServiceContext, key: IdentityKey): IdentityRecord {
  const identity = db.identities.get(keyOf(key))
  if (identity === undefined) throw apiError(policy, 'unknownProfile')
  return identity
}

export function profileOf(identity: IdentityRecord): PartialUserApplicationProfile {
  return {
    username: identity.username,
    metadata: identity.metadata,
    ...(identity.data !== null && { data: identity.data, data_trusted: identity.dataTrusted }),
    connection_visible: identity.connectionVisible,
  }
}

export function configsOf({ db }: ServiceContext, applicationId: string): WidgetConfig[] {
  return db.widgetConfigs.where('applicationId', applicationId)
}

export function configView({ db }: ServiceContext, config: WidgetConfig): WidgetConfig {
  const referenced = new Set<unknown>(assetIds(config))
  const known = db.applications.get(config.application_id)?.assets ?? []
  const assets = known.filter(({ id }) => referenced.has(id))
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
