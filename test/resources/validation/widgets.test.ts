import { describe, expect, test } from 'vitest'
import { issuesOf, sentBody, validationErrorOf } from './param-table'

const call = 'client.widgets.replace'
const games = (count: number) => Array.from({ length: count }, (_, index) => ({ game_id: String(1001 + index) }))
const widget = (data: unknown, rest: object = {}) => ({ widgets: [{ ...rest, data }] })
const tagged = (...tags: unknown[]) => widget({ type: 'played_games', games: [{ game_id: '1001', tags }] })

// API, "Game Widget" and "Limits".
describe.each([
  ['favorite_games', 1],
  ['played_games', 20],
  ['current_games', 5],
  ['want_to_play_games', 20],
])('a %s widget', (type, max) => {
  test.each([0, 1, max])('accepts %i games', async (count) => {
    const params = widget({ type, games: games(count) })
    expect(await sentBody(call, params)).toEqual(params)
  })

  test('needs no games', async () => {
    expect(await sentBody(call, widget({ type }))).toEqual(widget({ type }))
  })

  test(`rejects more than ${max} games`, async () => {
    const params = widget({ type, games: games(max + 1) })
    expect(await issuesOf(call, params)).toEqual([`widgets.0.data.games: too_many, limit ${max}, actual ${max + 1}`])
    expect((await validationErrorOf(call, params)).message).toContain(`at most ${max} on a ${type} widget`)
  })

  test('rejects an application', async () => {
    const params = widget({ type, games: games(1), application_id: '200' })
    expect(await issuesOf(call, params)).toEqual(['widgets.0.data.application_id: conflict'])
  })
})

test('an application widget accepts an application', async () => {
  const params = widget({ type: 'application', application_id: '200' })
  expect(await sentBody(call, params)).toEqual(params)
})

test('an application widget rejects games', async () => {
  const params = widget({ type: 'application', application_id: '200', games: games(1) })
  expect(await issuesOf(call, params)).toEqual(['widgets.0.data.games: conflict'])
})

test('an application widget accepts an empty array of games, which the service may return', async () => {
  const params = widget({ type: 'application', application_id: '200', games: [] })
  expect(await sentBody(call, params)).toEqual(params)
})

describe('replace() of widgets', () => {
  const one = (type: string) => ({ data: { type } })
  const all = ['favorite_games', 'played_games', 'current_games', 'want_to_play_games', 'application'].map(one)

  test('accepts one widget of each type, or none', async () => {
    expect(await sentBody(call, { widgets: all })).toEqual({ widgets: all })
    expect(await sentBody(call, { widgets: [] })).toEqual({ widgets: [] })
  })

  test('reports each second widget of a type', async () => {
    const duplicates = ['application', 'played_games', 'application'].map(one)
    expect(await issuesOf(call, { widgets: [...all, ...duplicates] })).toEqual([
      'widgets.5.data.type: conflict, limit 1',
      'widgets.6.data.type: conflict, limit 1',
      'widgets.7.data.type: conflict, limit 1',
    ])
  })

  test('reports a second widget of a type together with invalid widgets', async () => {
    const params = [null, one('played_games'), {}, { data: {} }, { data: {} }, one('toString'), one('played_games')]
    expect((await issuesOf(call, { widgets: params })).sort()).toEqual([
      'widgets.0: invalid_type, actual null',
      'widgets.2.data: required',
      'widgets.3.data.type: required',
      'widgets.4.data.type: required',
      'widgets.5.data.type: invalid_value, actual "toString"',
      'widgets.6.data.type: conflict, limit 1',
    ])
  })

  test('accepts a returned widget', async () => {
    const params = widget({ type: 'current_games', games: games(2) }, { id: '401', updated_at: '2026-05-01T10:00:00Z' })
    expect(await sentBody(call, params)).toEqual(params)
  })

  test('rejects an unknown type', async () => {
    for (const rest of [{}, { games: games(21) }, { application_id: '200' }]) {
      expect(await issuesOf(call, widget({ type: 'lost_games', ...rest }))).toEqual([
        'widgets.0.data.type: invalid_value, actual "lost_games"',
      ])
    }
  })
})

const SKILLS = ['noob', 'learning_the_ropes', 'casual', 'getting_good', 'intermediate', 'expert', 'better_than_you']
const OTHER_TAGS = `obsessed love_it kind_of_love_it kind_of_hate_it rage_quitting like_it frustrated too_easy
  looking_for_group open_to_play looking_for_tips open_to_teach looking_to_discuss`.split(/\s+/)

describe('the tags of a game', () => {
  test.each(SKILLS)('can be the skill %s and all those that are not skills', async (skill) => {
    expect(await sentBody(call, tagged(skill, ...OTHER_TAGS))).toEqual(tagged(skill, ...OTHER_TAGS))
  })

  test.each(SKILLS)('a game cannot have %s and another skill', async (skill) => {
    const other = skill === 'noob' ? 'expert' : 'noob'
    expect(await issuesOf(call, tagged('obsessed', skill, other))).toEqual([
      'widgets.0.data.games.0.tags: conflict, limit 1, actual 2',
    ])
  })

  test('each game of a widget can have a skill', async () => {
    const each = ['1001', '1002'].map((game_id) => ({ game_id, tags: ['expert'] }))
    const params = widget({ type: 'current_games', games: each })
    expect(await sentBody(call, params)).toEqual(params)
  })

  test.each(['toString', 'constructor', '__proto__'])('cannot be named %s', async (tag) => {
    expect(await issuesOf(call, tagged(tag, 'expert'))).toEqual([
      `widgets.0.data.games.0.tags.0: invalid_value, actual "${tag}"`,
    ])
  })
})

test('replace() reports all problems of every level at once', async () => {
  const params = {
    extra: 1,
    widgets: [
      { extra: 1, id: 5, updated_at: null, data: { extra: 1, type: 'played_games', games: [{ extra: 1, tags: 'x' }] } },
      { data: { type: 'favorite_games', games: [...games(1), { game_id: null, comment: 5, tags: [null] }] } },
      { data: null },
      null,
      {},
    ],
  }
  expect((await issuesOf(call, params)).sort()).toEqual(
    [
      'extra: unknown_field',
      'widgets.0.extra: unknown_field',
      'widgets.0.id: invalid_type, actual 5',
      'widgets.0.updated_at: invalid_type, actual null',
      'widgets.0.data.extra: unknown_field',
      'widgets.0.data.games.0.extra: unknown_field',
      'widgets.0.data.games.0.game_id: required',
      'widgets.0.data.games.0.tags: invalid_type, actual "x"',
      'widgets.1.data.games: too_many, limit 1, actual 2',
      'widgets.1.data.games.1.game_id: invalid_type, actual null',
      'widgets.1.data.games.1.comment: invalid_type, actual 5',
      'widgets.1.data.games.1.tags.0: invalid_value, actual null',
      'widgets.2.data: invalid_type, actual null',
      'widgets.3: invalid_type, actual null',
      'widgets.4.data: required',
    ].sort(),
  )
})
