// Answers of a recording, in the place of those of the service.
import { isObject, readField } from '../../src/internal/json'
import { frame, type GatewayLink, type GatewayPeer, isCloseCode, Op, parseFrame } from '../gateway/connection'
import { jsonResponse, type ParsedBody, type ServiceAnswer } from '../request'
import { rowNamed } from '../router'
import * as format from './format'

const tokenOf = (authorization: string | null | undefined) => format.parseAuthorization(authorization ?? '').token

/** Heartbeat interval in milliseconds, if the recording has no Hello. */
const HEARTBEAT_INTERVAL = 45_000

/** Fatal close code for a connection that the recording does not have. */
const NOT_RECORDED = 4004

export interface ReplayedRequest {
  readonly endpoint: string
  /** Below the base URL. */
  readonly path: string
  readonly headers: Headers
  readonly body: ParsedBody
}

interface Client {
  readonly peer: GatewayPeer
  /** What is still to be sent; `undefined` before Identify or Resume. */
  rest: (format.RecordedFrame | format.RecordedClose)[] | undefined
}

export class Replay {
  readonly #calls: readonly format.RecordedCall[]
  readonly #frames: readonly (format.RecordedFrame | format.RecordedClose)[]
  readonly #accounts = new Map<string, string>()
  readonly #used = new Set<format.RecordedCall>()
  /** Connections that were replayed, by number. */
  readonly #opened = new Set<number>()
  readonly #clients = new Set<Client>()

  constructor({ entries }: format.Recording) {
    this.#calls = entries.filter((entry) => entry.kind === 'call')
    this.#frames = entries.filter((entry) => entry.kind !== 'call')
    for (const entry of entries) {
      const sent = entry.kind === 'frame' ? format.payloadOf(entry.frame, 'token') : undefined
      const token = entry.kind === 'call' ? tokenOf(entry.request.headers.authorization) : sent
      if (typeof token === 'string' && entry.account !== null) this.#accounts.set(token, entry.account)
    }
  }

  /** Returns the account of the token in `Authorization`; `null` without one that the recording has. */
  accountOf(headers: Headers): string | null {
    return this.#accounts.get(tokenOf(headers.get('authorization'))) ?? null
  }

  /** Returns the next recorded response of the endpoint and the account, or an error that says what there is. */
  answer(request: ReplayedRequest): ServiceAnswer {
    const account = this.accountOf(request.headers)
    const sent: unknown = request.body.kind === 'value' ? request.body.value : undefined
    const pathOf = (path: string) => format.mapPath(rowNamed(request.endpoint)?.path ?? '', path, format.snowflakeOf)
    const rank = (call: format.RecordedCall) => {
      const isNamed = ['login', 'ticket', 'token'].some((name) => {
        const value = readField(sent, name)
        return value !== undefined && value === readField(call.request.body, name)
      })
      return (pathOf(call.request.path) === pathOf(request.path) ? 2 : 0) + (isNamed ? 1 : 0)
    }
    const found = this.#calls
      .filter((call) => call.endpoint === request.endpoint && call.account === account && !this.#used.has(call))
      // The sort is stable: those of the same rank stay in order.
      .sort((one, other) => rank(other) - rank(one))[0]
    if (found === undefined || (account === null && request.headers.has('authorization'))) return this.#missing(request)
    this.#used.add(found)
    for (const client of this.#clients) this.#flush(client)
    const { status, headers, body, unparsed } = found.response
    const answer = jsonResponse(status, revive(body))
    const own = Object.entries(headers).filter(([name]) => name !== 'content-type' || unparsed || answer.body !== '')
    return { ...answer, headers: own, ...(unparsed && { body: '<text>' }) }
  }

  connect(peer: GatewayPeer): GatewayLink {
    const client: Client = { peer, rest: undefined }
    this.#clients.add(client)
    const hello = this.#frames.find((entry) => entry.kind === 'frame' && readField(entry.frame, 'op') === Op.HELLO)
    const interval = hello?.kind === 'frame' ? format.payloadOf(hello.frame, 'heartbeat_interval') : undefined
    peer.send(frame(Op.HELLO, { heartbeat_interval: interval ?? HEARTBEAT_INTERVAL }))
    return {
      receive: (data) => {
        const received = parseFrame(data)
        if (received.kind === 'heartbeat') peer.send(frame(Op.HEARTBEAT_ACK))
        if ('token' in received && client.rest === undefined) this.#start(client, received.kind, received.token)
      },
      closed: () => void this.#clients.delete(client),
    }
  }

  /** Starts from the beginning, and closes all connections. */
  restart(code: number, reason: string): void {
    this.#used.clear()
    this.#opened.clear()
    for (const { peer } of this.#clients) closeWith(peer, code, reason)
    this.#clients.clear()
  }

  /** Repeats the next connection of an account that starts alike. */
  #start(client: Client, kind: 'identify' | 'resume', token: string): void {
    const op = kind === 'identify' ? Op.IDENTIFY : Op.RESUME
    const account = this.#accounts.get(tokenOf(token))
    const start = this.#frames.find((entry) => {
      const isStart = entry.kind === 'frame' && entry.from === 'client' && readField(entry.frame, 'op') === op
      return isStart && entry.account === account && !this.#opened.has(entry.connection)
    })
    if (start === undefined) {
      closeWith(client.peer, NOT_RECORDED, `The recording has no further ${kind} of ${account ?? 'this token'}.`)
      return
    }
    this.#opened.add(start.connection)
    client.rest = this.#frames.filter((one) => one.connection === start.connection && one.order > start.order)
    this.#flush(client)
  }

