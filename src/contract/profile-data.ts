import type { Immutable, Open, OpenObject, Schema, ValueOf } from './schema'
import * as s from './schema'
import { check, isValid } from './validate'

/** Loading states of a media item. API, "Unfurled Media Item". */
export const MediaLoadingState = {
  UNKNOWN: 0,
  LOADING: 1,
  LOADED_SUCCESS: 2,
  LOADED_NOT_FOUND: 3,
} as const
/** One of {@link MediaLoadingState}. */
export type MediaLoadingState = ValueOf<typeof MediaLoadingState>

/** Media in a response. API, "Unfurled Media Item". */
export interface UnfurledMediaItem {
  /** Any URL, or an `attachment://<filename>` reference; at most 2048 characters. */
  url: string
  /** ID of the item. */
  id?: string
  /** URL of the copy that the service proxies. */
  proxy_url?: string
  /** Height in pixels, `null` if it has none. */
  height?: number | null
  /** Width in pixels, `null` if it has none. */
  width?: number | null
  /** Attachment flags. */
  flags?: number
  /** Media type, such as `image/png`. */
  content_type?: string
  /** Result of a content scan; its fields are not shown in the API document. */
  content_scan_metadata?: OpenObject
  /** Version of the placeholder, currently 1. */
  placeholder_version?: number
  /** Low-resolution thumbhash. */
  placeholder?: string
  /** Loading state of the item. */
  loading_state?: Open<MediaLoadingState>
  /** ID of the attachment. */
  attachment_id?: string
}
export const UnfurledMediaItemSchema = s.looseObject<UnfurledMediaItem>()({
  url: s.string,
  id: s.optional(s.string),
  proxy_url: s.optional(s.string),
  height: s.optional(s.nullable(s.integer)),
  width: s.optional(s.nullable(s.integer)),
  flags: s.optional(s.integer),
  content_type: s.optional(s.string),
  content_scan_metadata: s.optional(s.OpenObjectSchema),
  placeholder_version: s.optional(s.integer),
  placeholder: s.optional(s.string),
  loading_state: s.optional(s.open('integer')),
  attachment_id: s.optional(s.string),
})

/** Media in a request. Other fields are received-only: they are accepted but not sent. API, "Unfurled Media Item". */
export interface MediaItemInput {
  /** Any URL, or an `attachment://<filename>` reference; at most 2048 characters. */
  url: string
}
export const MediaItemInputSchema = s.looseObject<MediaItemInput>()({ url: s.boundedString({ max: 2048 }) })

/** Types of values of {@link DynamicData}. API, "User Application Identity". */
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

/** Statistics that every game may show; `Media` is the type of media. API, "User Application Identity". */
export interface PrimaryDataOf<Media> {
  /** Name of the season. */
  season?: string
  /** Name of the rank. */
  rank_name?: string
  /** Highest rank. */
  highest_rank?: string
  /** Most played character. */
  featured_played_character?: string
  /** Picture of the most played character. */
  featured_played_character_image?: Media
  /** Time played, in hours. */
  playtime_hours?: number
  /** Total number of wins. */
  total_wins?: number
  /** Number of wins in the current period. */
  current_period_wins?: number
  /** Total number of games. */
  total_games?: number
  /** Number of games in the current period. */
  current_period_games?: number
  /** Total number of kills. */
  total_kills?: number
  /** Number of kills in the current period. */
  current_period_kills?: number
  /** Total number of assists. */
  total_assists?: number
  /** Number of assists in the current period. */
  current_period_assists?: number
  /** Total number of deaths. */
  total_deaths?: number
  /** Number of deaths in the current period. */
  current_period_deaths?: number
  /** Server name; only for one specific game application. */
  server_name?: string
  /** In-game account ID; only for one specific game application. */
  user_id?: string
  /** Union level; only for one specific game application. */
  union_level?: string
  /** Total number of resonators; only for one specific game application. */
  total_resonators?: number
  /** Total number of achievements; only for one specific game application. */
  total_achievements?: number
  /** Total number of echoes; only for one specific game application. */
  total_echoes?: number
  /** Number of login days; only for one specific game application. */
  login_days?: number
  /** Data bank level; only for one specific game application. */
  data_bank_level?: string
}

const optionalString = s.optional(s.string)
const optionalInteger = s.optional(s.integer)

