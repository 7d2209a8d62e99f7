import { mapOf, type Open, object, open, optional, request, type Schema, string, type ValueOf } from './schema'

/** Places where a widget is shown. Interface, "Widget Config". */
export const SurfaceType = {
  widget_top: 'widget_top',
  widget_bottom: 'widget_bottom',
  add_widget_preview: 'add_widget_preview',
  mini_profile: 'mini_profile',
  activity_accessory: 'activity_accessory',
} as const
/** One of {@link SurfaceType}. */
export type SurfaceType = ValueOf<typeof SurfaceType>

/** Sources of a field's value. Interface, "Widget Config". */
export const ValueType = {
  /** Profile identity data of the user. */
  data: 'data',
  /** Custom text. */
  custom_string: 'custom_string',
  /** One of the resolved assets. */
  application_asset: 'application_asset',
  /** Meaning not shown in the interface document. */
  application_localized_string: 'application_localized_string',
} as const
/** One of {@link ValueType}. */
export type ValueType = ValueOf<typeof ValueType>

/** Presentations of a field's value. Interface, "Widget Config". */
export const PresentationType = {
  image: 'image',
  number: 'number',
  text: 'text',
  duration: 'duration',
} as const
/** One of {@link PresentationType}. */
export type PresentationType = ValueOf<typeof PresentationType>

/** Layouts of surfaces. Interface, "Widget Config". */
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

/** Field of a surface. Interface, "Widget Config". */
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
export const WidgetComponentFieldSchema: Schema<WidgetComponentField> = /*@__PURE__*/ object<WidgetComponentField>()({
  value_type: open('string'),
  presentation_type: open('string'),
  value: string,
  get fallback() {
    return optional(WidgetComponentFieldSchema)
  },
})

/** Component of a surface. Interface, "Widget Config". */
export interface WidgetSurfaceComponent {
  /** Fields by their names in the layout. */
  fields: Record<string, WidgetComponentField>
}
export const WidgetSurfaceComponentSchema = /*@__PURE__*/ object<WidgetSurfaceComponent>()({
  fields: mapOf(WidgetComponentFieldSchema),
})

/** Look of a widget in one place. Interface, "Widget Config". */
export interface WidgetSurface {
  /** Layout; must be one of the surface. */
  layout: Open<LayoutDefinitionKey>
  /** Components by their names in the layout. */
  components: Record<string, WidgetSurfaceComponent>
}
export const WidgetSurfaceSchema = /*@__PURE__*/ object<WidgetSurface>()({
  layout: open('string'),
  components: mapOf(WidgetSurfaceComponentSchema),
})

/** Field to set on a surface. Interface, "Widget Config". */
export interface WidgetComponentFieldInput {
  /** Source of the value. */
  value_type: ValueType
  /** Presentation of the value. */
  presentation_type: PresentationType
  /** Value, or a reference key to data. */
  value: string
  /** Field to show if the value is unavailable. */
  fallback?: WidgetComponentFieldInput
}
/** Accepts unknown values of the enumerations, so that a surface returned by a call can be sent back. */
export const WidgetComponentFieldInputSchema: Schema<WidgetComponentField> =
  /*@__PURE__*/ request<WidgetComponentField>()({
    value_type: open('string'),
    presentation_type: open('string'),
    value: string,
    get fallback() {
      return optional(WidgetComponentFieldInputSchema)
    },
  })

/** Component to set on a surface. Interface, "Widget Config". */
export interface WidgetSurfaceComponentInput {
  /** Fields by their names in the layout. */
  fields: Record<string, WidgetComponentFieldInput>
}
export const WidgetSurfaceComponentInputSchema = /*@__PURE__*/ request<WidgetSurfaceComponent>()({
  fields: mapOf(WidgetComponentFieldInputSchema),
})

/** Look to set for a widget in one place. Interface, "Widget Config". */
export interface WidgetSurfaceInput {
  /** Layout; must be one of the surface. */
  layout: LayoutDefinitionKey
  /** Components by their names in the layout. */
  components: Record<string, WidgetSurfaceComponentInput>
}
export const WidgetSurfaceInputSchema = /*@__PURE__*/ request<WidgetSurface>()({
  layout: open('string'),
  components: mapOf(WidgetSurfaceComponentInputSchema),
})
