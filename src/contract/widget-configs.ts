import type { Endpoint } from './endpoint'
import { text } from './rules'
import {
  boolean,
  type Immutable,
  listOf,
  mapOf,
  nullable,
  type Open,
  type OpenObject,
  OpenObjectSchema,
  object,
  open,
  optional,
  request,
  type Schema,
  string,
  type ValueOf,
} from './schema'
import {
  type PresentationType,
  type SurfaceType,
  type WidgetSurface,
  type WidgetSurfaceInput,
  WidgetSurfaceInputSchema,
  WidgetSurfaceSchema,
} from './widget-surfaces'

/** States of a widget config. Interface, "Widget Config". */
export const WidgetConfigStatus = { published: 'published', draft: 'draft' } as const
/** One of {@link WidgetConfigStatus}. */
export type WidgetConfigStatus = ValueOf<typeof WidgetConfigStatus>

/** Look of an application's data on profiles. Interface, "Widget Config". */
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
  /** Assets that the surfaces refer to; their fields are not shown in the interface document. */
  resolved_assets?: OpenObject[]
  /** Time of publication, an ISO 8601 timestamp; `null` if never published. */
  published_at: string | null
  /** Time of the last change, an ISO 8601 timestamp. */
  updated_at: string
}
export const WidgetConfigSchema = /*@__PURE__*/ object<WidgetConfig>()({
  application_id: string,
  config_id: string,
  display_name: string,
  surfaces: mapOf(WidgetSurfaceSchema) as Schema<WidgetConfig['surfaces']>,
  status: open('string'),
  resolved_assets: optional(listOf(OpenObjectSchema)),
  published_at: nullable(string),
  updated_at: string,
})

/** Configs by application. Interface, "I. Widget configs". */
export interface WidgetConfigsByApplication {
  /** Configs by application ID. */
  configs: Record<string, WidgetConfig[]>
}
const configs = mapOf(listOf(WidgetConfigSchema))
export const WidgetConfigsByApplicationSchema = /*@__PURE__*/ object<WidgetConfigsByApplication>()({ configs })

/** Configs featured by the service. Interface, "I. Widget configs". */
export interface FeaturedWidgetConfigs extends WidgetConfigsByApplication {
  /** IDs of the featured applications. */
  application_ids: string[]
}
export const FeaturedWidgetConfigsSchema = /*@__PURE__*/ object<FeaturedWidgetConfigs>()({
  application_ids: listOf(string),
  configs,
})

/** Field of a layout. Interface, "Widget Config". */
export interface LayoutField {
  /** Display name. */
  display_name: string
  /** Whether a surface must set it. */
  required: boolean
  /** Allowed presentations of its value. */
  allowed_presentation_types: Open<PresentationType>[]
}
export const LayoutFieldSchema = /*@__PURE__*/ object<LayoutField>()({
  display_name: string,
  required: boolean,
  allowed_presentation_types: listOf(open('string')),
})

/** Component of a layout. Interface, "Widget Config". */
export interface LayoutComponent {
  /** Display name. */
  display_name: string
  /** Whether a surface must have it. */
  required: boolean
  /** Fields by name. */
  fields: Record<string, LayoutField>
}
export const LayoutComponentSchema = /*@__PURE__*/ object<LayoutComponent>()({
  display_name: string,
  required: boolean,
  fields: mapOf(LayoutFieldSchema),
})

/** Definition of a layout. Interface, "Widget Config". */
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
export const LayoutDefinitionSchema = /*@__PURE__*/ object<LayoutDefinition>()({
  surface: open('string'),
  components: mapOf(LayoutComponentSchema),
  key: string,
  display_name: string,
})

/** Whether a value of {@link LayoutDefinitions} is a layout definition. */
export function isLayoutDefinition(value: unknown): value is LayoutDefinition {
  return LayoutDefinitionSchema.safeParse(value).success
}

/**
 * Map of layout definitions. Its structure is not shown (Interface, "Open points"), so values are `unknown`; narrow
 * them by {@link isLayoutDefinition}.
 */
export interface LayoutDefinitions extends OpenObject {}

/** Surfaces to set on a config: written by hand, or as returned by a call. Interface, "Widget Config". */
export type WidgetSurfacesInput = {
  readonly [K in SurfaceType]?: WidgetSurfaceInput | Immutable<WidgetSurface>
}

/** Parameters of `widgetConfigs.create`. Interface, "I. Widget configs". */
export interface CreateWidgetConfigParams {
  /** Name of the config, at most 100 characters. */
  display_name: string
  /** Look of the widget by {@link SurfaceType}. */
  surfaces: WidgetSurfacesInput
}
const DisplayNameSchema = text({ max: 100 })
const SurfacesInputSchema = mapOf(WidgetSurfaceInputSchema) as Schema<WidgetSurfacesInput>
export const CreateWidgetConfigParamsSchema = /*@__PURE__*/ request<CreateWidgetConfigParams>()({
  display_name: DisplayNameSchema,
  surfaces: SurfacesInputSchema,
})

/** Parameters of `widgetConfigs.update`; the surfaces are required. Interface, "I. Widget configs". */
export interface UpdateWidgetConfigParams {
  /** Name of the config, at most 100 characters. */
  display_name?: string
  /** Look of the widget by {@link SurfaceType}. */
  surfaces: WidgetSurfacesInput
}
export const UpdateWidgetConfigParamsSchema = /*@__PURE__*/ request<UpdateWidgetConfigParams>()({
  display_name: optional(DisplayNameSchema),
  surfaces: SurfacesInputSchema,
})

const ofApplication = '/applications/{application.id}/widget-configs'
const one = '/applications/{application.id}/widget-configs/{widget_config.id}'

export const widgetConfigs = {
  featured: {
    name: 'Get Featured Widget Configs',
    method: 'GET',
    path: '/widget-configs/featured',
    auth: 'token',
    response: FeaturedWidgetConfigsSchema,
  },
  developer: {
    name: 'Get Developer Widget Configs',
    method: 'GET',
    path: '/widget-configs/developer',
    auth: 'token',
    response: WidgetConfigsByApplicationSchema,
  },
  layoutDefinitions: {
    name: 'Get Layout Definitions',
    method: 'GET',
    path: '/widget-configs/layout-definitions',
    auth: 'token',
    response: OpenObjectSchema as Schema<LayoutDefinitions>,
  },
  list: {
    name: 'Get Application Widget Configs',
    method: 'GET',
    path: ofApplication,
    auth: 'token',
    response: listOf(WidgetConfigSchema),
  },
  create: {
    name: 'Create Application Widget Config',
    method: 'POST',
    path: ofApplication,
    auth: 'token',
    params: CreateWidgetConfigParamsSchema,
    response: WidgetConfigSchema,
  },
  update: {
    name: 'Modify Application Widget Config',
    method: 'PATCH',
    path: one,
    auth: 'token',
    params: UpdateWidgetConfigParamsSchema,
    response: WidgetConfigSchema,
  },
  delete: { name: 'Delete Application Widget Config', method: 'DELETE', path: one, auth: 'token' },
  publish: {
    name: 'Publish Application Widget Config',
    method: 'POST',
    path: '/applications/{application.id}/widget-configs/{widget_config.id}/publish',
    auth: 'token',
    response: WidgetConfigSchema,
  },
  unpublish: {
    name: 'Unpublish Application Widget Config',
    method: 'POST',
    path: '/applications/{application.id}/widget-configs/{widget_config.id}/unpublish',
    auth: 'token',
    response: WidgetConfigSchema,
  },
} as const satisfies Record<string, Endpoint>
