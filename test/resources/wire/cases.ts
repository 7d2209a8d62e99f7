import { accountCases, loginCases } from './account-cases'
import { profileCases, widgetConfigCases } from './profile-cases'
import type { WireCase } from './wire-case'

const user = { id: '101', username: 'grace', global_name: null }
const friend = {
  id: '101',
  type: 1,
  user,
  nickname: 'Amazing Grace',
  is_spam_request: false,
  stranger_request: false,
  user_ignored: false,
  origin_application_id: '200',
  since: '2026-05-01T10:00:00+00:00',
  has_played_game: true,
  note: 'From the chess club',
}
const request = { id: '102', type: 3, user: { id: '102' }, nickname: null, user_ignored: true }
const own = '/users/@me/relationships'
const games = '/users/@me/game-relationships'

// API, "J. Relationships" and "K. Game relationships and suggestions".
const relationshipCases: readonly WireCase[] = [
  {
    name: 'Get Relationships',
    send: (client) => client.relationships.list(),
    method: 'GET',
    url: own,
    authorization: true,
    response: [friend, request, { ...request, id: '103', origin_application_id: null }],
  },
  {
    name: 'Send Friend Request',
    send: (client) => client.relationships.sendRequest({ username: 'grace', discriminator: '0001', note: 'Hello' }),
    method: 'POST',
    url: own,
    body: { username: 'grace', discriminator: '0001', note: 'Hello' },
    authorization: true,
  },
  {
    name: 'Create Relationship',
    send: (client) => {
      const params = { from_friend_suggestion: true, confirm_stranger_request: true, note: 'Hello' }
      return client.relationships.create('101', { type: -1, ...params })
    },
    method: 'PUT',
    url: `${own}/101`,
    body: { type: -1, from_friend_suggestion: true, confirm_stranger_request: true, note: 'Hello' },
    authorization: true,
  },
  {
    name: 'Modify Relationship',
    send: (client) => client.relationships.update('101', { nickname: 'Amazing Grace' }),
    method: 'PATCH',
    url: `${own}/101`,
    body: { nickname: 'Amazing Grace' },
    authorization: true,
  },
  {
    name: 'Remove Relationship',
    send: (client) => client.relationships.delete('101'),
    method: 'DELETE',
    url: `${own}/101`,
    authorization: true,
  },
  {
    name: 'Ignore User',
    send: (client) => client.relationships.ignore('101'),
    method: 'PUT',
    url: `${own}/101/ignore`,
    authorization: true,
  },
  {
    name: 'Unignore User',
    send: (client) => client.relationships.unignore('101'),
    method: 'DELETE',
    url: `${own}/101/ignore`,
    authorization: true,
  },
  {
    name: 'Bulk Remove Relationships',
    send: (client) => client.relationships.deleteBulk({ relationship_type: 3, only_spam: true, filters: [1, 2] }),
    method: 'DELETE',
    url: `${own}?relationship_type=3&only_spam=true`,
    body: { filters: [1, 2] },
    authorization: true,
  },
  {
    name: 'Bulk Add Relationships',
    send: (client) => client.relationships.addBulk({ user_ids: ['101', '102'], token: 'contact-sync-token' }),
    method: 'POST',
    url: `${own}/bulk`,
    body: { user_ids: ['101', '102'], token: 'contact-sync-token' },
    authorization: true,
    response: { failed_requests: ['102'], successful_requests: ['101'] },
  },
  {
    name: 'Get Game Relationships',
    send: (client) => client.gameRelationships.list(),
    method: 'GET',
    url: games,
    authorization: true,
    response: [
      { id: '101', application_id: '200', type: 1, user, since: '2026-05-01', dm_access_type: 0, user_id: '100' },
      { id: '102', application_id: '200', type: 4, since: '2026-05-01', dm_access_type: 7, user_id: '100' },
    ],
  },
  {
    name: 'Send Game Friend Request',
    send: (client) => client.gameRelationships.sendRequest({ username: 'grace' }),
    method: 'POST',
    url: games,
    body: { username: 'grace' },
    authorization: true,
  },
  {
    name: 'Create Game Relationship',
    send: (client) => client.gameRelationships.create('101', { type: -1 }),
    method: 'PUT',
    url: `${games}/101`,
    body: { type: -1 },
    authorization: true,
  },
  {
    name: 'Create Game Relationship by Application',
    send: (client) => client.gameRelationships.createForApplication('101', '200', { type: 1 }),
    method: 'PUT',
    url: `${games}/101/200`,
    body: { type: 1 },
    authorization: true,
  },
  {
    name: 'Remove Game Relationship',
    send: (client) => client.gameRelationships.delete('101'),
    method: 'DELETE',
    url: `${games}/101`,
    authorization: true,
  },
  {
    name: 'Remove Game Relationship by Application',
    send: (client) => client.gameRelationships.deleteForApplication('101', '200'),
    method: 'DELETE',
    url: `${games}/101/200`,
    authorization: true,
  },
  {
    name: 'Get Friend Suggestions',
    send: (client) => client.friendSuggestions.list(),
    method: 'GET',
    url: '/friend-suggestions',
    authorization: true,
    response: [
      {
        suggested_user: user,
        reasons: [{ type: 1, platform: 'chess', name: 'grace_h' }],
        from_suggested_user_contacts: true,
      },
      { suggested_user: { id: '102' }, reasons: [] },
    ],
  },
  {
    name: 'Remove Friend Suggestion',
    send: (client) => client.friendSuggestions.delete('101'),
    method: 'DELETE',
    url: '/friend-suggestions/101',
    authorization: true,
  },
]

/** The 55 endpoints, each with all its optional fields. */
export const wireCases: readonly WireCase[] = [
  ...loginCases,
  ...accountCases,
  ...profileCases,
  ...widgetConfigCases,
  ...relationshipCases,
]
