import { describe, expect, test } from 'vitest'
import { problems, refusal, sentBody } from './refusal'

const call = 'client.widgets.replace'
const games = (count: number) => Array.from({ length: count }, (_, index) => ({ game_id: String(1001 + index) }))
const widget = (data: unknown, rest: object = {}) => ({ widgets: [{ ...rest, data }] })
const tagged = (...tags: unknown[]) => widget({ type: 'played_games', games: [{ game_id: '1001', tags }] })

// Interface, "Game Widget" and "Limits".
describe.each([
  ['favorite_games', 1],
  ['played_games', 20],
  ['current_games', 5],
  ['want_to_play_games', 20],
])('a %s widget', (type, max) => {
  test.each([0, 1, max])('holds %i games', async (count) => {
    const given = widget({ type, games: games(count) })
    expect(await sentBody(call, given)).toEqual(given)
  })

  test('needs no list of games', async () => {
    expect(await sentBody(call, widget({ type }))).toEqual(widget({ type }))
  })

  test(`holds no more than ${max} games`, async () => {
    const given = widget({ type, games: games(max + 1) })
    expect(await problems(call, given)).toEqual([`widgets.0.data.games: too_many, limit ${max}, actual ${max + 1}`])
    expect((await refusal(call, given)).message).toContain(`at most ${max} on a ${type} widget`)
  })

  test('has no application', async () => {
    const given = widget({ type, games: games(1), application_id: '200' })
    expect(await problems(call, given)).toEqual(['widgets.0.data.application_id: conflict'])
  })
})

test('an application widget has an application', async () => {
  const given = widget({ type: 'application', application_id: '200' })
  expect(await sentBody(call, given)).toEqual(given)
})

test('an application widget has no games', async () => {
  const given = widget({ type: 'application', application_id: '200', games: games(1) })
  expect(await problems(call, given)).toEqual(['widgets.0.data.games: conflict'])
})

test('an application widget may have an empty list of games, as the service may return it', async () => {
  const given = widget({ type: 'application', application_id: '200', games: [] })
  expect(await sentBody(call, given)).toEqual(given)
})

describe('widgets', () => {
  const one = (type: string) => ({ data: { type } })
  const all = ['favorite_games', 'played_games', 'current_games', 'want_to_play_games', 'application'].map(one)

  test('come one of each type, or none', async () => {
    expect(await sentBody(call, { widgets: all })).toEqual({ widgets: all })
    expect(await sentBody(call, { widgets: [] })).toEqual({ widgets: [] })
  })

  test('come no two of a type, and each that is too many is told', async () => {
    const again = ['application', 'played_games', 'application'].map(one)
    expect(await problems(call, { widgets: [...all, ...again] })).toEqual([
      'widgets.5.data.type: conflict, limit 1',
      'widgets.6.data.type: conflict, limit 1',
      'widgets.7.data.type: conflict, limit 1',
    ])
  })

  test('that are two of a type are told beside others that are none', async () => {
    const given = [null, one('played_games'), {}, { data: {} }, { data: {} }, one('toString'), one('played_games')]
    expect((await problems(call, { widgets: given })).sort()).toEqual([
      'widgets.0: invalid_type, actual null',
      'widgets.2.data: required',
      'widgets.3.data.type: required',
      'widgets.4.data.type: required',
      'widgets.5.data.type: invalid_value, actual "toString"',
      'widgets.6.data.type: conflict, limit 1',
    ])
  })

  test('may be sent back as they were answered', async () => {
    const given = widget({ type: 'current_games', games: games(2) }, { id: '401', updated_at: '2026-05-01T10:00:00Z' })
    expect(await sentBody(call, given)).toEqual(given)
  })

  test('of a type that the document does not name are refused', async () => {
    for (const rest of [{}, { games: games(21) }, { application_id: '200' }]) {
      expect(await problems(call, widget({ type: 'lost_games', ...rest }))).toEqual([
        'widgets.0.data.type: invalid_value, actual "lost_games"',
      ])
    }
  })
})

const SKILLS = ['noob', 'learning_the_ropes', 'casual', 'getting_good', 'intermediate', 'expert', 'better_than_you']
const OTHERS = `obsessed love_it kind_of_love_it kind_of_hate_it rage_quitting like_it frustrated too_easy
  looking_for_group open_to_play looking_for_tips open_to_teach looking_to_discuss`.split(/\s+/)

describe('tags of a game', () => {
  test.each(SKILLS)('may have %s beside all that are no skill', async (skill) => {
    expect(await sentBody(call, tagged(skill, ...OTHERS))).toEqual(tagged(skill, ...OTHERS))
  })

  test.each(SKILLS)('may not have %s beside another skill', async (skill) => {
    const other = skill === 'noob' ? 'expert' : 'noob'
    expect(await problems(call, tagged('obsessed', skill, other))).toEqual([
      'widgets.0.data.games.0.tags: conflict, limit 1, actual 2',
    ])
  })

  test('have one skill for each game, not for the widget', async () => {
    const each = ['1001', '1002'].map((game_id) => ({ game_id, tags: ['expert'] }))
    const given = widget({ type: 'current_games', games: each })
    expect(await sentBody(call, given)).toEqual(given)
  })

  test.each(['toString', 'constructor', '__proto__'])('have no skill by the name of %s', async (tag) => {
    expect(await problems(call, tagged(tag, 'expert'))).toEqual([
      `widgets.0.data.games.0.tags.0: invalid_value, actual "${tag}"`,
    ])
  })
})

test('every level refuses what it does not know, and all of it is told at once', async () => {
  const given = {
    extra: 1,
    widgets: [
      { extra: 1, id: 5, updated_at: null, data: { extra: 1, type: 'played_games', games: [{ extra: 1, tags: 'x' }] } },
      { data: { type: 'favorite_games', games: [...games(1), { game_id: null, comment: 5, tags: [null] }] } },
      { data: null },
      null,
      {},
    ],
  }
  expect((await problems(call, given)).sort()).toEqual(
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
      'widgets.2.data: invalid_type, actual "[redacted]"',
      'widgets.3: invalid_type, actual null',
      'widgets.4.data: required',
    ].sort(),
  )
})
