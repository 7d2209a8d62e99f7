import type { ProfileDataInput, ReplaceWidgetsParams } from 'rapport-sdk'
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
