import type { PartialUserApplicationProfile } from '../../src/contract/identities'
import type { ProfileDataInput } from '../../src/contract/profile-data'
import { DynamicDataType } from '../../src/contract/profile-data'
import { type Immutable, oneOf } from '../../src/contract/schema'
import { check } from '../../src/contract/validate'
import type { WidgetConfig } from '../../src/contract/widget-configs'
import {
  LayoutDefinitionKey,
  PresentationType,
  SurfaceType,
  ValueType,
  type WidgetComponentField,
  type WidgetComponentFieldInput,
  type WidgetSurfacesInput,
} from '../../src/contract/widget-configs'
import type { Issue } from '../../src/internal/issue'
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
 * Rejects surfaces with values that the API document does not list; layouts of `service.layouts` are accepted
 * too. The contract accepts any value, since a client may send back what it received.
 * @throws ServiceError 400, if the service is strict.
 */
export function assertListedSurfaces(core: ServiceContext, surfaces: WidgetSurfacesInput): void {
  assertListed(core, issuesOfSurfaces(core, surfaces))
}

/** Rejects types of dynamic data that the API document does not list. @throws ServiceError 400, if strict. */
export function assertListedTypes(core: ServiceContext, { dynamic = [] }: ProfileDataInput): void {
  const issues = dynamic.map(({ type }, index) => listed(DynamicDataType, type, ['data', 'dynamic', index, 'type']))
  assertListed(core, issues.flat())
}

function assertListed({ strict, policy }: ServiceContext, found: Iterable<Issue>): void {
  const issues = strict ? [...found] : []
  if (issues.length > 0) throw formError(policy, fieldErrorsOf(issues))
}

function* issuesOfSurfaces({ db }: ServiceContext, surfaces: WidgetSurfacesInput): Generator<Issue> {
  for (const [surface, value] of Object.entries(surfaces)) {
    if (!value) continue
    const { layout, components } = value
    const path = ['surfaces', surface]
    yield* listed(SurfaceType, surface, path)
    if (!db.layouts.has(layout)) yield* listed(LayoutDefinitionKey, layout, [...path, 'layout'])
    for (const [component, { fields }] of Object.entries(components)) {
      for (const [name, first] of Object.entries<WidgetComponentFieldInput | Immutable<WidgetComponentField>>(fields)) {
        const at = [...path, 'components', component, 'fields', name]
        for (let field: typeof first | undefined = first; field !== undefined; field = field.fallback) {
          yield* listed(ValueType, field.value_type, [...at, 'value_type'])
          yield* listed(PresentationType, field.presentation_type, [...at, 'presentation_type'])
          at.push('fallback')
        }
      }
    }
  }
}

function listed(values: Readonly<Record<string, string | number>>, value: unknown, path: Issue['path']): Issue[] {
  return check(oneOf(values), value).map((issue) => ({ ...issue, path }))
}
