// A mock with accounts, tokens and IDs in the place of the names of a recording.
import { AuthenticatorType } from '../../src/contract/mfa'
import { RelationshipType } from '../../src/contract/relationships'
import { isObject, readField } from '../../src/internal/json'
import { decodeError } from '../errors'
import { parseBody, type ServiceRequest } from '../request'
import { rowNamed } from '../router'
import { createMockService, type MockService, type MockServiceOptions } from '../service'
import { isName, mapPath, payloadOf, type RecordedCall, type RecordedEntry, type RecordedFrame } from './format'

const PASSWORD = 'correct horse battery staple'
/** Fields with secrets that come by mail or SMS, or from other programs. */
const FOREIGN = ['token', 'phone_token', 'ticket', 'handoff_token'] as const

export class Counterparts {
  readonly service: MockService
  readonly #calls: readonly RecordedCall[]
  /** Values of the mock by name of the recording. */
  readonly #values = new Map<string, string>()
  readonly #frames = new Map<number, unknown[]>()

  constructor(entries: readonly RecordedEntry[], options: MockServiceOptions) {
    this.service = createMockService(options)
    this.#calls = entries.filter((entry) => entry.kind === 'call')
    this.#befriend()
  }

  /** Reads an error as the policy writes it. */
  errorOf(body: unknown) {
    return decodeError(body, this.service.policy.errorEnvelope)
  }

