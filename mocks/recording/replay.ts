// Answers of a recording, in the place of those of the service.
import { isObject, readField } from '../../src/internal/json'
import { frame, type GatewayLink, type GatewayPeer, isCloseCode, Op, parseFrame } from '../gateway/connection'
import { jsonResponse, type ParsedBody, type ServiceAnswer } from '../request'
import { rowNamed } from '../router'
import {
  mapPath,
  parseAuthorization,
  payloadOf,
  type RecordedCall,
  type RecordedClose,
  type RecordedFrame,
  type Recording,
  snowflakeOf,
  typeMark,
} from './format'

const tokenOf = (authorization: string | null | undefined) =>
  authorization ? parseAuthorization(authorization).token : undefined

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

export interface Replay {
  /** Returns the account of the token in `Authorization`; `null` without one that the recording has. */
  accountOf(headers: Headers): string | null
  /** Returns the next recorded response of the endpoint and the account, or an error that says what there is. */
  answer(request: ReplayedRequest): ServiceAnswer
  /** Connects a client of the gateway. */
  connect(peer: GatewayPeer): GatewayLink
  /** Starts from the beginning, and closes all connections. */
  restart(code: number, reason: string): void
}

interface Client {
  readonly peer: GatewayPeer
  /** What is still to be sent; `undefined` before Identify or Resume. */
  rest: (RecordedFrame | RecordedClose)[] | undefined
}

