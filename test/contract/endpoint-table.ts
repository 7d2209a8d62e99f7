import { Client } from 'rapport-sdk'
import type { Definition, Schema } from '../../src/contract/schema'
import { isValid } from '../../src/contract/validate'

/** An endpoint of the API document. */
interface EndpointSpec {
  readonly name: string
  readonly method: string
  readonly path: string
  /** The client method that calls it. */
  readonly call: string
  /** Query and body fields: `?` marks an optional one, `~` a nullable one, `&` a query parameter. */
  readonly params: readonly string[]
  /** Fields of the response. `[]` stands before those of array items, `{}` for an object that the document leaves open. */
  readonly response: readonly string[]
}

// name | method and path | call | params | response. API, "Endpoints".
const TABLE = `
Get Auth Sessions | GET /auth/sessions | auth.sessions.list | | user_sessions
Logout Auth Sessions | POST /auth/sessions/logout | auth.sessions.logout | session_id_hashes |
Login Account | POST /auth/login | auth.login | login password undelete? login_source?~ gift_code_sku_id?~ | user_id token? user_settings? required_actions? ticket? login_instance_id? mfa? totp? sms? backup? webauthn?~
Verify MFA Login | POST /auth/mfa/{authenticator_type} | auth.verifyMfaLogin | ticket login_instance_id? code login_source?~ gift_code_sku_id?~ | token user_settings
Start Passwordless Login | POST /auth/conditional/start | auth.startPasswordlessLogin | | ticket challenge
Finish Passwordless Login | POST /auth/conditional/finish | auth.finishPasswordlessLogin | ticket credential login_source?~ gift_code_sku_id?~ | user_id token user_settings required_actions?
Authorize IP Address | POST /auth/authorize-ip | auth.authorizeIp | token |
Create Handoff Token | POST /auth/handoff | auth.createHandoffToken | key | handoff_token
Exchange Handoff Token | POST /auth/handoff/exchange | auth.exchangeHandoffToken | key handoff_token | token user
Register Account | POST /auth/register | auth.register | username? global_name?~ email? phone_token? password? date_of_birth? fingerprint? invite?~ guild_template_code?~ gift_code_sku_id?~ consent? promotional_email_opt_in? | token show_verification_form?
Register Account with Phone Number | POST /auth/register/phone | auth.registerPhone | phone |
Get Location Metadata | GET /auth/location-metadata | auth.getLocationMetadata | | country_code consent_required promotional_email_opt_in
Validate Password | POST /auth/password/validate | auth.validatePassword | password | valid password_strength
Get Username Suggestions | GET /unique-username/username-suggestions-unauthed | auth.suggestUsername | &global_name? | username
Check Username Eligibility | POST /unique-username/username-attempt-unauthed | auth.checkUsername | username | taken~
Logout | POST /auth/logout | auth.logout | provider? token? voip_provider? voip_token? |
Forgot Password | POST /auth/forgot | auth.forgotPassword | login | method
Reset Password | POST /auth/reset | auth.resetPassword | token password source? method? ticket? code? | token? user_id? ticket? mfa? totp? sms? backup? webauthn?~
One-Time Login | POST /auth/one-time-login | auth.oneTimeLogin | ticket | token
Revert Account | POST /auth/revert | auth.revertAccount | token password | email
Verify MFA | POST /mfa/finish | mfa.finish | ticket mfa_type data | token
Send MFA SMS | POST /auth/mfa/sms/send | mfa.sendSms | ticket | phone
Modify Game Widgets | PUT /users/@me/widgets | widgets.replace | widgets | [] id updated_at data
Get Suggested Games | GET /users/@me/widgets/suggested-games | widgets.suggestedGames | | suggested_games suggested_wishlist_games
List Bulk Application Identities | POST /application-identities | identities.listBulk | user_ids | [] user_id external_user_id
Get User Application Profile | GET /applications/{application.id}/users/{user.id}/identities/{external_user_id}/profile | identities.getProfile | | {}
Modify User Application Profile | PATCH /applications/{application.id}/users/{user.id}/identities/{external_user_id}/profile | identities.updateProfile | username? metadata? data? | {}
Get User Application Identities | GET /users/{user.id}/application-identities | identities.list | &with_profiles? | identities
Modify User Application Profile Config | PATCH /users/@me/application-identities/{application.id}/{external_user_id}/config | identities.updateConfig | connection_visible? |
Get Featured Widget Configs | GET /widget-configs/featured | widgetConfigs.featured | | application_ids configs
Get Developer Widget Configs | GET /widget-configs/developer | widgetConfigs.developer | | configs
Get Layout Definitions | GET /widget-configs/layout-definitions | widgetConfigs.layoutDefinitions | | {}
Get Application Widget Configs | GET /applications/{application.id}/widget-configs | widgetConfigs.list | | [] application_id config_id display_name surfaces status resolved_assets? published_at~ updated_at
Create Application Widget Config | POST /applications/{application.id}/widget-configs | widgetConfigs.create | display_name surfaces | application_id config_id display_name surfaces status resolved_assets? published_at~ updated_at
Modify Application Widget Config | PATCH /applications/{application.id}/widget-configs/{widget_config.id} | widgetConfigs.update | display_name? surfaces | application_id config_id display_name surfaces status resolved_assets? published_at~ updated_at
Delete Application Widget Config | DELETE /applications/{application.id}/widget-configs/{widget_config.id} | widgetConfigs.delete | |
Publish Application Widget Config | POST /applications/{application.id}/widget-configs/{widget_config.id}/publish | widgetConfigs.publish | | application_id config_id display_name surfaces status resolved_assets? published_at~ updated_at
Unpublish Application Widget Config | POST /applications/{application.id}/widget-configs/{widget_config.id}/unpublish | widgetConfigs.unpublish | | application_id config_id display_name surfaces status resolved_assets? published_at~ updated_at
Get Relationships | GET /users/@me/relationships | relationships.list | | [] id type user nickname~ is_spam_request? stranger_request? user_ignored origin_application_id?~ since? has_played_game? note?
Send Friend Request | POST /users/@me/relationships | relationships.sendRequest | username discriminator~ note?~ |
Create Relationship | PUT /users/@me/relationships/{user.id} | relationships.create | type? from_friend_suggestion? confirm_stranger_request? note?~ |
Modify Relationship | PATCH /users/@me/relationships/{user.id} | relationships.update | nickname? |
Remove Relationship | DELETE /users/@me/relationships/{user.id} | relationships.delete | |
Ignore User | PUT /users/@me/relationships/{user.id}/ignore | relationships.ignore | |
Unignore User | DELETE /users/@me/relationships/{user.id}/ignore | relationships.unignore | |
Bulk Remove Relationships | DELETE /users/@me/relationships | relationships.deleteBulk | &relationship_type? &only_spam? filters? |
Bulk Add Relationships | POST /users/@me/relationships/bulk | relationships.addBulk | user_ids token | failed_requests successful_requests
Get Game Relationships | GET /users/@me/game-relationships | gameRelationships.list | | [] id application_id type user? since dm_access_type user_id
Send Game Friend Request | POST /users/@me/game-relationships | gameRelationships.sendRequest | username |
Create Game Relationship | PUT /users/@me/game-relationships/{user.id} | gameRelationships.create | type? |
Create Game Relationship by Application | PUT /users/@me/game-relationships/{user.id}/{application.id} | gameRelationships.createForApplication | type? |
Remove Game Relationship | DELETE /users/@me/game-relationships/{user.id} | gameRelationships.delete | |
Remove Game Relationship by Application | DELETE /users/@me/game-relationships/{user.id}/{application.id} | gameRelationships.deleteForApplication | |
Get Friend Suggestions | GET /friend-suggestions | friendSuggestions.list | | [] suggested_user reasons from_suggested_user_contacts?
Remove Friend Suggestion | DELETE /friend-suggestions/{user.id} | friendSuggestions.delete | |
`

