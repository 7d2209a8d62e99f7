import type { identities, UserApplicationIdentity } from '../../src/contract/identities'
import type { ProfileData } from '../../src/contract/profile-data'
import type { WidgetConfig, widgetConfigs } from '../../src/contract/widget-configs'
import type { GameWidget, GameWidgetData, ReplaceWidgetsParams, widgets } from '../../src/contract/widgets'
import { type Caller, type ServiceContext, toTimestamp } from '../core'
import type { ApplicationRecord, IdentityRecord } from '../database'
import { apiError } from '../errors'
import * as state from '../state/applications'
import { requireUser } from '../state/users'
import type { RoutesOf } from './route'

export const identityRoutes: RoutesOf<typeof identities> = {
  listBulk({ core, endpoint, params: { user_ids }, caller }) {
    const { id } = state.actingApplication(core, endpoint.name, caller)
    return [...new Set(user_ids)]
      .flatMap((userId) => core.db.identities.where('userId', userId))
      .filter(({ applicationId }) => applicationId === id)
      .map(({ userId, externalUserId }) => ({ user_id: userId, external_user_id: externalUserId }))
  },

  getProfile({ core, path }) {
    state.requireApplication(core, path['application.id'])
    return { ...state.profileOf(state.requireIdentity(core, identityKey(path, path['user.id']))) }
  },

  updateProfile({ core, path, params: { username, metadata, data }, caller }) {
    const application = state.requireApplication(core, path['application.id'])
    const identity = state.requireIdentity(core, identityKey(path, path['user.id']))
    const { user, session } = caller
    const isOwn = session.applicationId === null && user.id === identity.userId
    if (!isOwn && !state.hasAccess(caller, application)) throw apiError(core.policy, 'forbidden')
    // Media that the client received have any fields.
    state.assertListed(core, { data: { dynamic: (data?.dynamic ?? []).map(({ type }) => ({ type })) } })
    if (username !== undefined) identity.username = username
    // "metadata? (object …)" in, "metadata (?string, custom metadata)" out. API, "H." and "User Application
    // Identity".
    if (metadata !== undefined) identity.metadata = JSON.stringify(metadata)
    if (data !== undefined) {
      // Validated by the contract; media items of an input lack only optional fields.
      identity.data = structuredClone(data) as ProfileData
      identity.dataTrusted = session.applicationId === application.id || user.id === application.ownerId
    }
    return { ...state.profileOf(identity) }
  },

  list({ core, path, params: { with_profiles = false } }) {
    const user = requireUser(core, path['user.id'])
    const records = core.db.identities.where('userId', user.id)
    return { identities: records.map((record) => identityView(record, with_profiles)) }
  },

  updateConfig({ core, path, params: { connection_visible }, caller: { user } }) {
    state.requireApplication(core, path['application.id'])
    const identity = state.requireIdentity(core, identityKey(path, user.id))
    // The document shows a string, and no values.
    if (connection_visible !== undefined) identity.connectionVisible = connection_visible !== 'false'
  },
}

type IdentityPath = Readonly<Record<'application.id' | 'external_user_id', string>>

const identityKey = (path: IdentityPath, userId: string) => [path['application.id'], userId, path.external_user_id]

function identityView(record: IdentityRecord, withProfiles: boolean): UserApplicationIdentity {
  const identity = { application_id: record.applicationId, provider_issued_user_id: record.externalUserId }
  return withProfiles
    ? { ...identity, profile: state.profileOf(record), profiles: [state.profileOf(record)] }
    : identity
}

type WidgetInput = ReplaceWidgetsParams['widgets'][number]

export const widgetRoutes: RoutesOf<typeof widgets> = {
  replace({ core, params, caller: { user } }) {
    const before = new Map((core.db.widgets.get(user.id) ?? []).map((widget) => [widget.id, widget]))
    const after = params.widgets.map((input) => toWidget(core, input, before))
    core.db.widgets.set(user.id, after)
    return structuredClone(after)
  },

  suggestedGames({ core, caller: { user } }) {
    return core.db.suggestedGames.get(user.id) ?? { suggested_games: [], suggested_wishlist_games: [] }
  },
}

/**
 * Keeps the ID of an existing widget, and its time if its data are unchanged; an unknown ID is replaced with a new one.
 */
