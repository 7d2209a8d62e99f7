import type { WidgetConfig, widgetConfigs } from '../../src/contract/widget-configs'
import { type Core, timestamp } from '../core'
import { refusal } from '../envelope'
import { hasAccess, requireApplication } from '../state/applications'
import type { ApplicationRecord } from '../state/database'
import { configsOf, presentConfig } from '../state/widget-configs'
import type { Caller, RoutesOf } from './route'

export const widgetConfigRoutes: RoutesOf<typeof widgetConfigs> = {
  featured({ core }) {
    const applications = [...core.db.applications.values()].filter(({ featured }) => featured)
    return {
      application_ids: applications.map(({ id }) => id),
      configs: Object.fromEntries(applications.map(({ id }) => [id, publishedOf(core, id)])),
    }
  },

  developer({ core, caller }) {
    // "Widget config listing for developers covers only applications the user has access to." Interface, "Authentication".
    const applications = [...core.db.applications.values()].filter((application) =>
      hasAccess(core, caller, application),
    )
    return { configs: Object.fromEntries(applications.map(({ id }) => [id, allOf(core, id)])) }
  },

  layoutDefinitions: ({ core }) => structuredClone(Object.fromEntries(core.db.layouts)),

  list({ core, path, caller }) {
    const application = requireApplication(core, path['application.id'])
    return hasAccess(core, caller, application) ? allOf(core, application.id) : publishedOf(core, application.id)
  },

  create({ core, path, params: { display_name, surfaces }, caller }) {
    const { id } = requireAccess(core, path['application.id'], caller)
    const status = core.policy.newConfigStatus
    const now = timestamp(core.clock.now())
    const config: WidgetConfig = {
      application_id: id,
      config_id: core.random.snowflake(),
      display_name,
      surfaces: structuredClone(surfaces) as WidgetConfig['surfaces'],
      status,
      published_at: status === 'published' ? now : null,
      updated_at: now,
    }
    core.db.widgetConfigs.set(config.config_id, config)
    return presentConfig(core, config)
  },

  update({ core, path, params: { display_name, surfaces }, caller }) {
    const config = requireConfig(core, path, caller)
    if (display_name !== undefined) config.display_name = display_name
    config.surfaces = structuredClone(surfaces) as WidgetConfig['surfaces']
    config.updated_at = timestamp(core.clock.now())
    return presentConfig(core, config)
  },

  delete({ core, path, caller }) {
    core.db.widgetConfigs.delete(requireConfig(core, path, caller).config_id)
  },

  publish({ core, path, caller }) {
    const now = timestamp(core.clock.now())
    const config = requireConfig(core, path, caller)
    Object.assign(config, { status: 'published', published_at: now, updated_at: now })
    return presentConfig(core, config)
  },

  unpublish({ core, path, caller }) {
    const config = requireConfig(core, path, caller)
    config.status = core.policy.unpublishedConfigStatus
    config.updated_at = timestamp(core.clock.now())
    return presentConfig(core, config)
  },
}

type ConfigPath = Readonly<Record<'application.id' | 'widget_config.id', string>>

function requireConfig(core: Core, path: ConfigPath, caller: Caller): WidgetConfig {
  const { id } = requireAccess(core, path['application.id'], caller)
  const config = core.db.widgetConfigs.get(path['widget_config.id'])
  if (config?.application_id !== id) throw refusal(core.policy, 'unknownWidgetConfig')
  return config
}

function requireAccess(core: Core, applicationId: string, caller: Caller): ApplicationRecord {
  const application = requireApplication(core, applicationId)
  if (!hasAccess(core, caller, application)) throw refusal(core.policy, 'forbidden')
  return application
}

function allOf(core: Core, applicationId: string): WidgetConfig[] {
  return configsOf(core, applicationId).map((config) => presentConfig(core, config))
}

function publishedOf(core: Core, applicationId: string): WidgetConfig[] {
  return allOf(core, applicationId).filter(({ status }) => status === 'published')
}
