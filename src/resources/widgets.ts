import { type GameWidget, type ReplaceWidgetsParams, type SuggestedGames, widgets } from '../contract/widgets'
import { bindMembers } from '../internal/bind-members'
import type { ApiPromise } from '../transport/call'
import type { Transport } from '../transport/transport'
import type { RequestOptions } from '../types/options'

/** Game widgets on the current user's profile. API, "H. Profile widgets and application identities". */
export class Widgets {
  readonly #transport: Transport

  /** @internal */
  constructor(transport: Transport) {
    this.#transport = transport
    bindMembers(this)
  }

  /**
   * Replaces all widgets of the profile. Widgets returned by a call are also accepted. API, "H. Profile widgets
   * and application identities".
   *
   * @returns New widgets of the profile.
   * @throws RequestValidationError if there are several widgets of one type, more games than the type allows, several
   * skill tags on one game, or fields that the type does not have.
   *
   * @example
   * import { GameWidgetTag } from 'rapport-sdk'
   *
   * const widgets = await client.widgets.replace({
   *   widgets: [{ data: { type: 'favorite_games', games: [{ game_id: '1001', tags: [GameWidgetTag.obsessed] }] } }],
   * })
   * console.log(widgets.length)
   */
  replace(params: ReplaceWidgetsParams, options?: RequestOptions): ApiPromise<GameWidget[]> {
    return this.#transport.send(widgets.replace, options, params)
  }

  /** Returns games to suggest for widgets. API, "H. Profile widgets and application identities". */
  suggestedGames(options?: RequestOptions): ApiPromise<SuggestedGames> {
    return this.#transport.send(widgets.suggestedGames, options)
  }
}
