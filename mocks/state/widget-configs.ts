import type { WidgetConfig } from '../../src/contract/widget-configs'
import type { WidgetComponentField } from '../../src/contract/widget-surfaces'
import type { Core } from '../core'

/** The configs of an application, the oldest first. */
export function configsOf({ db }: Core, applicationId: string): WidgetConfig[] {
  return db.widgetConfigs.where('applicationId', applicationId)
}

/** A config with the assets that its surfaces refer to, as the service answers it. */
export function presentConfig({ db }: Core, config: WidgetConfig): WidgetConfig {
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
