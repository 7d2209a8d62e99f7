import type { Endpoint } from './endpoint'
import { type Breach, choice, rule } from './rules'
import {
  both,
  type Immutable,
  immutable,
  listOf,
  nullable,
  type Open,
  object,
  oneOf,
  open,
  optional,
  readonlyArray,
  request,
  type Schema,
  string,
  type ValueOf,
} from './schema'
import { sizeBreach } from './size'

/** The kinds of game widget. Interface, "Game Widget". */
export const GameWidgetType = {
  /** Favourite game; a detailed widget of at most 1 game. */
  favorite_games: 'favorite_games',
  /** Games the user likes, at most 20. */
  played_games: 'played_games',
  /** Games in rotation; a detailed widget of at most 5 games. */
  current_games: 'current_games',
  /** Games the user wants to play, at most 20. */
  want_to_play_games: 'want_to_play_games',
  /** Details of one specific game. */
  application: 'application',
} as const
/** One of {@link GameWidgetType}. */
export type GameWidgetType = ValueOf<typeof GameWidgetType>

/** How many games a widget holds; an application widget has no games. Interface, "Limits". */
export const GAME_WIDGET_MAX_GAMES = {
  favorite_games: 1,
  played_games: 20,
  current_games: 5,
  want_to_play_games: 20,
  application: 0,
} as const satisfies Record<GameWidgetType, number>

/** The tags that tell how good a player is; a game takes one of them at most. Interface, "Game Widget". */
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