  /** Sends what followed in the recording, up to what the next change of a client, which was not repeated yet, caused. */
  #flush({ rest = [], peer }: Client): void {
    const next = this.#calls.find((call) => !this.#used.has(call) && rowNamed(call.endpoint)?.method !== 'GET')?.order
    for (let entry = rest[0]; entry && entry.order < (next ?? Number.POSITIVE_INFINITY); entry = rest[0]) {
      rest.shift()
      if (entry.from === 'client') continue
      if (entry.kind === 'close') closeWith(peer, entry.code, 'As recorded.')
      else peer.send(JSON.stringify(reviveFrame(entry.frame)))
    }
  }

  /** Returns an error that says what the recording has. */
  #missing({ endpoint, headers }: ReplayedRequest): ServiceAnswer {
    const account = this.accountOf(headers)
    if (headers.has('authorization') && account === null) {
      const first = [...this.#accounts].slice(0, 10)
      const known = first.map(([name, owner]) => `${name} (${owner})`).join(', ')
      const message = `The token of this ${endpoint} is not one of the recording, whose tokens are ${known || 'none'}.`
      return jsonResponse(401, { code: 0, message })
    }
    const who = account ?? 'a client without a token'
    const own = this.#calls.filter((call) => call.account === account)
    const all = own.filter((call) => call.endpoint === endpoint).length
    const next = own.find((call) => !this.#used.has(call))
    const count = all === 0 ? `no ${endpoint} of ${who}` : `no more ${endpoint} of ${who}: it had ${all}`
    const rest = next ? `Next is ${next.endpoint} (${next.request.path}, entry ${next.order})` : 'Nothing else is left'
    return jsonResponse(404, { code: 0, message: `The recording has ${count}. ${rest}.` })
  }
}

/** Closes a connection with a code, if a frame can carry it. */
export function closeWith(peer: Pick<GatewayPeer, 'close' | 'terminate'>, code: number, reason: string): void {
  if (isCloseCode(code) && code !== 1006) peer.close(code, reason)
  else peer.terminate()
}

/** Returns a value with numbers in the place of their type, digits in that of IDs, and JSON in that of challenges. */
function revive(value: unknown, field = ''): unknown {
  if (value === format.typeMark(0)) return 0
  if (typeof value === 'string' && /^challenge-\d+$/.test(value)) return JSON.stringify({ challenge: btoa(value) })
  if (Array.isArray(value)) return value.map((item) => revive(item, field))
  if (!isObject(value)) return typeof value === 'string' ? format.snowflakeOf(value, field) : value
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [format.snowflakeOf(key, field), revive(item, key)]),
  )
}

/** Clients would resume at the address in Ready, which is only a name. */
function reviveFrame(recorded: unknown): unknown {
  if (format.payloadOf(recorded, 'resume_gateway_url') === undefined) return revive(recorded)
  return revive({ ...Object(recorded), d: { ...Object(readField(recorded, 'd')), resume_gateway_url: undefined } })
}
