import { endpoint } from './endpoint'
import type { Immutable, Open, OpenObject, Schema, ValueOf } from './schema'
import * as s from './schema'
import { isValid } from './validate'

/** Places where a widget is shown. API, "Widget Config". */
export const SurfaceType = {
  widget_top: 'widget_top',
  widget_bottom: 'widget_bottom',
  add_widget_preview: 'add_widget_preview',
  mini_profile: 'mini_profile',
  activity_accessory: 'activity_accessory',
} as const
/** One of {@link SurfaceType}. */
export type SurfaceType = ValueOf<typeof SurfaceType>

/** Sources of a field's value. API, "Widget Config". */
export const ValueType = {
  /** Profile identity data of the user. */
  data: 'data',
  /** Custom text. */
  custom_string: 'custom_string',
  /** One of the resolved assets. */
  application_asset: 'application_asset',
  /** Meaning not shown in the API document. */
  application_localized_string: 'application_localized_string',
} as const
/** One of {@link ValueType}. */
export type ValueType = ValueOf<typeof ValueType>

/** Presentations of a field's value. API, "Widget Config". */
export const PresentationType = {
  image: 'image',
  number: 'number',
  text: 'text',
  duration: 'duration',
} as const
/** One of {@link PresentationType}. */
export type PresentationType = ValueOf<typeof PresentationType>

/** Layouts of surfaces. API, "Widget Config". */
export const LayoutDefinitionKey = {
  activity_accessory_stat: 'activity_accessory_stat',
  add_widget_preview_contained: 'add_widget_preview_contained',
  add_widget_preview_hero: 'add_widget_preview_hero',
  mini_profile_contained_stat: 'mini_profile_contained_stat',
  mini_profile_hero_stat: 'mini_profile_hero_stat',
  widget_bottom_collection: 'widget_bottom_collection',
  widget_bottom_progress: 'widget_bottom_progress',
  widget_bottom_stats: 'widget_bottom_stats',
  widget_top_contained: 'widget_top_contained',
  widget_top_hero: 'widget_top_hero',
} as const
/** One of {@link LayoutDefinitionKey}. */
export type LayoutDefinitionKey = ValueOf<typeof LayoutDefinitionKey>

/** Field of a surface. API, "Widget Config". */
export interface WidgetComponentField {
  /** Source of the value. */
  value_type: Open<ValueType>
  /** Presentation of the value. */
  presentation_type: Open<PresentationType>
  /** Value, or a reference key to data. */
  value: string
  /** Field to show if the value is unavailable. */
  fallback?: WidgetComponentField
}
export const WidgetComponentFieldSchema: Schema<WidgetComponentField> = s.looseObject<WidgetComponentField>()({
  value_type: s.open('string'),
  presentation_type: s.open('string'),
  value: s.string,
  get fallback() {
    return s.optional(WidgetComponentFieldSchema)
  },
})

/** Component of a surface. API, "Widget Config". */
export interface WidgetSurfaceComponent {
  /** Fields by their names in the layout. */
  fields: Record<string, WidgetComponentField>
}
export const WidgetSurfaceComponentSchema = s.looseObject<WidgetSurfaceComponent>()({
  fields: s.record(WidgetComponentFieldSchema),
})

/** Look of a widget in one place. API, "Widget Config". */
export interface WidgetSurface {
  /** Layout; must be one of the surface. */
  layout: Open<LayoutDefinitionKey>
  /** Components by their names in the layout. */
  components: Record<string, WidgetSurfaceComponent>
}
export const WidgetSurfaceSchema = s.looseObject<WidgetSurface>()({
  layout: s.open('string'),
  components: s.record(WidgetSurfaceComponentSchema),
})

/** Field to set on a surface. API, "Widget Config". */
export interface WidgetComponentFieldInput {
  /** Source of the value. */
  value_type: ValueType
  /** Presentation of the value. */
  presentation_type: PresentationType
  /** Value, or a reference key to data. */
  value: string
  /** Field to show if the value is unavailable. */
  fallback?: WidgetComponentFieldInput | undefined
}

