// The connections of a check to the gateway: Hello, Identify, a heartbeat, Resume, close codes.
import { raceAbort, setSafeTimeout } from '../abort'
import { gatewayEvents } from '../contract/gateway-events'
import type { GatewayOptions } from '../gateway/options'
import {
  type DispatchFrame,
  defaultGatewayProtocol,
  type GatewayFrame,
  type GatewayProtocol,
} from '../gateway/protocol'
import { type GatewaySocket, resolveSocketClass } from '../gateway/socket'
import { readField } from '../internal/json'
import type { Probe } from './probe'
import type { Findings } from './report'

/** A received frame, the end of the connection, or nothing in time. */
type Received = GatewayFrame | { readonly kind: 'closed'; readonly code: number } | { readonly kind: 'nothing' }

/** Close code with which the client leaves a session that it wants to resume. */
const RESUMABLE = 4000
/** Close code that ends a session. */
export const ENDED = 1000
/** Intervals of heartbeats that are plausible, in milliseconds. */
const MIN_INTERVAL = 100
const MAX_INTERVAL = 3_600_000
/** Time to wait for the end of a connection, in milliseconds. */
const CLOSE_MS = 1000

/** One session of the gateway, over several connections. */
export class GatewayCheck {
  /** Payload of Ready; `undefined` if it did not come. */
  ready: unknown
  /** Relationship Update of a change while no connection was open. */
  update: 'none' | 'missed' | 'received' = 'none'
  readonly #protocol: GatewayProtocol
  readonly #findings: Findings
  #sequence: number | null = null
  #connection: Connection | undefined

  /** @param timeoutMs Time to wait for an answer, in milliseconds. */
  constructor(
    readonly options: GatewayOptions,
    readonly probe: Probe,
    readonly timeoutMs: number,
  ) {
    this.#protocol = options.protocol ?? defaultGatewayProtocol
    this.#findings = probe.findings
  }

