import { mapOf, type Open, object, open, optional, request, type Schema, string, type ValueOf } from './schema'

/** Where a widget is shown. Interface, "Widget Config". */
export const SurfaceType = {
  widget_top: 'widget_top',
  widget_bottom: 'widget_bottom',
  add_widget_preview: 'add_widget_preview',
  mini_profile: 'mini_profile',
  activity_accessory: 'activity_accessory',
} as const
/** One of {@link SurfaceType}. */
export type SurfaceType = ValueOf<typeof SurfaceType>

/** Where a field's value comes from. Interface, "Widget Config". */
export const ValueType = {
  /** The user's profile identity data. */
  data: 'data',
  /** The text given. */
  custom_string: 'custom_string',
  /** An asset among the resolved assets. */
  application_asset: 'application_asset',
  /** The document gives it no meaning. */
  application_localized_string: 'application_localized_string',
} as const
/** One of {@link ValueType}. */
export type ValueType = ValueOf<typeof ValueType>

/** How a field's value is shown. Interface, "Widget Config". */
export const PresentationType = {
  image: 'image',
  number: 'number',
  text: 'text',
  duration: 'duration',
} as const
/** One of {@link PresentationType}. */
export type PresentationType = ValueOf<typeof PresentationType>

/** The layouts of surfaces. Interface, "Widget Config". */
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

/** A value on a surface. Interface, "Widget Config". */
export interface WidgetComponentField {
  /** Where the value comes from. */
  value_type: Open<ValueType>
  /** How the value is shown. */
  presentation_type: Open<PresentationType>
  /** The value, or a reference key to data. */
  value: string
  /** What to show when the value is unavailable. */
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

/** A part of a surface. Interface, "Widget Config". */
export interface WidgetSurfaceComponent {
  /** Its values, by the names that the layout gives them. */
  fields: Record<string, WidgetComponentField>
}
export const WidgetSurfaceComponentSchema = /*@__PURE__*/ object<WidgetSurfaceComponent>()({
  fields: mapOf(WidgetComponentFieldSchema),
})

/** How a widget looks in one place. Interface, "Widget Config". */
export interface WidgetSurface {
  /** The layout, one that belongs to the surface. */
  layout: Open<LayoutDefinitionKey>
  /** Its parts, by the names that the layout gives them. */
  components: Record<string, WidgetSurfaceComponent>
}
export const WidgetSurfaceSchema = /*@__PURE__*/ object<WidgetSurface>()({
  layout: open('string'),
  components: mapOf(WidgetSurfaceComponentSchema),
})

/** A value to put on a surface. Interface, "Widget Config". */
export interface WidgetComponentFieldInput {
  /** Where the value comes from. */
  value_type: ValueType
  /** How the value is shown. */
  presentation_type: PresentationType
  /** The value, or a reference key to data. */
  value: string
  /** What to show when the value is unavailable. */
  fallback?: WidgetComponentFieldInput
}
/** Values of the enumerations may be ones that this package does not know: a surface that a call returned may be sent back. */
export const WidgetComponentFieldInputSchema: Schema<WidgetComponentField> =
  /*@__PURE__*/ request<WidgetComponentField>()({
    value_type: open('string'),
    presentation_type: open('string'),
    value: string,
    get fallback() {
      return optional(WidgetComponentFieldInputSchema)
    },
  })

/** A part of a surface to be. Interface, "Widget Config". */
export interface WidgetSurfaceComponentInput {
  /** Its values, by the names that the layout gives them. */
  fields: Record<string, WidgetComponentFieldInput>
}
export const WidgetSurfaceComponentInputSchema = /*@__PURE__*/ request<WidgetSurfaceComponent>()({
  fields: mapOf(WidgetComponentFieldInputSchema),
})

/** How a widget is to look in one place. Interface, "Widget Config". */
export interface WidgetSurfaceInput {
  /** The layout, one that belongs to the surface. */
  layout: LayoutDefinitionKey
  /** Its parts, by the names that the layout gives them. */
  components: Record<string, WidgetSurfaceComponentInput>
}
export const WidgetSurfaceInputSchema = /*@__PURE__*/ request<WidgetSurface>()({
  layout: open('string'),
  components: mapOf(WidgetSurfaceComponentInputSchema),
})