/** Component to set on a surface. API, "Widget Config". */
export interface WidgetSurfaceComponentInput {
  /** Fields by their names in the layout. */
  fields: Record<string, WidgetComponentFieldInput>
}

/** Look to set for a widget in one place. API, "Widget Config". */
export interface WidgetSurfaceInput {
  /** Layout; must be one of the surface. */
  layout: LayoutDefinitionKey
  /** Components by their names in the layout. */
  components: Record<string, WidgetSurfaceComponentInput>
}

const SurfacesSchema: Schema<WidgetConfig['surfaces']> = s.record(WidgetSurfaceSchema)

/** States of a widget config. API, "Widget Config". */
export const WidgetConfigStatus = { published: 'published', draft: 'draft' } as const
/** One of {@link WidgetConfigStatus}. */
export type WidgetConfigStatus = ValueOf<typeof WidgetConfigStatus>

/** Look of an application's data on profiles. API, "Widget Config". */
export interface WidgetConfig {
  /** ID of the application. */
  application_id: string
  /** ID of the config. */
  config_id: string
  /** Name of the config, at most 100 characters. */
  display_name: string
  /** Look of the widget by {@link SurfaceType}. */
  surfaces: Partial<Record<SurfaceType, WidgetSurface>> & Record<string, WidgetSurface>
  /** State of the config. */
  status: Open<WidgetConfigStatus>
  /** Assets that the surfaces refer to; their fields are not shown in the API document. */
  resolved_assets?: OpenObject[]
  /** Time of publication, an ISO 8601 timestamp; `null` if never published. */
  published_at: string | null
  /** Time of the last change, an ISO 8601 timestamp. */
  updated_at: string
}
export const WidgetConfigSchema = s.looseObject<WidgetConfig>()({
  application_id: s.string,
  config_id: s.string,
  display_name: s.string,
  surfaces: SurfacesSchema,
  status: s.open('string'),
  resolved_assets: s.optional(s.array(s.OpenObjectSchema)),
  published_at: s.nullable(s.string),
  updated_at: s.string,
})

const configs = s.record(s.array(WidgetConfigSchema))

/** Configs by application. API, "I. Widget configs". */
export interface WidgetConfigsByApplication {
  /** Configs by application ID. */
  configs: Record<string, WidgetConfig[]>
}
export const WidgetConfigsByApplicationSchema = s.looseObject<WidgetConfigsByApplication>()({ configs })

/** Configs featured by the service. API, "I. Widget configs". */
export interface FeaturedWidgetConfigs extends WidgetConfigsByApplication {
  /** IDs of the featured applications. */
  application_ids: string[]
}
export const FeaturedWidgetConfigsSchema = s.looseObject<FeaturedWidgetConfigs>()({
  application_ids: s.array(s.string),
  configs,
})

/** Field of a layout. API, "Widget Config". */
export interface LayoutField {
  /** Display name. */
  display_name: string
  /** Whether a surface must set it. */
  required: boolean
  /** Allowed presentations of its value. */
  allowed_presentation_types: Open<PresentationType>[]
}
export const LayoutFieldSchema = s.looseObject<LayoutField>()({
  display_name: s.string,
  required: s.boolean,
  allowed_presentation_types: s.array(s.open('string')),
})

/** Component of a layout. API, "Widget Config". */
export interface LayoutComponent {
  /** Display name. */
  display_name: string
  /** Whether a surface must have it. */
  required: boolean
  /** Fields by name. */
  fields: Record<string, LayoutField>
}
export const LayoutComponentSchema = s.looseObject<LayoutComponent>()({
  display_name: s.string,
  required: s.boolean,
  fields: s.record(LayoutFieldSchema),
})

/** Definition of a layout. API, "Widget Config". */
export interface LayoutDefinition {
  /** {@link SurfaceType} that the layout is for. */
  surface: Open<SurfaceType>
  /** Components by name. */
  components: Record<string, LayoutComponent>
  /** {@link LayoutDefinitionKey} of the layout. */
  key: string
  /** Display name. */
  display_name: string
}
export const LayoutDefinitionSchema = s.looseObject<LayoutDefinition>()({
  surface: s.open('string'),
  components: s.record(LayoutComponentSchema),
  key: s.string,
  display_name: s.string,
})

