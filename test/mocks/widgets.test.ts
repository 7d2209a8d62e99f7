import { describe, expect, it } from 'vitest'
import { problems, setUp, start } from './calls'

interface Widget {
  id: string
  updated_at: string
  data: Record<string, unknown>
}
const games = (count: number) => Array.from({ length: count }, (_, index) => ({ game_id: String(index) }))

function withWidgets() {
  const { as, ada, ...rest } = setUp()
  const mine = as(ada)
  const put = (...widgets: unknown[]) => mine<Widget[]>('PUT /users/@me/widgets', { widgets })
  const codes = async (...widgets: unknown[]) => problems((await put(...widgets)).body)
  return { put, codes, mine, ada, ...rest }
}

describe('Modify Game Widgets', () => {
  it('answers the widgets that are now on the profile, with IDs and times', async () => {
    const { put } = withWidgets()
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

  it('replaces all widgets; those sent back keep their IDs, and their times while unchanged', async () => {
    const { put, service } = withWidgets()
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

  it('gives a new ID where one is not the user’s own', async () => {
    const { put } = withWidgets()
    const { body } = await put({ id: '42', data: { type: 'played_games', games: [] } })
    expect(body[0]?.id).not.toBe('42')
  })

  it.each([
    ['favorite_games', 1],
    ['current_games', 5],
    ['played_games', 20],
    ['want_to_play_games', 20],
  ])('takes on %s up to %i games', async (type, max) => {
    const { codes } = withWidgets()
    expect(await codes({ data: { type, games: games(max) } })).toEqual([])
    expect(await codes({ data: { type, games: games(max + 1) } })).toEqual(['widgets.0.data.games: TOO_MANY'])
  })

  it('takes one widget of a type', async () => {
    const { codes } = withWidgets()
    const widget = { data: { type: 'played_games', games: [] } }
    expect(await codes(widget, widget)).toEqual(['widgets.1.data.type: CONFLICT'])
  })

  it('takes one tag of the skill group a game, and documented tags alone', async () => {
    const { codes } = withWidgets()
    const tagged = (tags: string[]) => ({ data: { type: 'favorite_games', games: [{ game_id: '1', tags }] } })
    expect(await codes(tagged(['noob', 'obsessed', 'too_easy']))).toEqual([])
    expect(await codes(tagged(['noob', 'expert']))).toEqual(['widgets.0.data.games.0.tags: CONFLICT'])
    expect(await codes(tagged(['wizard']))).toEqual(['widgets.0.data.games.0.tags.0: INVALID_VALUE'])
  })

  it('takes games and application_id each only where they belong', async () => {
    const { codes } = withWidgets()
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

describe('Get Suggested Games', () => {
  it('answers empty lists, or what the test suggested', async () => {
    const { mine, service, ada } = withWidgets()
    const path = 'GET /users/@me/widgets/suggested-games' as const
    expect((await mine(path)).body).toEqual({ suggested_games: [], suggested_wishlist_games: [] })
    service.users.suggestGames(ada, { games: ['1'], wishlist: ['2', '3'] })
    expect((await mine(path)).body).toEqual({ suggested_games: ['1'], suggested_wishlist_games: ['2', '3'] })
  })
})