const statistics = {
  season: optionalString,
  rank_name: optionalString,
  highest_rank: optionalString,
  featured_played_character: optionalString,
  playtime_hours: s.optional(s.number),
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

/** Primary statistics of a profile. API, "User Application Identity". */
export interface PrimaryData extends PrimaryDataOf<UnfurledMediaItem> {}
export const PrimaryDataSchema = s.looseObject<PrimaryData>()(
  s.merge(statistics, { featured_played_character_image: s.optional(UnfurledMediaItemSchema) }),
)

/** `T`, whose fields are optional, with `undefined` for those that are not set. */
type OrUndefined<T> = { [K in keyof T]: T[K] | undefined }

/** Primary statistics to set on a profile. API, "User Application Identity". */
export interface PrimaryDataInput extends OrUndefined<PrimaryDataOf<MediaItemInput>> {}
export const PrimaryDataInputSchema = s.looseObject<PrimaryDataInput>()(
  s.merge(statistics, { featured_played_character_image: s.optional(MediaItemInputSchema) }),
)

/** Custom statistic of a game. API, "User Application Identity". */
export interface DynamicData {
  /** Name of the statistic. */
  name: string
  /** Type of the value. */
  type: Open<DynamicDataType>
  /** String for TEXT, integer for NUMBER, media item for IMAGE. */
  value: string | number | UnfurledMediaItem
}

export const DynamicDataValueSchema = s.union<DynamicData['value']>(
  [s.string, s.number, UnfurledMediaItemSchema],
  (value) => (typeof value === 'string' ? s.string : typeof value === 'number' ? s.number : UnfurledMediaItemSchema),
)

export const DynamicDataSchema = s.refine(
  s.looseObject<DynamicData>()({
    name: s.string,
    type: s.open('integer'),
    value: DynamicDataValueSchema,
  }),
  function* ({ type, value }) {
    if (isValid(DynamicDataValueSchema, value) && !isValid(valueSchemaOf(type, UnfurledMediaItemSchema), value)) {
      yield { path: ['value'], code: 'invalid_type', message: `not of type ${type}` }
    }
  },
)

/** Custom statistic to set on a profile. API, "User Application Identity". */
export type DynamicDataInput =
  | {
      /** Name of the statistic. */
      name: string
      /** `DynamicDataType.TEXT`. */
      type: typeof DynamicDataType.TEXT
      /** Value, a string. */
      value: string
    }
  | {
      /** Name of the statistic. */
      name: string
      /** `DynamicDataType.NUMBER`. */
      type: typeof DynamicDataType.NUMBER
      /** Value, an integer. */
      value: number
    }
  | {
      /** Name of the statistic. */
      name: string
      /** `DynamicDataType.IMAGE`. */
      type: typeof DynamicDataType.IMAGE
      /** Value, a picture. */
      value: MediaItemInput
    }
// The schema does not express which type has which value; `refine` checks it.
export const DynamicDataInputSchema = s.refine(
  s.looseObject<{ name: string; type: Open<DynamicDataType> }>()({ name: s.string, type: s.open('integer') }),
  function* ({ type, value }: { readonly type: number; readonly value?: unknown }) {
    for (const issue of check(valueSchemaOf(type, MediaItemInputSchema), value)) {
      yield { ...issue, path: ['value', ...issue.path] }
    }
  },
  // The rule validates `value` according to `type`, which the shape cannot express.
) as Schema<DynamicDataInput | Immutable<DynamicData>>

/** Returns the schema of a value by its type; for a type added by the service later, that of any documented value. */
function valueSchemaOf(type: number, media: Schema<unknown>): Schema<unknown> {
  // In the order of `DynamicDataType`, which starts at 1.
  return [DynamicDataValueSchema, s.string, s.integer, media][type] ?? DynamicDataValueSchema
}

/** Data of an application on a user's profile. API, "User Application Identity". */
export interface ProfileData {
  /** Statistics that every game may show. */
  primary?: PrimaryData
  /** Custom statistics of the game. */
  dynamic?: DynamicData[]
}
export const ProfileDataSchema = s.looseObject<ProfileData>()({
  primary: s.optional(PrimaryDataSchema),
  dynamic: s.optional(s.array(DynamicDataSchema)),
})

/** Data to set on a user's profile. API, "User Application Identity". */
export interface ProfileDataInput {
  /** Statistics that every game may show. */
  primary?: PrimaryDataInput | undefined
  /** Custom statistics of the game. */
  dynamic?: readonly (DynamicDataInput | Immutable<DynamicData>)[] | undefined
}
export const ProfileDataInputSchema = s.looseObject<ProfileDataInput>()({
  primary: s.optional(PrimaryDataInputSchema),
  dynamic: s.optional(s.readonlyArray(DynamicDataInputSchema)),
})

/** Converts profile data to the payload: of media only the URL, which alone is sent. API, "Unfurled Media Item". */
export function toProfilePayload(data: ProfileDataInput): ProfileDataInput {
  const { primary, dynamic } = data
  const { featured_played_character_image: image } = primary ?? {}
  return {
    ...data,
    ...(image && { primary: { ...primary, featured_played_character_image: { url: image.url } } }),
    ...(dynamic && { dynamic: dynamic.map(toDynamicPayload) }),
  }
}

function toDynamicPayload(data: DynamicDataInput | Immutable<DynamicData>): DynamicDataInput | Immutable<DynamicData> {
  const { type, value } = data
  return type === DynamicDataType.IMAGE && typeof value === 'object' ? { ...data, value: { url: value.url } } : data
}
