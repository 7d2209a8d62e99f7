import { checkLength, type Violation } from '../internal/issue'
import { readField } from '../internal/json'
import { endpoint } from './endpoint'
import type { Immutable, Open, Schema, ValueOf } from './schema'
import * as s from './schema'

/** Types of game widgets. API, "Game Widget". */
export const GameWidgetType = {
  /** Favourite game: a detailed widget of at most 1 game. */
  favorite_games: 'favorite_games',
  /** Games the user likes, at most 20. */
  played_games: 'played_games',
  /** Games in rotation: a detailed widget of at most 5 games. */
  current_games: 'current_games',
  /** Games the user wants to play, at most 20. */
  want_to_play_games: 'want_to_play_games',
  /** Details of one specific game. */
  application: 'application',
} as const
/** One of {@link GameWidgetType}. */
export type GameWidgetType = ValueOf<typeof GameWidgetType>

/** Maximum number of games per widget type; an application widget has no games. API, "Limits". */
export const GAME_WIDGET_MAX_GAMES = {
  favorite_games: 1,
  played_games: 20,
  current_games: 5,
  want_to_play_games: 20,
  application: 0,
} as const satisfies Record<GameWidgetType, number>

/** Tags for the skill of a player; a game has at most one of them. API, "Game Widget". */
export const GameWidgetSkillTag = {
  noob: 'noob',
  learning_the_ropes: 'learning_the_ropes',
  casual: 'casual',
  getting_good: 'getting_good',
  intermediate: 'intermediate',
  expert: 'expert',
  better_than_you: 'better_than_you',
} as const
/** One of {@link GameWidgetSkillTag}. */
export type GameWidgetSkillTag = ValueOf<typeof GameWidgetSkillTag>

/** Tags of a game. API, "Game Widget". */
export const GameWidgetTag = s.merge(GameWidgetSkillTag, {
  obsessed: 'obsessed',
  love_it: 'love_it',
  kind_of_love_it: 'kind_of_love_it',
  kind_of_hate_it: 'kind_of_hate_it',
  rage_quitting: 'rage_quitting',
  like_it: 'like_it',
  frustrated: 'frustrated',
  too_easy: 'too_easy',
  looking_for_group: 'looking_for_group',
  open_to_play: 'open_to_play',
  looking_for_tips: 'looking_for_tips',
  open_to_teach: 'open_to_teach',
  looking_to_discuss: 'looking_to_discuss',
} as const)
/** One of {@link GameWidgetTag}. */
export type GameWidgetTag = ValueOf<typeof GameWidgetTag>

/** Game on a widget. API, "Game Widget". */
export interface GameWidgetGame {
  /** Application ID of the game. */
  game_id: string
  /** Comment shown below the game in detailed widgets. */
  comment?: string | null
  /** Tags of the game. */
  tags?: Open<GameWidgetTag>[]
}
export const GameWidgetGameSchema = s.looseObject<GameWidgetGame>()({
  game_id: s.string,
  comment: s.optional(s.nullable(s.string)),
  tags: s.optional(s.array(s.open('string'))),
})

/** Data of a widget. API, "Game Widget". */
export interface GameWidgetData {
  /** Type of the widget. */
  type: Open<GameWidgetType>
  /** Games; absent on application widgets. */
  games?: GameWidgetGame[]
  /** Application ID; only on application widgets. */
  application_id?: string
}
export const GameWidgetDataSchema = s.looseObject<GameWidgetData>()({
  type: s.open('string'),
  games: s.optional(s.array(GameWidgetGameSchema)),
  application_id: s.optional(s.string),
})

/** Widget on a user's profile. API, "Game Widget". */
export interface GameWidget {
  /** ID of the widget. */
  id: string
  /** Time of the last change, an ISO 8601 timestamp. */
  updated_at: string
  /** Data of the widget. */
  data: GameWidgetData
}
export const GameWidgetSchema = s.looseObject<GameWidget>()({
  id: s.string,
  updated_at: s.string,
  data: GameWidgetDataSchema,
})

/** Game to set on a widget. API, "Game Widget". */
export interface GameWidgetGameInput {
  /** Application ID of the game. */
  game_id: string
  /** Comment shown below the game in detailed widgets. */
  comment?: string | null | undefined
  /** Tags of the game; at most one {@link GameWidgetSkillTag}. */
  tags?: readonly GameWidgetTag[] | undefined
}
export const GameWidgetGameInputSchema = withSkillTagLimit(
  s.strictObject<GameWidgetGameInput>()({
    game_id: s.string,
    comment: s.optional(s.nullable(s.string)),
    tags: s.optional(s.readonlyArray(s.oneOf(GameWidgetTag))),
  }),
)

/** Rejects a game with more than one tag of the skill group. */
function withSkillTagLimit<T extends { readonly tags?: readonly string[] | undefined }>(schema: Schema<T>): Schema<T> {
  return s.refine(schema, function* ({ tags = [] }) {
    const skillTags = tags.filter((tag) => Object.hasOwn(GameWidgetSkillTag, tag))
    if (skillTags.length < 2) return
    const message = `${skillTags.length} tags of the skill group (${skillTags.join(', ')}), at most 1`
    yield { path: ['tags'], code: 'conflict', message, limit: 1, actual: skillTags.length }
  })
}

