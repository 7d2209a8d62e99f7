// The connections of a check to the gateway: Hello, Identify, a heartbeat, Resume, close codes.
import { raceAbort, setSafeTimeout, throwIfAborted } from '../abort'
import { gatewayEvents } from '../contract/gateway-events'
import type { GatewayFrame, GatewayProtocol } from '../gateway/protocol'
import { type GatewaySocket, type GatewaySocketClass, resolveSocketClass } from '../gateway/socket'
import { readField } from '../internal/json'
import type { Probe } from './probe'
import type { Findings } from './report'

/** What the check of a gateway needs. */
export interface GatewayTarget {
  readonly url: string
  readonly protocol: GatewayProtocol
  readonly WebSocket: GatewaySocketClass | undefined
  /** Time to wait for each frame, in milliseconds. */
  readonly timeoutMs: number
  readonly probe: Probe
}

/** A received frame, the end of the connection, or nothing in time. */
type Received = GatewayFrame | { readonly kind: 'closed'; readonly code: number } | { readonly kind: 'nothing' }

/** Close code with which the client leaves a session that it wants to resume. */
const RESUMABLE = 4000
/** Close code that ends a session. */
export const ENDED = 1000

/** One session of the gateway, over several connections. */
export class GatewayCheck {
  readonly #target: GatewayTarget
  readonly #findings: Findings
  #ready: unknown
  #sequence: number | null = null
  #connection: Connection | undefined

  constructor(target: GatewayTarget) {
    this.#target = target
    this.#findings = target.probe.findings
  }

  /** Payload of Ready; `undefined` if it did not come. */
  get ready(): unknown {
    return this.#ready
  }

