import * as sdk from 'rapport-sdk'
import { expect, test } from 'vitest'

// API, "Resources and their fields". A string value is its own name; a number has the name of the document.
const STRINGS: Readonly<Record<string, string>> = {
  LoginSource: 'gift guild_template guild_invite dm_invite friend_invite role_subscription role_subscription_setting',
  LoginRequiredActionType: 'update_password',
  PasswordResetMethod: 'password_reset one_time_login',
  AuthenticatorType: 'totp sms backup webauthn password',
  GameWidgetType: 'favorite_games played_games current_games want_to_play_games application',
  GameWidgetSkillTag: 'noob learning_the_ropes casual getting_good intermediate expert better_than_you',
  GameWidgetTag: `noob learning_the_ropes casual getting_good intermediate expert better_than_you obsessed love_it
    kind_of_love_it kind_of_hate_it rage_quitting like_it frustrated too_easy looking_for_group open_to_play
    looking_for_tips open_to_teach looking_to_discuss`,
  SurfaceType: 'widget_top widget_bottom add_widget_preview mini_profile activity_accessory',
  ValueType: 'data custom_string application_asset application_localized_string',
  PresentationType: 'image number text duration',
  LayoutDefinitionKey: `activity_accessory_stat add_widget_preview_contained add_widget_preview_hero
    mini_profile_contained_stat mini_profile_hero_stat widget_bottom_collection widget_bottom_progress
    widget_bottom_stats widget_top_contained widget_top_hero`,
  WidgetConfigStatus: 'published draft',
}

const NUMBERS: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  MediaLoadingState: { UNKNOWN: 0, LOADING: 1, LOADED_SUCCESS: 2, LOADED_NOT_FOUND: 3 },
  DynamicDataType: { TEXT: 1, NUMBER: 2, IMAGE: 3 },
  RelationshipType: { NONE: 0, FRIEND: 1, BLOCKED: 2, INCOMING_REQUEST: 3, OUTGOING_REQUEST: 4, IMPLICIT: 5 },
  GameRelationshipType: { FRIEND: 1, INCOMING_REQUEST: 3, OUTGOING_REQUEST: 4 },
  FriendSuggestionReasonType: { EXTERNAL_FRIEND: 1 },
  RelationshipRemovalFilter: { SPAM: 1, IGNORED: 2 },
}

const exported: Readonly<Record<string, unknown>> = { ...sdk }

test.each(Object.entries(STRINGS))('%s has the values of the API document', (name, values) => {
  expect(exported[name]).toEqual(Object.fromEntries(values.split(/\s+/).map((value) => [value, value])))
})

test.each(Object.entries(NUMBERS))('%s has the names and values of the API document', (name, values) => {
  expect(exported[name]).toEqual(values)
})

test('the limits and codes of the API document are exported by name', () => {
  expect(sdk.MFA_REQUIRED_CODE).toBe(60003)
  expect(sdk.ACCEPT_OR_REQUEST).toBe(-1)
  expect(sdk.PASSWORD_LENGTH).toEqual({ min: 8, max: 72 })
  expect(sdk.PROFILE_METADATA).toEqual({ maxKeys: 25, maxCharacters: 1024 })
  const maxGames = { favorite_games: 1, played_games: 20, current_games: 5, want_to_play_games: 20, application: 0 }
  expect(sdk.GAME_WIDGET_MAX_GAMES).toEqual(maxGames)
})