/** Whether a value of {@link LayoutDefinitions} is a layout definition. */
export function isLayoutDefinition(value: unknown): value is LayoutDefinition {
  try {
    return isValid(LayoutDefinitionSchema, value)
  } catch {
    // A proxy whose traps throw.
    return false
  }
}

/** Map of layouts. Its structure is not shown (API, "Open points"): narrow values by {@link isLayoutDefinition}. */
export interface LayoutDefinitions extends OpenObject {}
const LayoutDefinitionsSchema: Schema<LayoutDefinitions> = s.OpenObjectSchema

/**
 * Surfaces to set on a config: written by hand, or as returned by a call, with unknown fields and values. So that the
 * compiler finds misspelt values of a literal, add `satisfies WidgetSurfaceInput` to it. API, "Widget Config".
 */
export type WidgetSurfacesInput = {
  readonly [K in SurfaceType]?: WidgetSurfaceInput | Immutable<WidgetSurface> | undefined
}

const DisplayNameSchema = s.boundedString({ max: 100 })
/** The schema of responses, so that returned surfaces can be sent back; types refuse misspelt fields of literals. */
const SurfacesInputSchema: Schema<WidgetSurfacesInput> = s.record(s.optional(WidgetSurfaceSchema))

/** Parameters of `widgetConfigs.create`. API, "I. Widget configs". */
export interface CreateWidgetConfigParams {
  /** Name of the config, at most 100 characters. */
  display_name: string
  /** Look of the widget by {@link SurfaceType}. */
  surfaces: WidgetSurfacesInput
}
export const CreateWidgetConfigParamsSchema = s.strictObject<CreateWidgetConfigParams>()({
  display_name: DisplayNameSchema,
  surfaces: SurfacesInputSchema,
})

/** Parameters of `widgetConfigs.update`; the surfaces are required. API, "I. Widget configs". */
export interface UpdateWidgetConfigParams {
  /** Name of the config, at most 100 characters. */
  display_name?: string | undefined
  /** Look of the widget by {@link SurfaceType}. */
  surfaces: WidgetSurfacesInput
}
export const UpdateWidgetConfigParamsSchema = s.strictObject<UpdateWidgetConfigParams>()({
  display_name: s.optional(DisplayNameSchema),
  surfaces: SurfacesInputSchema,
})

const ofApplication = '/applications/{application.id}/widget-configs'
const one = '/applications/{application.id}/widget-configs/{widget_config.id}'

export const widgetConfigs = {
  featured: endpoint('Get Featured Widget Configs', 'GET', '/widget-configs/featured', 'token', {
    response: FeaturedWidgetConfigsSchema,
  }),
  developer: endpoint('Get Developer Widget Configs', 'GET', '/widget-configs/developer', 'token', {
    response: WidgetConfigsByApplicationSchema,
  }),
  layoutDefinitions: endpoint('Get Layout Definitions', 'GET', '/widget-configs/layout-definitions', 'token', {
    response: LayoutDefinitionsSchema,
  }),
  list: endpoint('Get Application Widget Configs', 'GET', ofApplication, 'token', {
    response: s.array(WidgetConfigSchema),
  }),
  create: endpoint('Create Application Widget Config', 'POST', ofApplication, 'token', {
    params: CreateWidgetConfigParamsSchema,
    response: WidgetConfigSchema,
  }),
  update: endpoint('Modify Application Widget Config', 'PATCH', one, 'token', {
    params: UpdateWidgetConfigParamsSchema,
    response: WidgetConfigSchema,
  }),
  delete: endpoint('Delete Application Widget Config', 'DELETE', one, 'token'),
  publish: endpoint(
    'Publish Application Widget Config',
    'POST',
    '/applications/{application.id}/widget-configs/{widget_config.id}/publish',
    'token',
    { response: WidgetConfigSchema },
  ),
  unpublish: endpoint(
    'Unpublish Application Widget Config',
    'POST',
    '/applications/{application.id}/widget-configs/{widget_config.id}/unpublish',
    'token',
    { response: WidgetConfigSchema },
  ),
} as const
