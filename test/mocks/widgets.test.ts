import { describe, expect, it, test } from 'vitest'
import { problems, setUp, start } from './set-up'

interface Widget {
  id: string
  updated_at: string
  data: Record<string, unknown>
}
const games = (count: number) => Array.from({ length: count }, (_, index) => ({ game_id: String(index) }))

function setUpWidgets() {
  const { as, ada, ...rest } = setUp()
  const asAda = as(ada)
  const put = (...widgets: unknown[]) => asAda<Widget[]>('PUT /users/@me/widgets', { widgets })
  const codes = async (...widgets: unknown[]) => problems((await put(...widgets)).body)
  return { put, codes, asAda, ada, ...rest }
}

describe('Modify Game Widgets', () => {
  it('returns the new widgets with IDs and times', async () => {
    const { put } = setUpWidgets()
    const game = { game_id: '1', comment: 'Again!', tags: ['expert', 'love_it'] }
    const { status, body } = await put(
      { data: { type: 'favorite_games', games: [game] } },
      { data: { type: 'application', application_id: '2' } },
    )
    expect(status).toBe(200)
    expect(body).toEqual([
      { id: expect.any(String), updated_at: start, data: { type: 'favorite_games', games: [game] } },
      { id: expect.any(String), updated_at: start, data: { type: 'application', application_id: '2' } },
    ])
  })

  it('replaces all widgets and keeps the IDs of those sent back, and their times if unchanged', async () => {
    const { put, service } = setUpWidgets()
    const [favorite, played] = (
      await put({ data: { type: 'favorite_games', games: games(1) } }, { data: { type: 'played_games', games: [] } })
    ).body
    service.clock.advance('1m')
    const later = '2026-01-01T00:01:00.000Z'
    const changed = { ...played, updated_at: 'ignored', data: { type: 'played_games', games: games(2) } }
    const { body } = await put(changed, favorite, { data: { type: 'current_games', games: [] } })
    expect(body).toEqual([
      { ...changed, updated_at: later },
      favorite,
      { id: expect.any(String), updated_at: later, data: { type: 'current_games', games: [] } },
    ])
    expect((await put()).body).toEqual([])
  })

  it('gives a widget with an unknown ID a new one', async () => {
    const { put } = setUpWidgets()
    const { body } = await put({ id: '42', data: { type: 'played_games', games: [] } })
    expect(body[0]?.id).not.toBe('42')
  })

  it.each([
    ['favorite_games', 1],
    ['current_games', 5],
    ['played_games', 20],
    ['want_to_play_games', 20],
  ])('accepts a widget of %s with up to %i games', async (type, max) => {
    const { codes } = setUpWidgets()
    expect(await codes({ data: { type, games: games(max) } })).toEqual([])
    expect(await codes({ data: { type, games: games(max + 1) } })).toEqual(['widgets.0.data.games: TOO_MANY'])
  })

  it('accepts one widget of each type', async () => {
    const { codes } = setUpWidgets()
    const widget = { data: { type: 'played_games', games: [] } }
    expect(await codes(widget, widget)).toEqual(['widgets.1.data.type: CONFLICT'])
  })

  it('a game accepts documented tags, and one of the skill group', async () => {
    const { codes } = setUpWidgets()
    const tagged = (tags: string[]) => ({ data: { type: 'favorite_games', games: [{ game_id: '1', tags }] } })
    expect(await codes(tagged(['noob', 'obsessed', 'too_easy']))).toEqual([])
    expect(await codes(tagged(['noob', 'expert']))).toEqual(['widgets.0.data.games.0.tags: CONFLICT'])
    expect(await codes(tagged(['wizard']))).toEqual(['widgets.0.data.games.0.tags.0: INVALID_VALUE'])
  })

  it('accepts games and application_id only for the widget types that have them', async () => {
    const { codes } = setUpWidgets()
    expect(await codes({ data: { type: 'application', games: [] } })).toEqual([])
    expect(await codes({ data: { type: 'application', games: [{ game_id: '1' }] } })).toEqual([
      'widgets.0.data.games: CONFLICT',
    ])
    expect(await codes({ data: { type: 'played_games', application_id: '1' } })).toEqual([
      'widgets.0.data.application_id: CONFLICT',
    ])
    expect(await codes({ data: { type: 'solitaire' } })).toEqual(['widgets.0.data.type: INVALID_VALUE'])
  })
})

test('Get Suggested Games returns empty arrays or the games that a test suggested', async () => {
  const { asAda, service, ada } = setUpWidgets()
  const path = 'GET /users/@me/widgets/suggested-games' as const
  expect((await asAda(path)).body).toEqual({ suggested_games: [], suggested_wishlist_games: [] })
  service.users.suggestGames(ada, { games: ['1'], wishlist: ['2', '3'] })
  expect((await asAda(path)).body).toEqual({ suggested_games: ['1'], suggested_wishlist_games: ['2', '3'] })
})