/** Data to set on a widget. API, "Game Widget". */
export interface GameWidgetDataInput {
  /** Type of the widget. */
  type: GameWidgetType
  /** Games, at most {@link GAME_WIDGET_MAX_GAMES}; not on application widgets. */
  games?: readonly GameWidgetGameInput[] | undefined
  /** Application ID; only on application widgets. */
  application_id?: string | undefined
}
export const GameWidgetDataInputSchema = withTypeRules(
  s.strictObject<GameWidgetDataInput>()({
    type: s.oneOf(GameWidgetType),
    games: s.optional(s.readonlyArray(GameWidgetGameInputSchema)),
    application_id: s.optional(s.string),
  }),
)

/** Rejects fields that a widget type does not have, and too many games. Undocumented types have no limits. */
function withTypeRules<
  T extends {
    readonly type: string
    readonly games?: readonly object[] | undefined
    readonly application_id?: string | undefined
  },
>(schema: Schema<T>): Schema<T> {
  return s.refine(schema, function* ({ type, games = [], application_id }): Generator<Violation> {
    if (!isGameWidgetType(type)) return
    const isApplication = type === GameWidgetType.application
    // The service may return an empty array here.
    if (isApplication && games.length > 0) {
      yield { path: ['games'], code: 'conflict', message: 'an application widget has no games' }
    }
    if (!isApplication && application_id !== undefined) {
      yield { path: ['application_id'], code: 'conflict', message: `a ${type} widget has no application_id` }
    }
    if (isApplication) return
    for (const violation of checkLength(games.length, 'games', { max: GAME_WIDGET_MAX_GAMES[type] })) {
      yield { ...violation, path: ['games'], message: `${violation.message} on a ${type} widget` }
    }
  })
}

const isGameWidgetType = (type: string): type is GameWidgetType => Object.hasOwn(GameWidgetType, type)

/** Widget to set; the service assigns an `id` if needed. API, "H. Profile widgets and application identities". */
export interface GameWidgetInput {
  /** ID of an existing widget. */
  id?: string | undefined
  /** Ignored by the service, so that a returned widget can be sent back. */
  updated_at?: string | undefined
  /** Data of the widget. */
  data: GameWidgetDataInput
}
export const GameWidgetInputSchema = s.strictObject<GameWidgetInput>()({
  id: s.optional(s.string),
  updated_at: s.optional(s.string),
  data: GameWidgetDataInputSchema,
})

/**
 * Widget returned by a call, to be kept on the profile. Unknown types, tags and undocumented fields are accepted and
 * sent unchanged. API, "H. Profile widgets and application identities".
 */
export interface ExistingGameWidget {
  /** ID of the widget. */
  id: string
  /** Ignored by the service. */
  updated_at?: string | undefined
  /** Data of the widget. */
  data: Immutable<GameWidgetData>
}
export const ExistingGameWidgetSchema = s.looseObject<ExistingGameWidget>()({
  id: s.string,
  updated_at: s.optional(s.string),
  data: s.immutable(
    withTypeRules(
      s.looseObject<GameWidgetData>()({
        type: s.open('string'),
        games: s.optional(s.array(withSkillTagLimit(GameWidgetGameSchema))),
        application_id: s.optional(s.string),
      }),
    ),
  ),
})

/** Parameters of `widgets.replace`. API, "H. Profile widgets and application identities". */
export interface ReplaceWidgetsParams {
  /** New widgets of the profile, at most one of each {@link GameWidgetType}. One with an `id` must exist already. */
  widgets: readonly (GameWidgetInput | ExistingGameWidget)[]
}
const WidgetSchema = s.union<GameWidgetInput | ExistingGameWidget>(
  [GameWidgetInputSchema, ExistingGameWidgetSchema],
  (widget) => (typeof readField(widget, 'id') === 'string' ? ExistingGameWidgetSchema : GameWidgetInputSchema),
)
export const ReplaceWidgetsParamsSchema = s.refine(
  s.strictObject<ReplaceWidgetsParams>()({ widgets: s.readonlyArray(WidgetSchema) }),
  function* ({ widgets }) {
    const firstIndexes = new Map<string, number>()
    for (const [index, widget] of widgets.entries()) {
      const type = String(readField(widget?.data, 'type'))
      const first = firstIndexes.get(type)
      if (!Object.hasOwn(GameWidgetType, type)) continue
      if (first === undefined) firstIndexes.set(type, index)
      else {
        const message = `duplicate ${type} widget (first at widgets[${first}]), at most 1 of each type`
        yield { path: ['widgets', index, 'data', 'type'], code: 'conflict', message, limit: 1 }
      }
    }
  },
)

/** Games suggested for widgets. API, "H. Profile widgets and application identities". */
export interface SuggestedGames {
  /** Application IDs of games that the user plays. */
  suggested_games: string[]
  /** Application IDs of games that the user may want to play. */
  suggested_wishlist_games: string[]
}
export const SuggestedGamesSchema = s.looseObject<SuggestedGames>()({
  suggested_games: s.array(s.string),
  suggested_wishlist_games: s.array(s.string),
})

export const widgets = {
  replace: endpoint('Modify Game Widgets', 'PUT', '/users/@me/widgets', 'token', {
    params: ReplaceWidgetsParamsSchema,
    response: s.array(GameWidgetSchema),
  }),
  suggestedGames: endpoint('Get Suggested Games', 'GET', '/users/@me/widgets/suggested-games', 'token', {
    response: SuggestedGamesSchema,
  }),
} as const
