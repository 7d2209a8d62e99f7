// Compares a running service with the API document and the conventions, by sending requests.
import { throwIfAborted } from '../abort'
import { type BaseClient, type ClientCore, coreOf } from '../client/base-client'
import type { Endpoint } from '../contract/endpoint'
import { identities } from '../contract/identities'
import { endpoints } from '../contract/index'
import { logout } from '../contract/login'
import { listRelationships, RelationshipType, relationships } from '../contract/relationships'
import { WidgetConfigStatus, widgetConfigs } from '../contract/widget-configs'
import { isRapportError, RapportError } from '../errors/base'
import { isConnectionError, isTimeoutError } from '../errors/client-errors'
import type { GatewayOptions } from '../gateway/options'
import { createIssue, type Issue } from '../internal/issue'
import { readField } from '../internal/json'
import {
  type Checks,
  createCheck,
  functionOption,
  nonNegativeInteger,
  objectOption,
  readOptions,
  signalOption,
} from '../internal/options'
import { fillPath } from '../transport/request'
import type { MaybePromise } from '../types/options'
import { conventions } from './conventions'
import { ENDED, GatewayCheck } from './gateway-check'
import { type Answer, findFieldErrors, INVALID, Probe, Stopped } from './probe'
import { Findings, type ServiceReport } from './report'
import { endSession, type SignInParams, signIn, stepUp } from './sign-in-check'

/** A change that a check may make, and undoes; see {@link CheckServiceOptions}. */
export type WriteCheck = `nickname:${string}` | `widget-config:${string}` | 'logout'

/** Options of {@link checkService}. */
export interface CheckServiceOptions {
  /**
   * Account to sign in with, so that sign-in is checked too; the check then uses that session only, and signs out at the
   * end. The client's `onMfaRequired` obtains the second factor.
   * @default the token of the client
   */
  readonly signIn?: SignInParams | undefined
  /**
   * Changes to make: `nickname:<user ID>` sets the nickname of a friend who has one, and restores it;
   * `widget-config:<application ID>` creates a widget config and deletes it; `logout` ends the session of `signIn` by Logout
   * Auth Sessions, to see a step-up.
   * @default none: only GETs, and one Identify if the client has the option `gateway`
   */
  readonly write?: readonly WriteCheck[] | undefined
  /** Receives each step before it is done, and what could not be undone. */
  readonly onStep?: ((step: string) => MaybePromise<void>) | undefined
  /**
   * Minimum time between the starts of two requests, in milliseconds.
   * @default 1_000
   */
  readonly intervalMs?: number | undefined
  /**
   * Time to wait for a frame of the gateway, in milliseconds.
   * @default 10_000
   */
  readonly timeoutMs?: number | undefined
  /** Ends the check; changes are undone before it rejects. */
  readonly signal?: AbortSignal | undefined
}

const OPTIONS: Checks<CheckServiceOptions> = {
  signIn: objectOption,
  write: createCheck(
    'an array of nickname:<user>, widget-config:<application> and logout',
    (value) => Array.isArray(value) && value.every(isWriteCheck),
  ),
  onStep: functionOption,
  intervalMs: nonNegativeInteger,
  timeoutMs: nonNegativeInteger,
  signal: signalOption,
}

/** Whether a text names a change that a check may make. */
export function isWriteCheck(text: unknown): text is WriteCheck {
  return /^(?:nickname:\d+|widget-config:\d+|logout)$/.test(String(text))
}

/**
 * Compares a service with the API document and with the conventions that the client assumes: by its options, or the
 * defaults. Sends GETs, one of them without a token, and one Identify with the option `gateway`; more only if `signIn` or
 * `write` says so. Sends at most one request a second, and follows no redirect. After a 429 it waits as long as the service
 * asks, at most a minute, and then only undoes changes, signs out, and identifies with the token that has ended. The report
 * contains no secrets, names and IDs.
 *
 * @throws RequestValidationError if an option is invalid.
 * @throws RapportError if the service cannot be checked: it accepts neither token nor account, or does not respond.
 *
 * @example
 * import { Client } from 'rapport-sdk'
 * import { checkService } from 'rapport-sdk/doctor'
 *
 * const client = new Client({ baseUrl: 'https://service.example', token: 'a token' })
 * const { conventions, differences } = await checkService(client)
 * console.log(conventions.filter(({ status }) => status === 'different'), differences)
 */