  /** Starts a session, sends a heartbeat, and leaves the session so that it can be resumed. */
  async identify(token: string): Promise<void> {
    if (!(await this.#connect('identify'))) return
    const answer = await this.#ask(this.#protocol.identify({ token }), ({ kind }) => kind === 'dispatch')
    const isReady = answer.kind === 'dispatch'
    this.#findings.record('gatewayIdentify', isReady, isReady ? 'followed by an event' : describe(answer))
    if (isReady) {
      const isNamed = this.#protocol.eventMap[answer.type] === 'ready'
      this.#findings.record('eventNames', isNamed, this.#findings.name(answer.type))
      this.#readReady(answer.data)
      await this.probe.step('send a heartbeat to the gateway')
      const beat = await this.#ask(this.#protocol.heartbeat(this.#sequence), ({ kind }) => kind === 'heartbeatAck')
      this.#findings.record('gatewayHeartbeat', beat.kind === 'heartbeatAck', describe(beat))
    }
    await this.close()
  }

  /** Resumes the session, receives the events missed, and stays connected. Returns whether it was resumed. */
  async resume(token: string): Promise<boolean> {
    const sessionId = readField(this.ready, 'session_id')
    if (typeof sessionId !== 'string') return false
    if (!(await this.#connect('resume the session', readField(this.ready, 'resume_gateway_url')))) return false
    const isEnd = (received: Received) =>
      received.kind === 'invalidSession' ||
      (received.kind === 'dispatch' && this.#protocol.eventMap[received.type] === 'resumed')
    const answer = await this.#ask(this.#protocol.resume({ token, sessionId, sequence: this.#sequence }), isEnd)
    const isResumed = answer.kind === 'dispatch'
    const lacks = this.update === 'missed' ? ' without the missed Relationship Update' : ''
    this.#findings.record('gatewayResume', isResumed && !lacks, isResumed ? `resumed${lacks}` : describe(answer))
    if (lacks) this.#findings.skip('eventPayloads', 'no Relationship Update came')
    if (!isResumed) this.#findings.facts.gateway.resumeWindow = 0
    if (!isResumed) await this.close(ENDED)
    return isResumed
  }

  /** Waits until the service closes the connection, since its authentication session has ended. */
  async expectEnd(): Promise<void> {
    const end = await this.#receive(({ kind }) => kind === 'invalidSession')
    this.#findings.record('logoutClosesGateway', end.kind === 'closed', describe(end))
    await this.close(ENDED)
  }

  /** Identifies with a token that has ended, to see the close code. */
  async identifyInVain(token: string): Promise<void> {
    if (!(await this.#connect('identify with the token that has ended'))) return
    const answer = await this.#ask(this.#protocol.identify({ token }), ({ kind }) => kind !== 'unknown')
    const isFatal = answer.kind === 'closed' && this.#protocol.classifyClose(answer.code) === 'fatal'
    this.#findings.record('gatewayCloseCodes', isFatal, `${describe(answer)}, for a token that has ended`)
    if (answer.kind === 'closed') this.#findings.facts.authenticationFailed = answer.code
    await this.close(ENDED)
  }

  /** Closes the connection, by default so that the session can be resumed, which one that is still connected cannot. */
  async close(code = RESUMABLE): Promise<void> {
    const connection = this.#connection
    this.#connection = undefined
    connection?.socket.close(code)
    const end = performance.now() + CLOSE_MS
    while (connection?.isClosed === false && performance.now() < end) await connection.wait(end - performance.now())
    // A service that does not close its side would keep the process alive.
    connection?.socket.terminate?.()
  }

  /** Connects and waits for Hello. Returns whether it came. */
  async #connect(purpose: string, resumeUrl?: unknown): Promise<boolean> {
    const base = new URL(this.options.url)
    const target = new URL(typeof resumeUrl === 'string' && URL.canParse(resumeUrl) ? resumeUrl : base)
    if (target.origin !== base.origin) {
      this.#findings.skip('gatewayResume', '`resume_gateway_url` has another origin, to which no token is sent')
      return false
    }
    if (target.search === '') target.search = base.search
    // A WebSocket refuses fragments.
    target.hash = ''
    await this.probe.step(`connect to the gateway and ${purpose}`)
    const WebSocket = await resolveSocketClass(this.options.WebSocket)
    const connection = new Connection(new WebSocket(target.href), (data) => this.#decode(data))
    this.#connection = connection
    const hello = await this.#receive(() => true)
    const interval = hello.kind === 'hello' ? hello.heartbeatIntervalMs : 0
    const isHello = interval >= MIN_INTERVAL && interval <= MAX_INTERVAL
    if (isHello) this.#findings.facts.gateway.heartbeatInterval = Math.round(interval)
    if (isHello || connection.isOpen) this.#findings.record('gatewayHello', isHello, describe(hello))
    else this.#findings.skipEndpoint('Gateway', `no connection to ${purpose}`)
    if (!isHello) await this.close(ENDED)
    return isHello
  }

  #ask(frame: unknown, isAnswer: (received: Received) => boolean): Promise<Received> {
    this.#connection?.socket.send(this.#protocol.encode(frame))
    return this.#receive(isAnswer)
  }

  /**
   * Returns the first frame that `isAnswer` accepts, or the end of the connection, within the time limit, however many others
   * the service sends. Notes all frames, and answers requests for a heartbeat.
   */
  async #receive(isAnswer: (received: Received) => boolean): Promise<Received> {
    const end = performance.now() + this.timeoutMs
    const connection = this.#connection
    for (let leftMs = this.timeoutMs; connection && leftMs > 0; leftMs = end - performance.now()) {
      const received = connection.received.shift()
      if (!received) {
        await connection.wait(leftMs, this.probe.signal)
        continue
      }
      if (received.kind === 'heartbeat')
        connection.socket.send(this.#protocol.encode(this.#protocol.heartbeat(this.#sequence)))
      if (received.kind === 'dispatch') this.#readEvent(received)
      if (isAnswer(received) || received.kind === 'closed') return received
    }
    return { kind: 'nothing' }
  }

  #decode(data: unknown): Received {
    try {
      const frame = this.#protocol.decode(data instanceof ArrayBuffer ? data : String(data))
      if (frame.kind !== 'unknown') this.#findings.record('gatewayFrames', true, 'frames as assumed')
      return frame
    } catch {
      const form = typeof data === 'string' ? 'frames of another form' : 'binary frames'
      this.#findings.record('gatewayFrames', false, form)
      return { kind: 'unknown' }
    }
  }

  #readEvent({ type, data, sequence }: DispatchFrame): void {
    if (sequence !== null) this.#sequence = sequence
    const name = this.#protocol.eventMap[type]
    if (name === undefined) this.#findings.differ('Gateway', this.#findings.name(type), 'unknown event')
    if (name === undefined || name === 'resumed') return
    const event = gatewayEvents[name]
    const isAsAssumed = this.#findings.compare(`Gateway: ${event.name}`, event.payload, data)
    if (name === 'relationshipUpdate') this.update = 'received'
    if (name !== 'ready') this.#findings.record('eventPayloads', isAsAssumed, event.name)
  }

  #readReady(data: unknown): void {
    const { gateway } = this.#findings.facts
    const has = (name: string) => readField(data, name) !== undefined
    const found = (name: string) => (has(name) ? `\`${name}\`` : `no \`${name}\``)
    this.ready = data
    this.#findings.record('gatewayReady', has('session_id'), found('session_id'))
    this.#findings.record('readyUser', has('user'), found('user'))
    this.#findings.record('readyLists', true, found('relationships'))
    gateway.readyUser = has('user')
    gateway.readySnapshot = has('relationships')
  }
}

/** A socket, and the frames that were not read yet. */
class Connection {
  isOpen = false
  isClosed = false
  readonly received: Received[] = []
  #wake = () => {}

  constructor(
    readonly socket: GatewaySocket,
    decode: (data: unknown) => Received,
  ) {
    const push = (received: Received) => {
      this.received.push(received)
      this.#wake()
    }
    socket.binaryType = 'arraybuffer'
    socket.addEventListener('open', () => {
      this.isOpen = true
    })
    socket.addEventListener('message', ({ data }) => push(decode(data)))
    socket.addEventListener('close', ({ code = 1006 }) => {
      this.isClosed = true
      push({ kind: 'closed', code })
    })
    // A close follows.
    socket.addEventListener('error', () => {})
  }

  /** Waits for a frame or the end of the connection, but no longer than `ms`. */
  wait(ms: number, signal = new AbortController().signal): Promise<void> {
    const woken = new Promise<void>((resolve) => {
      this.#wake = resolve
    })
    return raceAbort(woken, signal).finally(setSafeTimeout(ms, () => this.#wake()))
  }
}

const WORDS = { nothing: 'no answer', invalidSession: 'Invalid Session', heartbeatAck: 'acknowledged', hello: 'Hello' }

function describe(received: Received): string {
  if (received.kind === 'closed') return `closed with ${received.code}`
  return received.kind in WORDS ? String(Reflect.get(WORDS, received.kind)) : 'another frame'
}