  /** Starts a session, sends a heartbeat, and leaves the session so that it can be resumed. */
  async identify(token: string): Promise<void> {
    const { protocol, probe } = this.#target
    if (!(await this.#connect('identify'))) return
    const answer = await this.#ask(protocol.identify({ token }), ({ kind }) => kind === 'dispatch')
    const isReady = answer.kind === 'dispatch'
    this.#findings.record('gatewayIdentify', isReady, isReady ? 'answered by an event' : describe(answer))
    if (isReady) {
      this.#findings.record('eventNames', protocol.eventMap[answer.type] === 'ready', this.#findings.name(answer.type))
      this.#readReady(answer.data)
      await probe.step('send a heartbeat to the gateway')
      const beat = await this.#ask(protocol.heartbeat(this.#sequence), ({ kind }) => kind === 'heartbeatAck')
      this.#findings.record('gatewayHeartbeat', beat.kind === 'heartbeatAck', describe(beat))
    }
    await this.close()
  }

  /** Resumes the session, receives the events missed, and stays connected. Returns whether it was resumed. */
  async resume(token: string): Promise<boolean> {
    const { protocol } = this.#target
    const sessionId = readField(this.#ready, 'session_id')
    if (typeof sessionId !== 'string') return false
    if (!(await this.#connect('resume the session', readField(this.#ready, 'resume_gateway_url')))) return false
    const isEnd = (received: Received) =>
      received.kind === 'invalidSession' ||
      (received.kind === 'dispatch' && protocol.eventMap[received.type] === 'resumed')
    const answer = await this.#ask(protocol.resume({ token, sessionId, sequence: this.#sequence }), isEnd)
    const isResumed = answer.kind === 'dispatch'
    this.#findings.record('gatewayResume', isResumed, isResumed ? 'resumed' : describe(answer))
    this.#findings.facts.resumes = isResumed
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
    const { protocol } = this.#target
    if (!(await this.#connect('identify with the token that has ended'))) return
    const answer = await this.#ask(protocol.identify({ token }), ({ kind }) => kind !== 'unknown')
    const isFatal = answer.kind === 'closed' && protocol.classifyClose(answer.code) === 'fatal'
    this.#findings.record('gatewayCloseCodes', isFatal, `${describe(answer)}, for a token that has ended`)
    if (answer.kind === 'closed') this.#findings.facts.authenticationFailed = answer.code
    await this.close(ENDED)
  }

  /** Connects and waits for Hello. Returns whether it came. */
  async #connect(purpose: string, resumeUrl?: unknown): Promise<boolean> {
    const { url, probe } = this.#target
    const base = new URL(url)
    const target = typeof resumeUrl === 'string' && URL.canParse(resumeUrl) ? new URL(resumeUrl) : base
    if (target.origin !== base.origin) {
      this.#findings.skip('gatewayResume', '`resume_gateway_url` has another origin, to which no token is sent')
      return false
    }
    if (target.search === '') target.search = base.search
    await probe.step(`connect to the gateway and ${purpose}`)
    const WebSocket = await resolveSocketClass(this.#target.WebSocket)
    this.#connection = new Connection(new WebSocket(target.href), this.#target)
    const hello = await this.#receive(() => true)
    const isHello = hello.kind === 'hello' && hello.heartbeatIntervalMs >= 100
    if (isHello) this.#findings.facts.heartbeatInterval = hello.heartbeatIntervalMs
    if (!isHello && !this.#connection.isOpen) this.#findings.skip('gatewayHello', 'no connection')
    else this.#findings.record('gatewayHello', isHello, describe(hello))
    if (!isHello) await this.close(ENDED)
    return isHello
  }

  #ask(frame: unknown, isAnswer: (received: Received) => boolean): Promise<Received> {
    this.#connection?.send(frame)
    return this.#receive(isAnswer)
  }

  /** Returns the first frame that `isAnswer` accepts. Notes all frames, and answers requests for a heartbeat. */
  async #receive(isAnswer: (received: Received) => boolean): Promise<Received> {
    for (;;) {
      const received: Received = (await this.#connection?.next()) ?? { kind: 'nothing' }
      if (received.kind === 'closed' || received.kind === 'nothing') return received
      if (received.kind !== 'unknown') this.#findings.record('gatewayFrames', true, 'frames as assumed')
      if (received.kind === 'heartbeat') this.#connection?.send(this.#target.protocol.heartbeat(this.#sequence))
      if (received.kind === 'dispatch') this.#readEvent(received)
      if (isAnswer(received)) return received
    }
  }

  #readEvent({ type, data, sequence }: GatewayFrame & { readonly kind: 'dispatch' }): void {
    if (sequence !== null) this.#sequence = sequence
    const name = this.#target.protocol.eventMap[type]
    if (name === undefined) this.#findings.differ('Gateway', this.#findings.name(type), 'unknown event')
    if (name === undefined || name === 'resumed') return
    const event = gatewayEvents[name]
    const isAsAssumed = this.#findings.compare(`Gateway: ${event.name}`, event.payload, data)
    if (name !== 'ready') this.#findings.record('eventPayloads', isAsAssumed, event.name)
  }

  #readReady(data: unknown): void {
    const { facts } = this.#findings
    const has = (name: string) => readField(data, name) !== undefined
    const found = (name: string) => (has(name) ? `\`${name}\`` : `no \`${name}\``)
    this.#ready = data
    this.#findings.record('gatewayReady', has('session_id'), found('session_id'))
    this.#findings.record('readyUser', has('user'), found('user'))
    this.#findings.record('readyLists', true, found('relationships'))
    facts.readyUser = has('user')
    facts.readySnapshot = has('relationships')
  }

  /** Closes the connection, by default so that the session can be resumed. */
  async close(code = RESUMABLE): Promise<void> {
    const connection = this.#connection
    this.#connection = undefined
    await connection?.close(code)
  }
}

/** A socket whose frames are read one by one. */
class Connection {
  isOpen = false
  readonly #socket: GatewaySocket
  readonly #target: GatewayTarget
  readonly #received: Received[] = []
  readonly #closed: Promise<void>
  #wake = () => {}

  constructor(socket: GatewaySocket, target: GatewayTarget) {
    this.#socket = socket
    this.#target = target
    socket.binaryType = 'arraybuffer'
    const push = (received: Received) => {
      this.#received.push(received)
      this.#wake()
    }
    socket.addEventListener('open', () => {
      this.isOpen = true
    })
    socket.addEventListener('message', ({ data }) => push(this.#decode(data)))
    this.#closed = new Promise((resolve) => {
      socket.addEventListener('close', ({ code = 1006 }) => {
        push({ kind: 'closed', code })
        resolve()
      })
    })
    // A close follows.
    socket.addEventListener('error', () => {})
  }

  send(frame: unknown): void {
    this.#socket.send(this.#target.protocol.encode(frame))
  }

  /** Returns the next frame; `nothing` after the time limit. */
  async next(): Promise<Received> {
    const { probe, timeoutMs } = this.#target
    if (this.#received.length === 0) {
      let cancel = () => {}
      const woken = new Promise<void>((resolve) => {
        this.#wake = resolve
        cancel = setSafeTimeout(timeoutMs, resolve)
      })
      await raceAbort(woken, probe.signal).finally(cancel)
    }
    throwIfAborted(probe.signal)
    return this.#received.shift() ?? { kind: 'nothing' }
  }

  /** Resolves when the connection is closed: a session that still has one is taken over, not resumed. */
  async close(code: number): Promise<void> {
    this.#socket.close(code)
    // A service that does not close its side would keep the process alive.
    const cancel = setSafeTimeout(1000, () => this.#socket.terminate?.())
    await this.#closed
    cancel()
  }

  #decode(data: unknown): Received {
    try {
      return this.#target.protocol.decode(data instanceof ArrayBuffer ? data : String(data))
    } catch {
      const isText = typeof data === 'string'
      this.#target.probe.findings.record('gatewayFrames', false, isText ? 'frames of another form' : 'binary frames')
      return { kind: 'unknown' }
    }
  }
}

const WORDS = { nothing: 'no answer', invalidSession: 'Invalid Session', heartbeatAck: 'acknowledged', hello: 'Hello' }

function describe(received: Received): string {
  if (received.kind === 'closed') return `closed with ${received.code}`
  return received.kind in WORDS ? String(Reflect.get(WORDS, received.kind)) : 'another frame'
}