export async function checkService(client: BaseClient, options: CheckServiceOptions = {}): Promise<ServiceReport> {
  const issues: Issue[] = []
  const read = readOptions(options, OPTIONS, issues)
  if (issues.length === 0 && read.write?.includes('logout') && !read.signIn)
    issues.push(createIssue(['write'], 'invalid_value', 'logout needs `signIn`: only that session may end'))
  const core = coreOf(client, 'checkService', issues)
  await client.ready
  return new ServiceCheck(core, read).run()
}

/** Schemes that are tried if the service does not accept what the client sends; `''` is the token alone. */
const SCHEMES = ['', 'Bearer', 'Token']
/** Nickname and name of what the check creates. */
const OWN_NAME = 'rapport-doctor'
/** Conventions that only a session of the gateway shows. */
const OF_GATEWAY = /^(?:gateway(?!CloseCodes)|ready|event)/

class ServiceCheck {
  readonly #findings = new Findings()
  readonly #probe: Probe
  readonly #gateway: GatewayCheck | undefined
  readonly #answers = new Map<string, Answer | undefined>()
  /** What undoes the changes so far. */
  readonly #undo: { readonly text: string; readonly run: () => Promise<Answer> }[] = []
  readonly #values: Record<string, string> = {}
  #token: string | null

  constructor(
    { transport, session }: ClientCore,
    readonly options: CheckServiceOptions,
  ) {
    const { signal = new AbortController().signal, onStep, intervalMs = 1000, timeoutMs = 10_000 } = options
    this.#probe = new Probe(transport.config, this.#findings, { signal, onStep, intervalMs })
    const gateway: GatewayOptions | undefined = Reflect.get(transport.config, 'gateway')
    this.#gateway = gateway && new GatewayCheck(gateway, this.#probe, timeoutMs)
    this.#token = session.token
    this.#findings.hide(session.token, ...Object.values(options.signIn ?? {}))
    this.#learn('user.id', session.user?.id)
  }