/** The 55 endpoints of the document, in its order. */
export const ENDPOINT_TABLE: readonly EndpointSpec[] = TABLE.trim()
  .split('\n')
  .map((line) => {
    const [name = '', request = '', call = '', params = '', response = ''] = line.split('|').map((cell) => cell.trim())
    const [method = '', path = ''] = request.split(' ')
    return { name, method, path, call: `client.${call}`, params: words(params), response: words(response) }
  })

function words(cell: string): string[] {
  return cell === '' ? [] : cell.split(' ')
}

/** Returns the fields of an object, or of the items of an array, in the notation of the table. */
export function fieldNames(schema: Schema<unknown>): string[] {
  const { kind, of } = definition(schema)
  if (kind === 'array') return ['[]', ...fieldNames(of)]
  return fields(schema).map(([name, field]) => name + mark(field, undefined, '?') + mark(field, null, '~'))
}

/** Returns the fields of an object with their types: `id:string`, `note?~:string`, `games?:array of object`. */
export function typedFields(schema: Schema<unknown>): string[] {
  return fields(schema).map(([name, field]) => {
    return `${name}${mark(field, undefined, '?')}${mark(field, null, '~')}:${typeName(field)}`
  })
}

function fields(schema: Schema<unknown>): [string, Schema<unknown>][] {
  const { kind, of } = definition(schema)
  if (kind === 'rule') return fields(of)
  return kind === 'object' ? Object.entries(of) : []
}