function toWidget(core: ServiceContext, input: WidgetInput, before: Map<string, GameWidget>): GameWidget {
  const { id } = input
  // Validated by the contract; the types differ only in readonly modifiers.
  const data = input.data as GameWidgetData
  const existing = before.get(id ?? '')
  if (existing === undefined) return { id: core.random.snowflake(), updated_at: toTimestamp(core.clock.now()), data }
  before.delete(existing.id)
  const isUnchanged = JSON.stringify(existing.data) === JSON.stringify(data)
  return { id: existing.id, updated_at: isUnchanged ? existing.updated_at : toTimestamp(core.clock.now()), data }
}

export const widgetConfigRoutes: RoutesOf<typeof widgetConfigs> = {
  featured({ core }) {
    const applications = [...core.db.applications.values()].filter(({ featured }) => featured)
    return {
      application_ids: applications.map(({ id }) => id),
      configs: Object.fromEntries(applications.map(({ id }) => [id, publishedConfigViews(core, id)])),
    }
  },

  developer({ core, caller }) {
    // "Widget config listing for developers covers only applications the user has access to." Interface,
    // "Authentication".
    const applications = [...core.db.applications.values()].filter((application) =>
      state.hasAccess(caller, application),
    )
    return { configs: Object.fromEntries(applications.map(({ id }) => [id, configViews(core, id)])) }
  },

  layoutDefinitions: ({ core }) => structuredClone(Object.fromEntries(core.db.layouts)),

  list({ core, path, caller }) {
    const application = state.requireApplication(core, path['application.id'])
    return state.hasAccess(caller, application)
      ? configViews(core, application.id)
      : publishedConfigViews(core, application.id)
  },

  create({ core, path, params: { display_name, surfaces }, caller }) {
    const { id } = requireAccess(core, path['application.id'], caller)
    state.assertListed(core, { surfaces })
    const status = core.policy.newConfigStatus
    const now = toTimestamp(core.clock.now())
    const config: WidgetConfig = {
      application_id: id,
      config_id: core.random.snowflake(),
      display_name,
      // Validated by the contract; the types differ only in optional keys and readonly modifiers.
      surfaces: structuredClone(surfaces) as WidgetConfig['surfaces'],
      status,
      published_at: status === 'published' ? now : null,
      updated_at: now,
    }
    core.db.widgetConfigs.set(config.config_id, config)
    return state.configView(core, config)
  },

  update({ core, path, params: { display_name, surfaces }, caller }) {
    const config = requireConfig(core, path, caller)
    state.assertListed(core, { surfaces })
    if (display_name !== undefined) config.display_name = display_name
    // Validated by the contract, as above.
    config.surfaces = structuredClone(surfaces) as WidgetConfig['surfaces']
    config.updated_at = toTimestamp(core.clock.now())
    return state.configView(core, config)
  },

  delete({ core, path, caller }) {
    core.db.widgetConfigs.delete(requireConfig(core, path, caller).config_id)
  },

  publish({ core, path, caller }) {
    const now = toTimestamp(core.clock.now())
    const config = requireConfig(core, path, caller)
    Object.assign(config, { status: 'published', published_at: now, updated_at: now })
    return state.configView(core, config)
  },

  unpublish({ core, path, caller }) {
    const config = requireConfig(core, path, caller)
    config.status = core.policy.unpublishedConfigStatus
    config.updated_at = toTimestamp(core.clock.now())
    return state.configView(core, config)
  },
}

type ConfigPath = Readonly<Record<'application.id' | 'widget_config.id', string>>

function requireConfig(core: ServiceContext, path: ConfigPath, caller: Caller): WidgetConfig {
  const { id } = requireAccess(core, path['application.id'], caller)
  const config = core.db.widgetConfigs.get(path['widget_config.id'])
  if (config?.application_id !== id) throw apiError(core.policy, 'unknownWidgetConfig')
  return config
}

function requireAccess(core: ServiceContext, applicationId: string, caller: Caller): ApplicationRecord {
  const application = state.requireApplication(core, applicationId)
  if (!state.hasAccess(caller, application)) throw apiError(core.policy, 'forbidden')
  return application
}

function configViews(core: ServiceContext, applicationId: string): WidgetConfig[] {
  return core.db.widgetConfigs.where('applicationId', applicationId).map((config) => state.configView(core, config))
}

function publishedConfigViews(core: ServiceContext, applicationId: string): WidgetConfig[] {
  return configViews(core, applicationId).filter(({ status }) => status === 'published')
}
