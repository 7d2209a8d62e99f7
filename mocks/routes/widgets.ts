import type { GameWidget, GameWidgetData, ReplaceWidgetsParams, widgets } from '../../src/contract/widgets'
import { type Core, timestamp } from '../core'
import type { RoutesOf } from './route'

type WidgetInput = ReplaceWidgetsParams['widgets'][number]

export const widgetRoutes: RoutesOf<typeof widgets> = {
  replace({ core, params, caller: { user } }) {
    const before = new Map((core.db.widgets.get(user.id) ?? []).map((widget) => [widget.id, widget]))
    const after = params.widgets.map((input) => replaced(core, input, before))
    core.db.widgets.set(user.id, after)
    return structuredClone(after)
  },

  suggestedGames({ core, caller: { user } }) {
    return core.db.suggestedGames.get(user.id) ?? { suggested_games: [], suggested_wishlist_games: [] }
  },
}

/** A widget keeps its ID, and its time while it shows the same; an ID that is not the user's own gives way to a new one. */
function replaced(core: Core, input: WidgetInput, before: Map<string, GameWidget>): GameWidget {
  const { id } = input
  const data = input.data as GameWidgetData
  const existing = before.get(id ?? '')
  if (existing === undefined) return { id: core.random.snowflake(), updated_at: timestamp(core.clock.now()), data }
  before.delete(existing.id)
  const isSame = JSON.stringify(existing.data) === JSON.stringify(data)
  return { id: existing.id, updated_at: isSame ? existing.updated_at : timestamp(core.clock.now()), data }
}