function mark(field: Schema<unknown>, value: unknown, sign: string): string {
  return isValid(field, value) ? sign : ''
}

function typeName(field: Schema<unknown>): string {
  const { kind, of } = definition(field)
  if (kind === 'optional' || kind === 'nullable' || kind === 'rule') return typeName(of)
  if (kind === 'array') return `array of ${typeName(of)}`
  if (kind === 'enum') return of.join('|')
  return kind === 'object' && Object.keys(of).length === 0 ? 'map' : kind
}

function definition(schema: Schema<unknown>): Definition {
  return schema as Definition
}

/** A client method as untyped code calls it. */
type UntypedMethod = (...args: readonly unknown[]) => Promise<unknown>

/** Returns the method that a call such as `client.auth.sessions.list` names. */
export function clientMethod(client: Client, call: string): UntypedMethod | undefined {
  const names = call.split('.').slice(1)
  let owner: unknown
  let found: unknown = client
  for (const name of names) {
    owner = found
    found = typeof owner === 'object' && owner !== null ? Reflect.get(owner, name) : undefined
  }
  if (typeof found !== 'function') return undefined
  return (...args) => Reflect.apply(found, owner, args) as Promise<unknown>
}

/** Methods that combine endpoints of the table, and the live stores. */
export const CONVENIENCES: readonly string[] = [
  'client.auth.loginWithPasskey',
  'client.relationships.accept',
  'client.relationships.block',
  'client.gameRelationships.accept',
  'client.relationships.live',
  'client.gameRelationships.live',
  'client.friendSuggestions.live',
]

/** Returns the names of all methods of all resources of a client. */
export function resourceCalls(client: Client): string[] {
  const resources = ['auth', 'mfa', 'widgets', 'identities', 'widgetConfigs', 'relationships', 'gameRelationships']
  const names = [...resources, 'friendSuggestions', 'auth.sessions']
  return names.flatMap((resource) => {
    const object: unknown = resource
      .split('.')
      .reduce<unknown>((owner, name) => Reflect.get(Object(owner), name), client)
    const isMethod = (name: string) => typeof Reflect.get(Object(object), name) === 'function'
    const methods = Object.getOwnPropertyNames(object).filter(isMethod)
    return methods.map((method) => `client.${resource}.${method}`)
  })
}

/** Returns a client that makes no calls. */
export function idleClient(): Client {
  return new Client({ baseUrl: 'https://service.example' })
}
