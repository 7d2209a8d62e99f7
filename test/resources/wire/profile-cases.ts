import type { ProfileDataInput, ReplaceWidgetsParams, WidgetSurfaceInput } from 'rapport-sdk'
import type { WireCase } from './wire-case'

const replacement: ReplaceWidgetsParams = {
  widgets: [
    {
      id: '401',
      updated_at: '2026-05-01T10:00:00+00:00',
      data: {
        type: 'favorite_games',
        games: [{ game_id: '1001', comment: 'Since 2009', tags: ['expert', 'obsessed'] }],
      },
    },
    { data: { type: 'current_games', games: [{ game_id: '1002', comment: null }] } },
    { data: { type: 'application', application_id: '200' } },
  ],
}

const media = {
  url: 'https://cdn.example/hero.png',
  id: '900',
  proxy_url: 'https://proxy.example/hero.png',
  height: 64,
  width: null,
  flags: 0,
  content_type: 'image/png',
  content_scan_metadata: { version: 1 },
  placeholder_version: 1,
  placeholder: 'thumbhash',
  loading_state: 2,
  attachment_id: '901',
}

const figures = {
  season: 'Season 4',
  rank_name: 'Gold',
  highest_rank: 'Diamond',
  featured_played_character: 'Lyra',
  playtime_hours: 12.5,
  total_wins: 1,
  current_period_wins: 2,
  total_games: 3,
  current_period_games: 4,
  total_kills: 5,
  current_period_kills: 6,
  total_assists: 7,
  current_period_assists: 8,
  total_deaths: 9,
  current_period_deaths: 10,
  server_name: 'EU 1',
  user_id: 'in-game 7',
  union_level: '40',
  total_resonators: 11,
  total_achievements: 12,
  total_echoes: 13,
  login_days: 14,
  data_bank_level: '20',
}

const sentData: ProfileDataInput = {
  primary: { ...figures, featured_played_character_image: { url: 'attachment://hero.png' } },
  dynamic: [
    { name: 'Motto', type: 1, value: 'Onwards' },
    { name: 'Streak', type: 2, value: 7 },
    { name: 'Badge', type: 3, value: { url: 'https://cdn.example/badge.png' } },
  ],
}

const profile = {
  username: 'Player 7',
  metadata: '{"guild":"Foxes"}',
  data: {
    primary: { ...figures, featured_played_character_image: media },
    dynamic: [
      { name: 'Motto', type: 1, value: 'Onwards' },
      { name: 'Streak', type: 2, value: 7 },
      { name: 'Badge', type: 3, value: media },
    ],
  },
  data_trusted: true,
  connection_visible: true,
}
const emptyProfile = { username: null, metadata: null, connection_visible: false }
const profileUrl = '/applications/200/users/100/identities/player%2F7/profile'

// API, "H. Profile widgets and application identities".
export const profileCases: readonly WireCase[] = [
  {
    name: 'Modify Game Widgets',
    send: (client) => client.widgets.replace(replacement),
    method: 'PUT',
    url: '/users/@me/widgets',
    body: replacement,
    authorization: true,
    response: [
      {
        id: '401',
        updated_at: '2026-05-02T10:00:00+00:00',
        data: { type: 'favorite_games', games: [{ game_id: '1001', comment: 'Since 2009', tags: ['expert'] }] },
      },
      {
        id: '402',
        updated_at: '2026-05-02T10:00:00+00:00',
        data: { type: 'current_games', games: [{ game_id: '1002', comment: null }] },
      },
      { id: '403', updated_at: '2026-05-02T10:00:00+00:00', data: { type: 'application', application_id: '200' } },
    ],
  },
  {
    name: 'Get Suggested Games',
    send: (client) => client.widgets.suggestedGames(),
    method: 'GET',
    url: '/users/@me/widgets/suggested-games',
    authorization: true,
    response: { suggested_games: ['1001', '1002'], suggested_wishlist_games: [] },
  },
  {
    name: 'List Bulk Application Identities',
    send: (client) => client.identities.listBulk({ user_ids: ['100', 'not a snowflake'] }),
    method: 'POST',
    url: '/application-identities',
    body: { user_ids: ['100', 'not a snowflake'] },
    authorization: true,
    response: [{ user_id: '100', external_user_id: 'player/7' }],
  },
  {
    name: 'Get User Application Profile',
    send: (client) => client.identities.getProfile('200', '100', 'player/7'),
    method: 'GET',
    url: profileUrl,
    authorization: true,
    response: profile,
  },
  {
    name: 'Modify User Application Profile',
    send: (client) => {
      const params = { username: 'Player 7', metadata: { guild: 'Foxes', level: 7, tags: ['a'] }, data: sentData }
      return client.identities.updateProfile('200', '100', 'player/7', params)
    },
    method: 'PATCH',
    url: profileUrl,
    body: {
      username: 'Player 7',
      metadata: { guild: 'Foxes', level: 7, tags: ['a'] },
      data: {
        primary: { ...figures, featured_played_character_image: { url: 'attachment://hero.png' } },
        dynamic: [
          { name: 'Motto', type: 1, value: 'Onwards' },
          { name: 'Streak', type: 2, value: 7 },
          { name: 'Badge', type: 3, value: { url: 'https://cdn.example/badge.png' } },
        ],
      },
    },
    authorization: true,
    response: profile,
  },
  {
    name: 'Get User Application Identities',
    send: (client) => client.identities.list('100', { with_profiles: true }),
    method: 'GET',
    url: '/users/100/application-identities?with_profiles=true',
    authorization: true,
    response: {
      identities: [
        { application_id: '200', provider_issued_user_id: 'player/7', profile, profiles: [profile, emptyProfile] },
        { application_id: '201', provider_issued_user_id: 'p8' },
      ],
    },
  },
  {
    name: 'Modify User Application Profile Config',
    send: (client) => client.identities.updateConfig('200', 'player/7', { connection_visible: 'true' }),
    method: 'PATCH',
    url: '/users/@me/application-identities/200/player%2F7/config',
    body: { connection_visible: 'true' },
    authorization: true,
  },
]

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
