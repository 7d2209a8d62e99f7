import { check } from './check'
import { type MediaItemInput, MediaItemInputSchema, type UnfurledMediaItem, UnfurledMediaItemSchema } from './media'
import { rule } from './rules'
import {
  both,
  type Immutable,
  integer,
  listOf,
  number,
  type Open,
  object,
  open,
  optional,
  readonlyArray,
  request,
  type Schema,
  string,
  unchecked,
  type ValueOf,
} from './schema'

/** What a {@link DynamicData} value is. Interface, "User Application Identity". */
export const DynamicDataType = {
  /** A string. */
  TEXT: 1,
  /** An integer. */
  NUMBER: 2,
  /** A media item. */
  IMAGE: 3,
} as const
/** One of {@link DynamicDataType}. */
export type DynamicDataType = ValueOf<typeof DynamicDataType>

/** The figures that every game may show; `Media` is the form that media take. Interface, "User Application Identity". */
export interface PrimaryDataOf<Media> {
  /** Season. */
  season?: string
  /** Name of the rank. */
  rank_name?: string
  /** Highest rank. */
  highest_rank?: string
  /** Character played most. */
  featured_played_character?: string
  /** Picture of the character played most. */
  featured_played_character_image?: Media
  /** Time played, in hours. */
  playtime_hours?: number
  /** Wins in all. */
  total_wins?: number
  /** Wins in the current period. */
  current_period_wins?: number
  /** Games in all. */
  total_games?: number
  /** Games in the current period. */
  current_period_games?: number
  /** Kills in all. */
  total_kills?: number
  /** Kills in the current period. */
  current_period_kills?: number
  /** Assists in all. */
  total_assists?: number
  /** Assists in the current period. */
  current_period_assists?: number
  /** Deaths in all. */
  total_deaths?: number
  /** Deaths in the current period. */
  current_period_deaths?: number
  /** Server name; one specific game application alone. */
  server_name?: string
  /** In-game account ID; one specific game application alone. */
  user_id?: string
  /** Union level; one specific game application alone. */
  union_level?: string
  /** Resonators in all; one specific game application alone. */
  total_resonators?: number
  /** Achievements in all; one specific game application alone. */
  total_achievements?: number
  /** Echoes in all; one specific game application alone. */
  total_echoes?: number
  /** Days logged in; one specific game application alone. */
  login_days?: number
  /** Data bank level; one specific game application alone. */
  data_bank_level?: string
}

const optionalString = /*@__PURE__*/ optional(string)
const optionalInteger = /*@__PURE__*/ optional(integer)
const figures = {
  season: optionalString,
  rank_name: optionalString,
  highest_rank: optionalString,
  featured_played_character: optionalString,
  playtime_hours: optional(number),
  total_wins: optionalInteger,
  current_period_wins: optionalInteger,
  total_games: optionalInteger,
  current_period_games: optionalInteger,
  total_kills: optionalInteger,
  current_period_kills: optionalInteger,
  total_assists: optionalInteger,
  current_period_assists: optionalInteger,
  total_deaths: optionalInteger,
  current_period_deaths: optionalInteger,
  server_name: optionalString,
  user_id: optionalString,
  union_level: optionalString,
  total_resonators: optionalInteger,
  total_achievements: optionalInteger,
  total_echoes: optionalInteger,
  login_days: optionalInteger,
  data_bank_level: optionalString,
}

/** The figures that a profile shows first. Interface, "User Application Identity". */
export interface PrimaryData extends PrimaryDataOf<UnfurledMediaItem> {}
export const PrimaryDataSchema = /*@__PURE__*/ object<PrimaryData>()(
  both(figures, { featured_played_character_image: optional(UnfurledMediaItemSchema) }),
)

/** The figures that a profile is to show first. Interface, "User Application Identity". */
export interface PrimaryDataInput extends PrimaryDataOf<MediaItemInput> {}
export const PrimaryDataInputSchema = /*@__PURE__*/ request<PrimaryDataInput>()(
  both(figures, { featured_played_character_image: optional(MediaItemInputSchema) }),
)

