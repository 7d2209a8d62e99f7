import { expect, test } from 'vitest'
import * as games from '../../src/contract/game-relationships'
import * as identities from '../../src/contract/identities'
import * as login from '../../src/contract/login'
import * as mfa from '../../src/contract/mfa'
import * as media from '../../src/contract/profile-data'
import * as profile from '../../src/contract/profile-data'
import * as registration from '../../src/contract/registration'
import * as relationships from '../../src/contract/relationships'
import type { Schema } from '../../src/contract/schema'
import * as sessions from '../../src/contract/sessions'
import * as configs from '../../src/contract/widget-configs'
import * as surfaces from '../../src/contract/widget-configs'
import * as widgets from '../../src/contract/widgets'
import { typedFields } from './endpoint-table'

const primaryData = `season?:string rank_name?:string highest_rank?:string featured_played_character?:string
  playtime_hours?:number total_wins?:integer current_period_wins?:integer total_games?:integer
  current_period_games?:integer total_kills?:integer current_period_kills?:integer total_assists?:integer
  current_period_assists?:integer total_deaths?:integer current_period_deaths?:integer server_name?:string
  user_id?:string union_level?:string total_resonators?:integer total_achievements?:integer total_echoes?:integer
  login_days?:integer data_bank_level?:string featured_played_character_image?:object`

// API, "Resources and their fields": `?` marks an optional field, `~` a nullable one.
const OBJECTS: readonly (readonly [name: string, schema: Schema<unknown>, fields: string])[] = [
  ['Auth Session', sessions.AuthSessionSchema, 'id_hash:string approx_last_used_time:string client_info:object'],
  ['Auth Session Client Info', sessions.AuthSessionClientInfoSchema, 'os~:string platform~:string location~:string'],
  ['Login Settings', login.LoginSettingsSchema, 'locale:string theme:string'],
  ['Promotional Email Metadata', registration.PromotionalEmailMetadataSchema, 'required:boolean pre_checked:boolean'],
  ['MFA verification request', mfa.MfaVerificationRequestSchema, 'ticket:string methods:array of object'],
  ['MFA method', mfa.MfaMethodSchema, 'type:string challenge?:string backup_codes_allowed?:boolean'],
  [
    'Unfurled Media Item',
    media.UnfurledMediaItemSchema,
    `url:string id?:string proxy_url?:string height?~:integer width?~:integer flags?:integer content_type?:string
     content_scan_metadata?:map placeholder_version?:integer placeholder?:string loading_state?:integer
     attachment_id?:string`,
  ],
  ['Game Widget', widgets.GameWidgetSchema, 'id:string updated_at:string data:object'],
  ['Game widget data', widgets.GameWidgetDataSchema, 'type:string games?:array of object application_id?:string'],
  ['Game widget game', widgets.GameWidgetGameSchema, 'game_id:string comment?~:string tags?:array of string'],
  [
    'User Application Identity',
    identities.UserApplicationIdentitySchema,
    'application_id:string provider_issued_user_id:string profile?:object profiles?:array of object',
  ],
  [
    'Partial user application profile',
    identities.PartialUserApplicationProfileSchema,
    'username~:string metadata~:string data?:object data_trusted?:boolean connection_visible:boolean',
  ],
  ['Profile data', profile.ProfileDataSchema, 'primary?:object dynamic?:array of object'],
  ['Primary data', profile.PrimaryDataSchema, primaryData],
  [
    'Partial Application Identity',
    identities.PartialApplicationIdentitySchema,
    'user_id:string external_user_id:string',
  ],
  [
    'Widget Config',
    configs.WidgetConfigSchema,
    `application_id:string config_id:string display_name:string surfaces:map status:string
     resolved_assets?:array of map published_at~:string updated_at:string`,
  ],
  ['Widget surface', surfaces.WidgetSurfaceSchema, 'layout:string components:map'],
  ['Surface component', surfaces.WidgetSurfaceComponentSchema, 'fields:map'],
  [
    'Component field',
    surfaces.WidgetComponentFieldSchema,
    'value_type:string presentation_type:string value:string fallback?:object',
  ],
  ['Layout definition', configs.LayoutDefinitionSchema, 'surface:string components:map key:string display_name:string'],
  ['Layout component', configs.LayoutComponentSchema, 'display_name:string required:boolean fields:map'],
  [
    'Layout field',
    configs.LayoutFieldSchema,
    'display_name:string required:boolean allowed_presentation_types:array of string',
  ],
  [
    'Relationship',
    relationships.RelationshipSchema,
    `id:string type:integer user:object nickname~:string is_spam_request?:boolean stranger_request?:boolean
     user_ignored:boolean origin_application_id?~:string since?:string has_played_game?:boolean note?:string`,
  ],
  [
    'Game Relationship',
    games.GameRelationshipSchema,
    `id:string application_id:string type:integer user?:object since:string dm_access_type:integer user_id:string`,
  ],
  [
    'Friend Suggestion',
    relationships.FriendSuggestionSchema,
    'suggested_user:object reasons:array of object from_suggested_user_contacts?:boolean',
  ],
  ['Friend suggestion reason', relationships.FriendSuggestionReasonSchema, 'type:integer platform:string name:string'],
]

test.each(OBJECTS)('%s has the fields of the API document', (_, schema, fields) => {
  const named = fields.trim().split(/\s+(?=[a-z_]+[?~]*:)/)
  expect(typedFields(schema).sort()).toEqual(named.sort())
})
