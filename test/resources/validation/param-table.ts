import { Client, isRequestValidationError, type RequestValidationError } from 'rapport-sdk'
import { clientMethod, ENDPOINT_TABLE } from '../../contract/endpoint-table'
import { wireCases } from '../wire/cases'

function recordingClient(): { client: Client; bodies: string[] } {
  const bodies: string[] = []
  const client = new Client({
    baseUrl: 'https://service.example',
    token: 'the-token-of-ada',
    onResponseMismatch: 'ignore',
    fetch: async (input, init) => {
      bodies.push(await new Request(input, init).text())
      return Response.json({ token: 'a-new-token' })
    },
  })
  return { client, bodies }
}

/** Makes a call that must be rejected before anything is sent, and returns the error. */
export async function validationErrorOf(call: string, ...args: readonly unknown[]): Promise<RequestValidationError> {
  const { client, bodies } = recordingClient()
  const send = clientMethod(client, call)
  if (send === undefined) throw new Error(`there is no ${call}`)
  const outcome = await send(...args).then(
    () => new Error(`${call} was not rejected`),
    (reason: unknown) => reason,
  )
  if (bodies.length > 0) throw new Error(`${call} was sent: ${bodies.join()}`)
  if (!isRequestValidationError(outcome)) throw outcome
  return outcome
}

/** Returns the issues of a rejected call, one line each: `password: too_short, limit 8, actual 7`. */
export async function issuesOf(call: string, ...args: readonly unknown[]): Promise<string[]> {
  const { issues } = await validationErrorOf(call, ...args)
  return issues.map(({ path, code, limit, ...rest }) => {
    const actual = 'actual' in rest ? `, actual ${JSON.stringify(rest.actual)}` : ''
    return `${path.join('.')}: ${code}${limit === undefined ? '' : `, limit ${limit}`}${actual}`
  })
}

/** Makes a call and returns the body that was sent. */
export async function sentBody(call: string, ...args: readonly unknown[]): Promise<unknown> {
  const { client, bodies } = recordingClient()
  const send = clientMethod(client, call)
  if (send === undefined) throw new Error(`there is no ${call}`)
  await send(...args)
  const [text = ''] = bodies
  return text === '' ? undefined : JSON.parse(text)
}

/** A parameter of a call and its type in the API document. */
interface ParamSpec {
  readonly field: string
  readonly type: string
  readonly isOptional: boolean
  readonly isNullable: boolean
}

// API, "Endpoints": `?` marks an optional parameter, `~` a nullable one.
const TYPES: Readonly<Record<string, string>> = {
  'auth.sessions.logout': 'session_id_hashes:array',
  'auth.login': 'login:string password:string undelete?:boolean login_source?~:enum gift_code_sku_id?~:string',
  'auth.verifyMfaLogin':
    'ticket:string login_instance_id?:string code:string login_source?~:enum gift_code_sku_id?~:string',
  'auth.finishPasswordlessLogin': 'ticket:string credential:string login_source?~:enum gift_code_sku_id?~:string',
  'auth.authorizeIp': 'token:string',
  'auth.createHandoffToken': 'key:string',
  'auth.exchangeHandoffToken': 'key:string handoff_token:string',
  'auth.register': `username?:string global_name?~:string email?:string phone_token?:string password?:string
    date_of_birth?:string fingerprint?:string invite?~:string guild_template_code?~:string gift_code_sku_id?~:string
    consent?:boolean promotional_email_opt_in?:boolean`,
  'auth.registerPhone': 'phone:string',
  'auth.validatePassword': 'password:string',
  'auth.suggestUsername': 'global_name?:string',
  'auth.checkUsername': 'username:string',
  'auth.logout': 'provider?:string token?:string voip_provider?:string voip_token?:string',
  'auth.forgotPassword': 'login:string',
  'auth.resetPassword': 'token:string password:string source?:string method?:string ticket?:string code?:string',
  'auth.oneTimeLogin': 'ticket:string',
  'auth.revertAccount': 'token:string password:string',
  'mfa.finish': 'ticket:string mfa_type:string data:string',
  'mfa.sendSms': 'ticket:string',
  'widgets.replace': 'widgets:array',
  'identities.listBulk': 'user_ids:array',
  'identities.updateProfile': 'username?:string metadata?:object data?:object',
  'identities.list': 'with_profiles?:boolean',
  'identities.updateConfig': 'connection_visible?:string',
  'widgetConfigs.create': 'display_name:string surfaces:object',
  'widgetConfigs.update': 'display_name?:string surfaces:object',
  'relationships.sendRequest': 'username:string discriminator~:string note?~:string',
  'relationships.create': `type?:enum from_friend_suggestion?:boolean confirm_stranger_request?:boolean note?~:string`,
  'relationships.update': 'nickname?:string',
  'relationships.deleteBulk': 'relationship_type?:enum only_spam?:boolean filters?:array',
  'relationships.addBulk': 'user_ids:array token:string',
  'gameRelationships.sendRequest': 'username:string',
  'gameRelationships.create': 'type?:enum',
  'gameRelationships.createForApplication': 'type?:enum',
}

/** A call with valid values for all its parameters. */
interface ParamCase {
  readonly call: string
  readonly path: readonly string[]
  readonly params: Readonly<Record<string, unknown>>
  readonly fields: readonly ParamSpec[]
}

/** All calls with parameters. */
export const paramCases: readonly ParamCase[] = Object.entries(TYPES).map(([method, types]) => {
  const call = `client.${method}`
  const row = ENDPOINT_TABLE.find((parseSpecs) => parseSpecs.call === call)
  const wire = wireCases.find(({ name }) => name === row?.name)
  if (row === undefined || wire === undefined) throw new Error(`the document has no ${call}`)
  const query = [...new URL(wire.url, 'https://service.example').searchParams].map(([name, text]) => [
    name,
    parseQuery(text),
  ])
  const path = Array.from(row.path.matchAll(/\{([^{}]+)\}/g), ([, name = '']) =>
    name.endsWith('.id') ? '101' : 'totp',
  )
  return { call, path, params: { ...Object.fromEntries(query), ...Object(wire.body) }, fields: facts(types) }
})

function facts(types: string): ParamSpec[] {
  return types.split(/\s+/).map((word) => {
    const [, field = '', mark = '', type = ''] = /^(\w+)([?~]*):(\w+)$/.exec(word) ?? []
    return { field, type, isOptional: mark.includes('?'), isNullable: mark.includes('~') }
  })
}

/** Parses a query parameter into the value that a caller passes. */
function parseQuery(text: string): unknown {
  return /^(\d+|true|false)$/.test(text) ? JSON.parse(text) : text
}