/** A figure that the game names itself. Interface, "User Application Identity". */
export interface DynamicData {
  /** Name of the figure. */
  name: string
  /** What kind of value it has. */
  type: Open<DynamicDataType>
  /** A string for TEXT, an integer for NUMBER, a media item for IMAGE. */
  value: string | number | UnfurledMediaItem
}
export const DynamicDataValueSchema = rule<DynamicData['value']>(unchecked<DynamicData['value']>(), (value) =>
  ['string', 'number'].includes(typeof value) ? [] : check(UnfurledMediaItemSchema, value, { showValues: false }),
)
export const DynamicDataSchema = /*@__PURE__*/ object<DynamicData>()({
  name: string,
  type: open('integer'),
  value: DynamicDataValueSchema,
})

/** A figure of the game's own, to be shown. Interface, "User Application Identity". */
export type DynamicDataInput =
  | {
      /** Name of the figure. */
      name: string
      /** `DynamicDataType.TEXT`. */
      type: typeof DynamicDataType.TEXT
      /** The text. */
      value: string
    }
  | {
      /** Name of the figure. */
      name: string
      /** `DynamicDataType.NUMBER`. */
      type: typeof DynamicDataType.NUMBER
      /** An integer. */
      value: number
    }
  | {
      /** Name of the figure. */
      name: string
      /** `DynamicDataType.IMAGE`. */
      type: typeof DynamicDataType.IMAGE
      /** The picture. */
      value: MediaItemInput
    }
export const DynamicDataInputSchema = rule(
  /*@__PURE__*/ request<{ name: string; type: Open<DynamicDataType>; value?: unknown }>()({
    name: string,
    type: open('integer'),
    value: optional(unchecked()),
  }),
  function* ({ type, value }) {
    for (const issue of check(schemaOfType(type), value)) yield { ...issue, path: ['value', ...issue.path] }
  },
) as Schema<DynamicDataInput | Immutable<DynamicData>>

/** What a value has to be; of a type that the service has added since, what it may return. */
function schemaOfType(type: unknown): Schema<unknown> {
  if (type === DynamicDataType.TEXT) return string
  if (type === DynamicDataType.NUMBER) return integer
  return type === DynamicDataType.IMAGE ? MediaItemInputSchema : DynamicDataValueSchema
}

/** What an application shows on a user's profile. Interface, "User Application Identity". */
export interface ProfileData {
  /** Figures that every game may show. */
  primary?: PrimaryData
  /** Figures that the game names itself. */
  dynamic?: DynamicData[]
}
export const ProfileDataSchema = /*@__PURE__*/ object<ProfileData>()({
  primary: optional(PrimaryDataSchema),
  dynamic: optional(listOf(DynamicDataSchema)),
})

/** What an application is to show on a user's profile. Interface, "User Application Identity". */
export interface ProfileDataInput {
  /** Figures that every game may show. */
  primary?: PrimaryDataInput
  /** Figures that the game names itself. */
  dynamic?: readonly (DynamicDataInput | Immutable<DynamicData>)[]
}
export const ProfileDataInputSchema = /*@__PURE__*/ request<ProfileDataInput>()({
  primary: optional(PrimaryDataInputSchema),
  dynamic: optional(readonlyArray(DynamicDataInputSchema)),
})

/** Profile data as they are sent: of media the URL, since all else is received only. Interface, "Unfurled Media Item". */
export function sentProfileData({ primary, dynamic }: ProfileDataInput): ProfileDataInput {
  const { featured_played_character_image: image } = primary ?? {}
  return {
    ...(primary && { primary: image ? { ...primary, featured_played_character_image: { url: image.url } } : primary }),
    ...(dynamic && { dynamic: dynamic.map(sentDynamicData) }),
  }
}

function sentDynamicData(data: DynamicDataInput | Immutable<DynamicData>): DynamicDataInput | Immutable<DynamicData> {
  const { type, value } = data
  return type === DynamicDataType.IMAGE && typeof value === 'object' ? { ...data, value: { url: value.url } } : data
}