/** What a user says of a game. Interface, "Game Widget". */
export const GameWidgetTag = both(GameWidgetSkillTag, {
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

/** A game on a widget. Interface, "Game Widget". */
export interface GameWidgetGame {
  /** Application ID of the game. */
  game_id: string
  /** Shown under the game in detailed widgets. */
  comment?: string | null
  /** What the user says of the game. */
  tags?: Open<GameWidgetTag>[]
}
export const GameWidgetGameSchema = /*@__PURE__*/ object<GameWidgetGame>()({
  game_id: string,
  comment: optional(nullable(string)),
  tags: optional(listOf(open('string'))),
})

/** What a widget shows. Interface, "Game Widget". */
export interface GameWidgetData {
  /** The kind of widget. */
  type: Open<GameWidgetType>
  /** The games; not on application widgets. */
  games?: GameWidgetGame[]
  /** The application; on application widgets alone. */
  application_id?: string
}
export const GameWidgetDataSchema = /*@__PURE__*/ object<GameWidgetData>()({
  type: open('string'),
  games: optional(listOf(GameWidgetGameSchema)),
  application_id: optional(string),
})

/** A widget on a user's profile. Interface, "Game Widget". */
export interface GameWidget {
  /** ID of the widget. */
  id: string
  /** When it last changed, an ISO 8601 timestamp. */
  updated_at: string
  /** What it shows. */
  data: GameWidgetData
}
export const GameWidgetSchema = /*@__PURE__*/ object<GameWidget>()({
  id: string,
  updated_at: string,
  data: GameWidgetDataSchema,
})

/** A game to put on a widget. Interface, "Game Widget". */
export interface GameWidgetGameInput {
  /** Application ID of the game. */
  game_id: string
  /** Shown under the game in detailed widgets. */
  comment?: string | null
  /** What the user says of the game; one {@link GameWidgetSkillTag} at most. */
  tags?: readonly GameWidgetTag[]
}
export const GameWidgetGameInputSchema = withOneSkill(
  /*@__PURE__*/ request<GameWidgetGameInput>()({
    game_id: string,
    comment: optional(nullable(string)),
    tags: optional(readonlyArray(oneOf(GameWidgetTag))),
  }),
)

/** Refuses a game with two tags of the skill group. */
// @__NO_SIDE_EFFECTS__
function withOneSkill<T extends { readonly tags?: readonly string[] }>(schema: Schema<T>): Schema<T> {
  return rule(schema, function* ({ tags = [] }) {
    const skills = tags.filter((tag) => Object.hasOwn(GameWidgetSkillTag, tag))
    if (skills.length < 2) return
    const message = `${skills.length} tags of the skill group (${skills.join(', ')}), at most 1`
    yield { path: ['tags'], code: 'conflict', message, limit: 1, actual: skills.length }
  })
}

/** What a widget is to show. Interface, "Game Widget". */
export interface GameWidgetDataInput {
  /** The kind of widget. */
  type: GameWidgetType
  /** The games, as many as {@link GAME_WIDGET_MAX_GAMES} says; not on application widgets. */
  games?: readonly GameWidgetGameInput[]
  /** The application; only on application widgets. */
  application_id?: string
}
export const GameWidgetDataInputSchema = withinLimits(
  /*@__PURE__*/ request<GameWidgetDataInput>()({
    type: oneOf(GameWidgetType),
    games: optional(readonlyArray(GameWidgetGameInputSchema)),
    application_id: optional(string),
  }),
)

/** Refuses fields that a type does not have, and too many games. Types that the document does not name have no limits. */
// @__NO_SIDE_EFFECTS__
function withinLimits<T extends { readonly type: string; readonly games?: readonly object[]; application_id?: string }>(
  schema: Schema<T>,
): Schema<T> {
  return rule(schema, function* ({ type, games = [], application_id }): Generator<Breach> {
    if (!isWidgetType(type)) return
    const isApplication = type === GameWidgetType.application
    // The service may return an empty array there.
    if (isApplication && games.length > 0) {
      yield { path: ['games'], code: 'conflict', message: 'an application widget has no games' }
    }
    if (!isApplication && application_id !== undefined) {
      yield { path: ['application_id'], code: 'conflict', message: `a ${type} widget has no application_id` }
    }
    if (isApplication) return
    for (const breach of sizeBreach(games.length, 'games', { max: GAME_WIDGET_MAX_GAMES[type] })) {
      yield { ...breach, path: ['games'], message: `${breach.message} on a ${type} widget` }
    }
  })
}

const isWidgetType = (type: string): type is GameWidgetType => Object.hasOwn(GameWidgetType, type)

/**
 * A widget to put on the profile; the service gives it an `id` when it has none.
 * Interface, "H. Profile widgets and application identities".
 */
export interface GameWidgetInput {
  /** ID of an existing widget. */
  id?: string
  /** Ignored by the service, so that a widget it answered may be sent back. */
  updated_at?: string
  /** What it shows. */
  data: GameWidgetDataInput
}
export const GameWidgetInputSchema = /*@__PURE__*/ request<GameWidgetInput>()({
  id: optional(string),
  updated_at: optional(string),
  data: GameWidgetDataInputSchema,
})

/**
 * A widget that a call returned, to be kept on the profile. Its type and its tags may be ones that this package does not
 * know, and it may have fields that the document does not name: they are sent as they are.
 * Interface, "H. Profile widgets and application identities".
 */
export interface ExistingGameWidget {
  /** ID of the widget. */
  id: string
  /** Ignored by the service. */
  updated_at?: string
  /** What it shows. */
  data: Immutable<GameWidgetData>
}
export const ExistingGameWidgetSchema = /*@__PURE__*/ object<ExistingGameWidget>()({
  id: string,
  updated_at: optional(string),
  data: immutable(
    withinLimits(
      /*@__PURE__*/ object<GameWidgetData>()({
        type: open('string'),
        games: optional(listOf(withOneSkill(GameWidgetGameSchema))),
        application_id: optional(string),
      }),
    ),
  ),
})

/** What `widgets.replace` takes. Interface, "H. Profile widgets and application identities". */
export interface ReplaceWidgetsParams {
  /** All widgets of the profile from now on, at most one of each {@link GameWidgetType}. One with an `id` exists already. */
  widgets: readonly (GameWidgetInput | ExistingGameWidget)[]
}
const WidgetSchema = choice<GameWidgetInput | ExistingGameWidget>(
  [GameWidgetInputSchema, ExistingGameWidgetSchema],
  (widget) => (typeof Object(widget).id === 'string' ? ExistingGameWidgetSchema : GameWidgetInputSchema),
)
export const ReplaceWidgetsParamsSchema = rule(
  /*@__PURE__*/ request<ReplaceWidgetsParams>()({ widgets: readonlyArray(WidgetSchema) }),
  function* ({ widgets }) {
    const seen = new Map<string, number>()
    for (const [index, widget] of widgets.entries()) {
      const type = widget?.data?.type
      const first = seen.get(type)
      if (!Object.hasOwn(GameWidgetType, type)) continue
      if (first === undefined) seen.set(type, index)
      else {
        const message = `widgets[${first}] is a ${type} widget already, at most 1 of each type`
        yield { path: ['widgets', index, 'data', 'type'], code: 'conflict', message, limit: 1 }
      }
    }
  },
)

/** Games to suggest for widgets. Interface, "H. Profile widgets and application identities". */
export interface SuggestedGames {
  /** Application IDs of games the user plays. */
  suggested_games: string[]
  /** Application IDs of games the user may want to play. */
  suggested_wishlist_games: string[]
}
export const SuggestedGamesSchema = /*@__PURE__*/ object<SuggestedGames>()({
  suggested_games: listOf(string),
  suggested_wishlist_games: listOf(string),
})

export const widgets = {
  replace: {
    name: 'Modify Game Widgets',
    method: 'PUT',
    path: '/users/@me/widgets',
    auth: 'token',
    params: ReplaceWidgetsParamsSchema,
    response: listOf(GameWidgetSchema),
  },
  suggestedGames: {
    name: 'Get Suggested Games',
    method: 'GET',
    path: '/users/@me/widgets/suggested-games',
    auth: 'token',
    response: SuggestedGamesSchema,
  },
} as const satisfies Record<string, Endpoint>