  async run(): Promise<ServiceReport> {
    const { write = [] } = this.options
    const gateway = this.#gateway
    try {
      throwIfAborted(this.#probe.signal)
      await this.#signIn()
      await this.#authorize()
      if (this.#token !== null) await gateway?.identify(this.#token)
      this.#learn('user.id', readField(readField(gateway?.ready, 'user'), 'id'))
      for (const change of write) {
        const [kind, id = ''] = change.split(':')
        if (kind === 'nickname') await this.#changeNickname(id)
        if (kind === 'widget-config') await this.#createConfig(id)
      }
      if (this.#token !== null && (await gateway?.resume(this.#token))) await gateway?.close()
      // Before the other GETs, which may end with a 429.
      const jwt = write.includes('logout') ? await stepUp(this.#probe) : undefined
      await this.#readAll()
      if (write.includes('logout') && this.#token !== null)
        if (await endSession(this.#probe, this.#token, gateway, jwt)) this.#undo.shift()
    } catch (error) {
      if (!(error instanceof Stopped)) throw error
    } finally {
      await this.#undoTo(0)
      await gateway?.close(ENDED)
    }
    const { stopped, notUndone } = this.#probe
    // Also after a 429: the gateway has limits of its own.
    if (this.options.signIn && this.#token !== null && notUndone.length === 0)
      await gateway?.identifyInVain(this.#token)
    for (const { endpoint } of endpoints)
      if (endpoint.method === 'GET' && !this.#answers.has(endpoint.name))
        this.#findings.skipEndpoint(endpoint.name, stopped ?? 'the check ended before it')
    for (const { name } of conventions)
      if (gateway?.ready === undefined && OF_GATEWAY.test(name))
        this.#findings.skip(name, gateway ? 'there was no session' : 'needs the address of the gateway')
    return this.#findings.report(notUndone)
  }

  /** Notes the value of a path parameter. */
  #learn(name: string, value: unknown): void {
    if (typeof value === 'string' && value !== '') this.#values[name] ??= value
  }

  // The session of the check.

  async #signIn(): Promise<void> {
    const params = this.options.signIn
    if (!params) return
    const { authorize = (token: string) => token } = this.#probe.config
    try {
      const { token, userId } = await signIn(this.#probe, params)
      this.#undo.push({ text: 'sign out', run: () => this.#probe.request(logout.logout, { body: {} }) })
      this.#token = token
      this.#findings.hide(token)
      this.#learn('user.id', userId)
      this.#probe.authorization = authorize(token)
    } catch (error) {
      if (isConnectionError(error) || isTimeoutError(error))
        this.#undo.push({ text: 'sign out, if the sign-in has started a session', run: () => Promise.reject(error) })
      throw error
    }
  }

  /** Finds out how the service wants the token. */
  async #authorize(): Promise<void> {
    const { authorize = (token: string) => token } = this.#probe.config
    const { facts } = this.#findings
    const token = this.#token
    const { isSuccess, status, seen } = await this.#probe.request(listRelationships, { authorization: null })
    if (status === 429 || status >= 500) {
      this.#findings.skip('unauthorizedStatus', `status ${status}`)
      this.#findings.skipEndpoint(listRelationships.name, `status ${status} without a token`)
    } else {
      this.#findings.record('unauthorizedStatus', status === 401, `status ${status}`)
      this.#findings.record('tokenRequirement', !isSuccess, isSuccess ? 'no token needed' : 'token needed')
      if (!isSuccess) facts.unauthorized = seen
    }
    if (token === null) return
    const own = authorize(token)
    let refused = 0
    for (const authorization of new Set([own, ...SCHEMES.map((name) => `${name} ${token}`.trim())])) {
      const answer = await this.#probe.request(listRelationships, { authorization })
      this.#probe.throwIfStopped()
      if (answer.status >= 500) throw new RapportError(`The service responded with status ${answer.status}.`)
      refused = answer.status
      if (!answer.isSuccess) continue
      this.#answers.set(listRelationships.name, answer)
      this.#probe.authorization = authorization
      // Of one that needs no token nobody knows.
      if (isSuccess) return this.#findings.skip('authorizationScheme', 'the service needs no token')
      const scheme = authorization.endsWith(` ${token}`) ? authorization.slice(0, -token.length - 1) : null
      facts.scheme = scheme === null ? null : this.#findings.name(scheme)
      const shown = scheme === null ? 'the token alone' : `scheme ${facts.scheme}`
      return this.#findings.record('authorizationScheme', authorization === own, shown)
    }
    const refusal = `status ${refused}.${refused === 404 ? ' Is the path of the URL right?' : ''}`
    throw new RapportError(`The service accepts the token neither alone nor with a scheme such as Bearer: ${refusal}`)
  }

  // Changes and their undo.

  async #changeNickname(id: string): Promise<void> {
    const { update } = relationships
    const list: unknown = this.#answers.get(listRelationships.name)?.body
    const friend: unknown = Array.isArray(list) ? list.find((one) => readField(one, 'id') === id) : undefined
    const nickname = readField(friend, 'nickname')
    if (readField(friend, 'type') !== RelationshipType.FRIEND || typeof nickname !== 'string' || nickname === '')
      return this.#findings.skipEndpoint(update.name, 'the user is not a friend with a nickname')
    const set = (name: string) => () =>
      this.#probe.request(update, { path: { 'user.id': id }, body: { nickname: name } })
    const own = nickname === OWN_NAME ? `${OWN_NAME}-2` : OWN_NAME
    await this.#change(update, set(own), 'restore the nickname of the friend', set(nickname))
  }

  async #createConfig(id: string): Promise<void> {
    const path = { 'application.id': id }
    let configId: unknown
    const create = async () => {
      const body = { display_name: OWN_NAME, surfaces: {} }
      const created = await this.#probe.request(widgetConfigs.create, { path, body })
      configId = readField(created.body, 'config_id')
      const status = readField(created.body, 'status')
      if (!created.isSuccess) return created
      this.#findings.record('widgetConfigStatus', status === WidgetConfigStatus.draft, this.#findings.name(status))
      if (status === 'draft' || status === 'published') this.#findings.facts.policy.newConfigStatus = status
      return created
    }
    await this.#change(widgetConfigs.create, create, `delete the widget config ${OWN_NAME} of the application`, () =>
      this.#probe.request(widgetConfigs.delete, { path: { ...path, 'widget_config.id': String(configId ?? '') } }),
    )
  }

  /** Makes a change and undoes it, unless it was not sent, or the service has refused it. */
  async #change({ name }: Endpoint, make: () => Promise<Answer>, text: string, run: () => Promise<Answer>) {
    const { sent } = this.#probe
    const before = this.#undo.push({ text, run }) - 1
    try {
      const { status } = await make()
      if (status >= 300) this.#findings.skipEndpoint(name, `status ${status}`)
      else if (this.#gateway && name === relationships.update.name) this.#gateway.update = 'missed'
      if (status >= 400 && status < 500) this.#undo.pop()
    } catch (error) {
      if (this.#probe.sent === sent) this.#undo.pop()
      throw error
    }
    await this.#undoTo(before)
  }

  /** Undoes the last changes, all but the first `count`. */
  async #undoTo(count: number): Promise<void> {
    for (const { text, run } of this.#undo.splice(count).reverse()) await this.#probe.undo(text, run)
  }

  // GETs.

  async #readAll(): Promise<void> {
    const all = endpoints.map(({ endpoint }) => endpoint).filter(({ method }) => method === 'GET')
    // First those that need nothing: their answers have what others need.
    const needs = ({ path }: Endpoint) => path.split('{').length
    for (const endpoint of all.toSorted((one, other) => needs(one) - needs(other))) {
      if (this.#probe.stopped !== undefined) return
      if (!this.#answers.has(endpoint.name)) await this.#read(endpoint)
    }
  }

  async #read(endpoint: Endpoint): Promise<void> {
    const { name, auth } = endpoint
    const { profile = '', ...values } = this.#values
    const path: Record<string, string> =
      name === identities.getProfile.name ? { ...values, 'application.id': profile } : values
    const missing = fillPath(endpoint.path, (parameter) => path[parameter]).issues.flatMap((issue) => issue.path)
    if (auth === 'token' && this.#token === null) missing.push('a token')
    this.#answers.set(name, undefined)
    if (missing.length > 0) return this.#findings.skipEndpoint(name, `needs ${missing.join(', ')}`, false)
    try {
      const answer = await this.#probe.request(endpoint, { path, ...(auth === 'none' && { authorization: null }) })
      if (answer.isSuccess) this.#learnValues(endpoint, answer.body)
      // An account may lack a permission, or have nothing there.
      else this.#findings.skipEndpoint(name, `status ${answer.status}`, ![403, 404].includes(answer.status))
      if (answer.isSuccess && name === identities.list.name) await this.#readFieldErrors(path)
    } catch (error) {
      throwIfAborted(this.#probe.signal)
      if (!isRapportError(error)) throw error
      this.#findings.skipEndpoint(name, error.message.replace(`${name}: `, ''))
    }
  }

  #learnValues({ name }: Endpoint, body: unknown): void {
    const first = Array.isArray(body) ? body[0] : readField(readField(body, 'identities'), '0')
    this.#learn('user.id', readField(first, 'user_id'))
    this.#learn('external_user_id', readField(first, 'provider_issued_user_id'))
    if (name === identities.list.name) this.#learn('profile', readField(first, 'application_id'))
    if (name === widgetConfigs.developer.name)
      this.#learn('application.id', Object.keys(Object(readField(body, 'configs')))[0])
  }

  /** Sends a query parameter of another type, for the format of field errors. */
  async #readFieldErrors(path: Readonly<Record<string, string>>): Promise<void> {
    const query = `?${INVALID.join('=')}`
    const { status, body, failure } = await this.#probe.request(identities.list, { path, query })
    if (status === 429 || status >= 500)
      this.#findings.skipEndpoint(identities.list.name, `status ${status} for an invalid query`)
    if (status < 300) return this.#findings.skip('fieldErrors', 'the service accepts an invalid query parameter')
    if (status !== 400 && status !== 422) return this.#findings.skip('fieldErrors', `status ${status}`)
    const place = findFieldErrors(body, (name) => this.#findings.name(name))
    this.#findings.facts.fieldErrors = place
    const seen = place ? `a ${place.form} in \`${place.path.join('.')}\`` : `status ${status} in another form`
    this.#findings.record('fieldErrors', failure.fieldErrors.length > 0, seen, !!place)
  }
}

const CHANGES: Readonly<Record<string, string>> = {
  nickname: 'change the nickname of the friend, and restore it',
  'widget-config': 'create a widget config of the application, and delete it',
  logout: 'end the session of the sign-in by Logout Auth Sessions, with a second factor',
}

/** Returns the steps of a check in words, to be shown before it starts. */
export function planCheck({ signIn, write = [] }: CheckServiceOptions, hasGateway: boolean): string[] {
  return [
    ...(signIn ? ['sign in, and sign out at the end'] : []),
    ...(signIn?.wrongCode ? ['send one wrong code of the second factor'] : []),
    'GET relationships without a token, then with it, up to four forms of `Authorization`',
    ...(hasGateway ? ['one Identify, a heartbeat and a Resume at the gateway'] : []),
    ...write.map((change) => CHANGES[change.split(':')[0] ?? ''] ?? change),
    'all other GETs of the API document whose parameters are known, one of them also with an invalid query',
    ...(signIn && hasGateway ? ['one Identify with the token that has ended'] : []),
  ]
}