export function createReplay({ entries }: Recording): Replay {
  const calls = entries.filter((entry) => entry.kind === 'call')
  const frames = entries.filter((entry) => entry.kind !== 'call')
  const accounts = new Map<string, string>()
  for (const entry of entries) {
    const sent = entry.kind === 'call' ? tokenOf(entry.request.headers.authorization) : undefined
    const token = entry.kind === 'frame' ? payloadOf(entry.frame, 'token') : sent
    if (typeof token === 'string' && entry.account !== null) accounts.set(token, entry.account)
  }

  const used = new Set<RecordedCall>()
  /** Connections that were replayed, by number. */
  const opened = new Set<number>()
  const clients = new Set<Client>()

  const accountOf = (headers: Headers): string | null =>
    accounts.get(tokenOf(headers.get('authorization')) ?? '') ?? null

  /** Sends what followed in the recording, up to what the next change of a client, which was not repeated yet, caused. */
  const flush = (client: Client) => {
    const next = calls.find((call) => !used.has(call) && rowNamed(call.endpoint)?.method !== 'GET')?.order
    const { rest = [], peer } = client
    for (let entry = rest[0]; entry && entry.order < (next ?? Number.POSITIVE_INFINITY); entry = rest[0]) {
      rest.shift()
      if (entry.from === 'client') continue
      if (entry.kind === 'close') closeWith(peer, entry.code, 'As recorded.')
      else peer.send(JSON.stringify(reviveFrame(entry.frame)))
    }
  }

  const missing = ({ endpoint, headers }: ReplayedRequest): ServiceAnswer => {
    const token = tokenOf(headers.get('authorization'))
    const account = accountOf(headers)
    if (token !== undefined && account === null) {
      const first = [...accounts].slice(0, 10)
      const known = first.map(([name, owner]) => `${name} (${owner})`).join(', ')
      const message = `The token of this ${endpoint} is not one of the recording, whose tokens are ${known || 'none'}.`
      return jsonResponse(401, { code: 0, message })
    }
    const who = account ?? 'a client without a token'
    const own = calls.filter((call) => call.account === account)
    const all = own.filter((call) => call.endpoint === endpoint).length
    const next = own.find((call) => !used.has(call))
    const count = all === 0 ? `no ${endpoint} of ${who}` : `no more ${endpoint} of ${who}: it had ${all}`
    const rest = next ? `next ${next.endpoint} (${next.request.path}, entry ${next.order})` : 'nothing else'
    return jsonResponse(404, { code: 0, message: `The recording has ${count}. It has ${rest} of it.` })
  }

  return {
    accountOf,
    answer(request) {
      const account = accountOf(request.headers)
      const hasToken = request.headers.has('authorization')
      const sent: unknown = request.body.kind === 'value' ? request.body.value : undefined
      const pathOf = (path: string) => mapPath(rowNamed(request.endpoint)?.path ?? '', path, snowflakeOf)
      const rank = (call: RecordedCall) => {
        const isNamed = ['login', 'ticket', 'token'].some((name) => {
          const value = readField(sent, name)
          return value !== undefined && value === readField(call.request.body, name)
        })
        return (pathOf(call.request.path) === pathOf(request.path) ? 2 : 0) + (isNamed ? 1 : 0)
      }
      const found = calls
        .filter((call) => call.endpoint === request.endpoint && call.account === account && !used.has(call))
        // The sort is stable: those of the same rank stay in order.
        .sort((one, other) => rank(other) - rank(one))[0]
      if (found === undefined || (hasToken && account === null)) return missing(request)
      used.add(found)
      for (const client of clients) flush(client)
      const { status, headers, body, unparsed } = found.response
      const answer = jsonResponse(status, revive(body))
      const own = Object.entries(headers).filter(([name]) => name !== 'content-type' || unparsed || answer.body !== '')
      return { ...answer, headers: own, ...(unparsed && { body: '<text>' }) }
    },
    connect(peer) {
      const client: Client = { peer, rest: undefined }
      clients.add(client)
      const hello = frames.find((entry) => entry.kind === 'frame' && readField(entry.frame, 'op') === Op.HELLO)
      const interval = hello?.kind === 'frame' ? payloadOf(hello.frame, 'heartbeat_interval') : undefined
      peer.send(frame(Op.HELLO, { heartbeat_interval: interval ?? HEARTBEAT_INTERVAL }))
      return {
        receive(data) {
          const received = parseFrame(data)
          if (received.kind === 'heartbeat') peer.send(frame(Op.HEARTBEAT_ACK))
          if (!('token' in received) || client.rest !== undefined) return
          const op = received.kind === 'identify' ? Op.IDENTIFY : Op.RESUME
          const account = accounts.get(tokenOf(received.token) ?? '') ?? null
          const start = frames.find((entry) => {
            const isStart = entry.kind === 'frame' && entry.from === 'client' && readField(entry.frame, 'op') === op
            return isStart && entry.account === account && !opened.has(entry.connection)
          })
          if (start === undefined || account === null) {
            const who = account ?? 'this token'
            closeWith(peer, NOT_RECORDED, `The recording has no further ${received.kind} of ${who}.`)
            return
          }
          opened.add(start.connection)
          client.rest = frames.filter(({ connection, order }) => connection === start.connection && order > start.order)
          flush(client)
        },
        closed: () => void clients.delete(client),
      }
    },
    restart(code, reason) {
      used.clear()
      opened.clear()
      for (const { peer } of clients) closeWith(peer, code, reason)
      clients.clear()
    },
  }
}

/** Closes a connection with a code, if a frame can carry it. */
export function closeWith(peer: Pick<GatewayPeer, 'close' | 'terminate'>, code: number, reason: string): void {
  if (isCloseCode(code) && code !== 1006) peer.close(code, reason)
  else peer.terminate()
}

/** Returns a value with numbers in the place of their type, digits in that of IDs, and JSON in that of challenges. */
function revive(value: unknown, field = ''): unknown {
  if (value === typeMark(0)) return 0
  if (typeof value === 'string' && /^challenge-\d+$/.test(value)) return JSON.stringify({ challenge: btoa(value) })
  if (Array.isArray(value)) return value.map((item) => revive(item, field))
  if (!isObject(value)) return typeof value === 'string' ? snowflakeOf(value, field) : value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [snowflakeOf(key, field), revive(item, key)]))
}

/** Clients would resume at the address in Ready, which is only a name. */
function reviveFrame(recorded: unknown): unknown {
  if (payloadOf(recorded, 'resume_gateway_url') === undefined) return revive(recorded)
  return revive({ ...Object(recorded), d: { ...Object(readField(recorded, 'd')), resume_gateway_url: undefined } })
}
