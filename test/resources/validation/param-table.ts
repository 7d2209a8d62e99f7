import { ENDPOINT_TABLE } from '../../contract/endpoint-table'
import { wireCases } from '../wire/cases'

/** A field of a call and the kind of value that the document gives it. */
export interface ParamFacts {
  readonly field: string
  readonly kind: string
  readonly isOptional: boolean
  readonly isNullable: boolean
}

// Kinds: text, flag, list, object, and choice of the values of an enumeration. Interface, "Endpoints".
const KINDS: Readonly<Record<string, string>> = {
  'auth.sessions.logout': 'session_id_hashes:list',
  'auth.login': 'login:text password:text undelete?:flag login_source?~:choice gift_code_sku_id?~:text',
  'auth.verifyMfaLogin': 'ticket:text login_instance_id?:text code:text login_source?~:choice gift_code_sku_id?~:text',
  'auth.finishPasswordlessLogin': 'ticket:text credential:text login_source?~:choice gift_code_sku_id?~:text',
  'auth.authorizeIp': 'token:text',
  'auth.createHandoffToken': 'key:text',
  'auth.exchangeHandoffToken': 'key:text handoff_token:text',
  'auth.register': `username?:text global_name?~:text email?:text phone_token?:text password?:text
    date_of_birth?:text fingerprint?:text invite?~:text guild_template_code?~:text gift_code_sku_id?~:text
    consent?:flag promotional_email_opt_in?:flag`,
  'auth.registerPhone': 'phone:text',
  'auth.validatePassword': 'password:text',
  'auth.suggestUsername': 'global_name?:text',
  'auth.checkUsername': 'username:text',
  'auth.logout': 'provider?:text token?:text voip_provider?:text voip_token?:text',
  'auth.forgotPassword': 'login:text',
  'auth.resetPassword': 'token:text password:text source?:text method?:text ticket?:text code?:text',
  'auth.oneTimeLogin': 'ticket:text',
  'auth.revertAccount': 'token:text password:text',
  'mfa.finish': 'ticket:text mfa_type:text data:text',
  'mfa.sendSms': 'ticket:text',
  'widgets.replace': 'widgets:list',
  'identities.listBulk': 'user_ids:list',
  'identities.updateProfile': 'username?:text metadata?:object data?:object',
  'identities.list': 'with_profiles?:flag',
  'identities.updateConfig': 'connection_visible?:text',
  'widgetConfigs.create': 'display_name:text surfaces:object',
  'widgetConfigs.update': 'display_name?:text surfaces:object',
  'relationships.sendRequest': 'username:text discriminator~:text note?~:text',
  'relationships.create': `type?:choice from_friend_suggestion?:flag confirm_stranger_request?:flag note?~:text`,
  'relationships.update': 'nickname?:text',
  'relationships.deleteBulk': 'relationship_type?:choice only_spam?:flag filters?:list',
  'relationships.addBulk': 'user_ids:list token:text',
  'gameRelationships.sendRequest': 'username:text',
  'gameRelationships.create': 'type?:choice',
  'gameRelationships.createForApplication': 'type?:choice',
}

/** A call that takes parameters, with a full set of them. */
export interface ParamCase {
  readonly call: string
  readonly path: readonly string[]
  readonly params: Readonly<Record<string, unknown>>
  readonly fields: readonly ParamFacts[]
}

/** The calls that take parameters. */
export const paramCases: readonly ParamCase[] = Object.entries(KINDS).map(([method, kinds]) => {
  const call = `client.${method}`
  const row = ENDPOINT_TABLE.find((facts) => facts.call === call)
  const wire = wireCases.find(({ name }) => name === row?.name)
  if (row === undefined || wire === undefined) throw new Error(`the document has no ${call}`)
  const query = [...new URL(wire.url, 'https://service.example').searchParams].map(([name, text]) => [name, read(text)])
  const path = Array.from(row.path.matchAll(/\{([^{}]+)\}/g), ([, name = '']) =>
    name.endsWith('.id') ? '101' : 'totp',
  )
  return { call, path, params: { ...Object.fromEntries(query), ...Object(wire.body) }, fields: facts(kinds) }
})

function facts(kinds: string): ParamFacts[] {
  return kinds.split(/\s+/).map((word) => {
    const [, field = '', mark = '', kind = ''] = /^(\w+)([?~]*):(\w+)$/.exec(word) ?? []
    return { field, kind, isOptional: mark.includes('?'), isNullable: mark.includes('~') }
  })
}

/** A query parameter as the caller gave it. */
function read(text: string): unknown {
  return /^(\d+|true|false)$/.test(text) ? JSON.parse(text) : text
}
