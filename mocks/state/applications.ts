import type { PartialUserApplicationProfile } from '../../src/contract/identities'
import { documentedValues } from '../../src/contract/index'
import { DynamicDataSchema } from '../../src/contract/profile-data'
import { oneOf } from '../../src/contract/schema'
import { check } from '../../src/contract/validate'
import type { WidgetComponentField, WidgetConfig } from '../../src/contract/widget-configs'
import type { Issue } from '../../src/internal/issue'
import { isObject } from '../../src/internal/json'
import type { Caller, ServiceContext } from '../core'
import type { ApplicationRecord, IdentityRecord } from '../database'
import { apiError, fieldErrorsOf, formError } from '../errors'
import type { EndpointName } from '../router'
import { joinIds } from '../table'

export function requireApplication({ db, policy }: ServiceContext, id: string): ApplicationRecord {
  const application = db.applications.get(id)
  if (application === undefined) throw apiError(policy, 'unknownApplication')
  return application
}

export function authorize({ authorizedBy }: ApplicationRecord, userId: string): void {
  if (!authorizedBy.includes(userId)) authorizedBy.push(userId)
}

/** Whether a caller has access to an application: its owner, its members and its bot. */
export function hasAccess({ user, session }: Caller, { id, ownerId, memberIds }: ApplicationRecord): boolean {
  if (session.applicationId !== null && session.applicationId !== id) return false
  return session.kind === 'bot' || user.id === ownerId || memberIds.includes(user.id)
}

/**
 * Returns the application that a call acts for: that of its token, else the first that the user owns, and for game
 * relationships also the first that the user has authorized, else the first.
 */
export function actingApplication(
  core: ServiceContext,
  endpoint: EndpointName,
  { user, session }: Caller,
): ApplicationRecord {
  if (session.applicationId !== null) return requireApplication(core, session.applicationId)
  const all = [...core.db.applications.values()]
  const owned = all.find(({ ownerId }) => ownerId === user.id)
  const other = all.find(({ authorizedBy }) => authorizedBy.includes(user.id)) ?? all[0]
  const application = endpoint === 'List Bulk Application Identities' ? owned : (owned ?? other)
  if (application === undefined) throw apiError(core.policy, 'forbidden')
  return application
}

export function requireIdentity({ db, policy }: ServiceContext, ids: readonly string[]): IdentityRecord {
  const identity = db.identities.get(joinIds(...ids))
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

/**
 * Rejects values of surfaces and profile data that the API document does not list; layouts of `service.layouts` are
 * accepted too. The contract accepts any value, since a client may send back what it received.
 * @throws ServiceError 400, if the service is strict.
 */
export function assertListed(
  core: ServiceContext,
  values: { readonly surfaces?: object; readonly data?: object },
): void {
  const issues = core.strict ? [...unlistedIn(core, values, [])] : []
  if (issues.length > 0) throw formError(core.policy, fieldErrorsOf(issues))
}

function* unlistedIn(core: ServiceContext, value: unknown, path: readonly string[]): Generator<Issue> {
  const name = path.at(-1) ?? ''
  if (isObject(value)) {
    for (const [key, part] of Object.entries(value)) {
      if (name === 'surfaces') yield* unlisted(name, key, [...path, key])
      yield* unlistedIn(core, part, [...path, key])
    }
  } else if (name !== 'layout' || !core.db.layouts.has(String(value))) yield* unlisted(name, value, path)
}

function unlisted(name: string, value: unknown, path: Issue['path']): Issue[] {
  const values = documentedValues(name, DynamicDataSchema)
  return values.length === 0 ? [] : check(oneOf(Object(values)), value).map((issue) => ({ ...issue, path }))
}
