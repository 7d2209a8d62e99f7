import { checkLength, type Violation } from '../internal/issue'
import { readField } from '../internal/json'
import { endpoint } from './endpoint'
import {
  array,
  type Immutable,
  immutable,
  looseObject,
  merge,
  nullable,
  type Open,
  oneOf,
  open,
  optional,
  readonlyArray,
  refine,
  type Schema,
  strictObject,
  string,
  union,
  type ValueOf,
} from './schema'

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
export const GameWidgetTag = merge(GameWidgetSkillTag, {
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
export const GameWidgetGameSchema = looseObject<GameWidgetGame>()({
  game_id: string,
  comment: optional(nullable(string)),
  tags: optional(array(open('string'))),
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
export const GameWidgetDataSchema = looseObject<GameWidgetData>()({
  type: open('string'),
  games: optional(array(GameWidgetGameSchema)),
  application_id: optional(string),
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
export const GameWidgetSchema = looseObject<GameWidget>()({
  id: string,
  updated_at: string,
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
  strictObject<GameWidgetGameInput>()({
    game_id: string,
    comment: optional(nullable(string)),
    tags: optional(readonlyArray(oneOf(GameWidgetTag))),
  }),
)

/** Rejects a game with more than one tag of the skill group. */
function withSkillTagLimit<T extends { readonly tags?: readonly string[] | undefined }>(schema: Schema<T>): Schema<T> {
  return refine(schema, function* ({ tags = [] }) {
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
  strictObject<GameWidgetDataInput>()({
    type: oneOf(GameWidgetType),
    games: optional(readonlyArray(GameWidgetGameInputSchema)),
    application_id: optional(string),
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
  return refine(schema, function* ({ type, games = [], application_id }): Generator<Violation> {
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
export const GameWidgetInputSchema = strictObject<GameWidgetInput>()({
  id: optional(string),
  updated_at: optional(string),
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
export const ExistingGameWidgetSchema = looseObject<ExistingGameWidget>()({
  id: string,
  updated_at: optional(string),
  data: immutable(
    withTypeRules(
      looseObject<GameWidgetData>()({
        type: open('string'),
        games: optional(array(withSkillTagLimit(GameWidgetGameSchema))),
        application_id: optional(string),
      }),
    ),
  ),
})

/** Parameters of `widgets.replace`. API, "H. Profile widgets and application identities". */
export interface ReplaceWidgetsParams {
  /** New widgets of the profile, at most one of each {@link GameWidgetType}. One with an `id` must exist already. */
  widgets: readonly (GameWidgetInput | ExistingGameWidget)[]
}
const WidgetSchema = union<GameWidgetInput | ExistingGameWidget>(
  [GameWidgetInputSchema, ExistingGameWidgetSchema],
  (widget) => (typeof readField(widget, 'id') === 'string' ? ExistingGameWidgetSchema : GameWidgetInputSchema),
)
export const ReplaceWidgetsParamsSchema = refine(
  strictObject<ReplaceWidgetsParams>()({ widgets: readonlyArray(WidgetSchema) }),
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
export const SuggestedGamesSchema = looseObject<SuggestedGames>()({
  suggested_games: array(string),
  suggested_wishlist_games: array(string),
})

export const widgets = {
  replace: endpoint('Modify Game Widgets', 'PUT', '/users/@me/widgets', 'token', {
    params: ReplaceWidgetsParamsSchema,
    response: array(GameWidgetSchema),
  }),
  suggestedGames: endpoint('Get Suggested Games', 'GET', '/users/@me/widgets/suggested-games', 'token', {
    response: SuggestedGamesSchema,
  }),
} as const
