import type { WidgetSurfaceInput } from 'rapport-sdk'
import type { WireCase } from './wire-case'

const hero: WidgetSurfaceInput = {
  layout: 'widget_top_hero',
  components: {
    title: {
      fields: {
        text: {
          value_type: 'data',
          presentation_type: 'text',
          value: 'primary.rank_name',
          fallback: {
            value_type: 'application_localized_string',
            presentation_type: 'text',
            value: 'rank',
            fallback: { value_type: 'custom_string', presentation_type: 'text', value: 'No rank yet' },
          },
        },
        picture: { value_type: 'application_asset', presentation_type: 'image', value: '800' },
      },
    },
  },
}
const stat: WidgetSurfaceInput = {
  layout: 'mini_profile_hero_stat',
  components: {
    time: {
      fields: { played: { value_type: 'data', presentation_type: 'duration', value: 'primary.playtime_hours' } },
    },
  },
}
const surfaces = { widget_top: hero, mini_profile: stat }

const draft = {
  application_id: '200',
  config_id: '500',
  display_name: 'Season 4',
  surfaces,
  status: 'draft',
  resolved_assets: [{ id: '800', name: 'hero', size: 12 }],
  published_at: null,
  updated_at: '2026-05-01T10:00:00+00:00',
}
const published = { ...draft, status: 'published', published_at: '2026-05-02T10:00:00+00:00' }

const layout = {
  surface: 'widget_top',
  components: {
    title: {
      display_name: 'Title',
      required: true,
      fields: { text: { display_name: 'Text', required: true, allowed_presentation_types: ['text', 'number'] } },
    },
  },
  key: 'widget_top_hero',
  display_name: 'Hero',
}

const base = '/applications/200/widget-configs'

// API, "I. Widget configs".
export const widgetConfigCases: readonly WireCase[] = [
  {
    name: 'Get Featured Widget Configs',
    send: (client) => client.widgetConfigs.featured(),
    method: 'GET',
    url: '/widget-configs/featured',
    authorization: true,
    response: { application_ids: ['200'], configs: { '200': [published] } },
  },
  {
    name: 'Get Developer Widget Configs',
    send: (client) => client.widgetConfigs.developer(),
    method: 'GET',
    url: '/widget-configs/developer',
    authorization: true,
    response: { configs: { '200': [draft, published], '201': [] } },
  },
  {
    name: 'Get Layout Definitions',
    send: (client) => client.widgetConfigs.layoutDefinitions(),
    method: 'GET',
    url: '/widget-configs/layout-definitions',
    authorization: true,
    response: { widget_top_hero: layout, something_else: [1, 'two', null] },
  },
  {
    name: 'Get Application Widget Configs',
    send: (client) => client.widgetConfigs.list('200'),
    method: 'GET',
    url: base,
    authorization: true,
    response: [draft, published],
  },
  {
    name: 'Create Application Widget Config',
    send: (client) => client.widgetConfigs.create('200', { display_name: 'Season 4', surfaces }),
    method: 'POST',
    url: base,
    body: { display_name: 'Season 4', surfaces: { widget_top: hero, mini_profile: stat } },
    authorization: true,
    response: draft,
  },
  {
    name: 'Modify Application Widget Config',
    send: (client) => client.widgetConfigs.update('200', '500', { display_name: 'Season 5', surfaces }),
    method: 'PATCH',
    url: `${base}/500`,
    body: { display_name: 'Season 5', surfaces: { widget_top: hero, mini_profile: stat } },
    authorization: true,
    response: { ...draft, display_name: 'Season 5' },
  },
  {
    name: 'Delete Application Widget Config',
    send: (client) => client.widgetConfigs.delete('200', '500'),
    method: 'DELETE',
    url: `${base}/500`,
    authorization: true,
  },
  {
    name: 'Publish Application Widget Config',
    send: (client) => client.widgetConfigs.publish('200', '500'),
    method: 'POST',
    url: `${base}/500/publish`,
    authorization: true,
    response: published,
  },
  {
    name: 'Unpublish Application Widget Config',
    send: (client) => client.widgetConfigs.unpublish('200', '500'),
    method: 'POST',
    url: `${base}/500/unpublish`,
    authorization: true,
    response: draft,
  },
]
