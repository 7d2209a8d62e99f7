import type { LayoutDefinition } from '../../src/contract/widget-configs'
import { LayoutDefinitionKey, SurfaceType } from '../../src/contract/widget-surfaces'

/**
 * A definition for each documented key. The document shows the form of a definition and no definition, so these have
 * no components; `service.layouts.define` adds what a test needs.
 */
export function defaultLayouts(): Map<string, LayoutDefinition> {
  return new Map(
    Object.values(LayoutDefinitionKey).map((key) => [
      key,
      { key, surface: surfaceOf(key), display_name: titleOf(key), components: {} },
    ]),
  )
}

function surfaceOf(key: string): SurfaceType {
  return Object.values(SurfaceType).find((surface) => key.startsWith(surface)) ?? SurfaceType.widget_top
}

function titleOf(key: string): string {
  return key.charAt(0).toUpperCase() + key.slice(1).replaceAll('_', ' ')
}