  /** Returns the request of a call with values of the mock, or why there can be none. */
  requestOf(call: RecordedCall): ServiceRequest | string {
    const { request, response, endpoint } = call
    const row = rowNamed(endpoint)
    if (row === undefined || request.unparsed || response.unparsed) return 'request or response were not JSON'
    if (response.status >= 500 || response.status === 429) return 'failures and limits of the service depend on time'
    const isSuccess = response.status < 400
    this.#signIn(call)
    const sent = request.body
    const isUnknown = (value: unknown) => isName(value) && !this.#values.has(value)
    const unknown = FOREIGN.map((field) => readField(sent, field)).find(isUnknown)
    if (isSuccess && unknown !== undefined) return `only a mail, an SMS or another program has its ${unknown}`
    const code = this.#codeFor(call)
    if (isSuccess && code === null) return 'the mock has no such second factor, or did not send its code'
    const translate = (value: unknown, field: string): unknown => {
      if (Array.isArray(value)) return value.map((item) => translate(item, field))
      if (isName(value)) return value.startsWith('code-') ? (code ?? '000000') : this.#valueOf(value, field, call)
      if (!isObject(value)) return value
      return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, translate(item, key)]))
    }
    const path = mapPath(row.path, request.path, (text, name) => encodeURIComponent(String(translate(text, name))))
    const query = new URLSearchParams(
      Object.entries(request.query).map(([name, text]) => [name, String(translate(text, name))]),
    )
    const headers = Object.entries(request.headers).map(([name, text]): [string, string] => {
      const [, scheme = '', value = ''] = /^(\S+ +)?(.*)$/.exec(text) ?? []
      return [name, scheme + String(translate(value, name))]
    })
    return {
      method: row.method,
      url: `${this.service.baseUrl}${path}${query.size === 0 ? '' : `?${query}`}`,
      headers: new Headers([['content-type', 'application/json'], ...headers]),
      body: sent === undefined ? '' : JSON.stringify(translate(sent, '')),
      ip: '127.0.0.1',
    }
  }

  /** Remembers the values of the mock for the names at the same places of a recorded response. */
  bind(recorded: unknown, value: unknown): void {
    if (isName(recorded) && typeof value === 'string') {
      if (!this.#values.has(recorded)) this.#values.set(recorded, value)
    } else if (isObject(recorded) && isObject(value)) {
      for (const [key, item] of Object.entries(recorded)) this.bind(item, readField(value, key))
    }
  }

  /** Sends a frame of a client; with Identify or Resume, it connects. */
  sendFrame({ connection, frame, account }: RecordedFrame): void {
    const token = payloadOf(frame, 'token')
    if (!isName(token) || account === null || this.#frames.has(connection)) return
    const frames: unknown[] = []
    const send = (data: string | Uint8Array) => {
      const parsed = parseBody(String(data))
      if (parsed.kind === 'value') frames.push(parsed.value)
    }
    const peer = { url: this.service.gateway.url, send, close: () => {}, terminate: () => {} }
    const link = this.service.gateway.connect(peer)
    this.#frames.set(connection, frames)
    const session = payloadOf(frame, 'session_id')
    const ids = isName(session) ? { session_id: this.#values.get(session) } : {}
    const payload = { ...Object(readField(frame, 'd')), ...ids, token: this.#tokenOf(token, account) }
    link?.receive(JSON.stringify({ ...Object(frame), d: payload }))
  }

  /** Returns the frames that the mock sent on a connection; `undefined` if it has none. */
  framesOf(connection: number): readonly unknown[] | undefined {
    return this.#frames.get(connection)
  }

  #userOf(account: string): string {
    const known = this.#values.get(account)
    if (known !== undefined) return known
    const login = `${account}@recording.example`
    const mfa = this.#factorsOf(account)
    const { id } = this.service.users.create({ login, username: account, password: PASSWORD, mfa })
    this.#values.set(account, id)
    return id
  }

  /** Returns the second factors that a sign-in or a step-up of an account named. */
  #factorsOf(account: string): AuthenticatorType[] {
    const isNamed = (type: string) =>
      this.#calls.some(({ account: owner, response: { body } }) => {
        const flag = readField(body, type)
        const isAsked = readField(body, 'user_id') === account && readField(body, 'mfa') === true
        if (isAsked) return flag === true || isName(flag)
        const methods = readField(this.errorOf(body).mfa, 'methods')
        return owner === account && Array.isArray(methods) && methods.some((one) => readField(one, 'type') === type)
      })
    return Object.values(AuthenticatorType).filter((type) => type !== 'password' && isNamed(type))
  }

  /** Makes the login and the password of a call those of the account that it signed in, or that is disabled. */
  #signIn({ endpoint, request, response }: RecordedCall): void {
    if (endpoint !== 'Login Account') return
    const [login, password] = [readField(request.body, 'login'), readField(request.body, 'password')]
    const account = readField(response.body, 'user_id')
    const { code } = this.errorOf(response.body)
    if (!isName(login) || !isName(password)) return
    if (isName(account)) {
      const { email } = this.service.users.get(this.#userOf(account))
      this.#values.set(login, email ?? '').set(password, PASSWORD)
    } else if ((code === 20013 || code === 20011) && !this.#values.has(login)) {
      const { id, email } = this.service.users.create({ login: `${login}@recording.example`, password: PASSWORD })
      this.#values.set(login, email ?? '').set(password, PASSWORD)
      if (code === 20013) this.service.users.disable(id)
      else this.service.users.scheduleDeletion(id)
    }
  }

  /** Returns a code that the mock accepts; `undefined` if the call has none or was refused, `null` if there is none. */
  #codeFor({ endpoint, account, request, response }: RecordedCall): string | null | undefined {
    const { body, path } = request
    const isNeeded = ['code', 'data', 'credential'].some((field) => isName(readField(body, field)))
    if (!isNeeded || response.status >= 400) return undefined
    const ticket = readField(body, 'ticket')
    const issued = this.#calls.find(({ response: { body: found } }) =>
      [readField(found, 'ticket'), readField(this.errorOf(found).mfa, 'ticket')].includes(ticket),
    )
    const owner = account ?? readField(issued?.response.body, 'user_id')
    if (!isName(owner)) return null
    const user = this.#userOf(owner)
    const { users, sms } = this.service
    const { phone, mfa } = users.get(user)
    const inPath = endpoint === 'Verify MFA Login' && path.split('/').at(-1)
    switch (readField(body, 'mfa_type') ?? readField(body, 'method') ?? inPath) {
      case 'totp':
        return mfa.includes('totp') ? users.totp(user) : null
      case 'backup':
        return users.backupCodes(user)[0] ?? null
      case 'sms': {
        const sent = sms.all().findLast(({ to, kind }) => to === phone && kind === 'mfa')
        return sent?.kind === 'mfa' ? sent.code : null
      }
      case 'password':
        return PASSWORD
      default:
        return null
    }
  }

  /** Returns the value of the mock for a name, which it creates if the call needs it. */
  #valueOf(name: string, field: string, call: RecordedCall): string {
    const known = this.#values.get(name)
    if (known !== undefined) return known
    const value = this.#create(name, field, call)
    this.#values.set(name, value)
    return value
  }

  #create(name: string, field: string, call: RecordedCall): string {
    const [kind = '', digits = ''] = name.split('-')
    const { users, applications, fingerprint } = this.service
    const isSuccess = call.response.status < 400
    const login = `${name}@recording.example`
    if (kind === 'account') return this.#userOf(name)
    if (field === 'authorization') return this.#tokenOf(name, call.account ?? '')
    if (kind === 'fingerprint') return fingerprint()
    if (kind === 'login') return login
    if (kind === 'phone') return `+1555${digits.padStart(7, '0')}`
    if (kind === 'password') return `${name} of a recording`
    if (field === 'username' && isSuccess && call.endpoint.endsWith('Friend Request')) {
      users.create({ login, username: name })
    }
    if (kind !== 'id') return name
    if (isSuccess && /^user\.?_?ids?$/.test(field)) return this.#userOf(name)
    if (isSuccess && field === 'application.id' && call.account !== null)
      return applications.create({ owner: this.#userOf(call.account) }).id
    // No user of the mock has it.
    return `9${digits.padStart(17, '0')}`
  }

  /** Returns the token of an account; its name, which is invalid, if the service never accepted it. */
  #tokenOf(name: string, account: string): string {
    const known = this.#values.get(name)
    if (known !== undefined) return known
    const isRefused = ({ request, response }: RecordedCall) => {
      const { code, mfa } = this.errorOf(response.body)
      const isStepUp = code === 60003 || mfa !== undefined
      return request.headers.authorization?.endsWith(name) === true && response.status === 401 && !isStepUp
    }
    const value = this.#calls.some(isRefused) ? name : this.service.token(this.#userOf(account))
    this.#values.set(name, value)
    return value
  }

  /** Creates the relationships that an account had before the first change. */
  #befriend(): void {
    for (const { account, endpoint, request, response } of this.#calls) {
      if (request.path.startsWith('/users/@me/relationships') && rowNamed(endpoint)?.method !== 'GET') return
      if (account === null || endpoint !== 'Get Relationships' || !Array.isArray(response.body)) continue
      for (const item of response.body) {
        const id: unknown = readField(item, 'id')
        const act = ACTIONS.get(readField(item, 'type'))
        if (isName(id)) act?.(this.service.relationships, this.#userOf(account), this.#userOf(id))
      }
    }
  }
}

/** How the relationships of a list came to be. */
const ACTIONS: ReadonlyMap<unknown, (by: MockService['relationships'], own: string, other: string) => void> = new Map([
  [RelationshipType.FRIEND, (by, own, other) => by.befriend(own, other)],
  [RelationshipType.BLOCKED, (by, own, other) => by.block(own, other)],
  [RelationshipType.INCOMING_REQUEST, (by, own, other) => by.request(other, own)],
  [RelationshipType.OUTGOING_REQUEST, (by, own, other) => by.request(own, other)],
  [RelationshipType.IMPLICIT, (by, own, other) => by.addImplicit(own, other)],
])
