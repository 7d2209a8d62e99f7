// The connection to the service that a holder shares.
import { createClient } from '../client/create-client'
import { gateway } from '../client/parts'
import type { InternalProtocol } from '../gateway/backoff'
import { type GatewayOptions, readGatewayOptions, resolveResumeUrl } from '../gateway/options'
import { defaultGatewayProtocol, type GatewayFrame, type GatewayProtocol } from '../gateway/protocol'
import type { GatewaySocketClass } from '../gateway/socket'
import type { Lease } from './event-log'
import type { Pace } from './fleet'

/** Close code that keeps the session, so that another process can resume it. */
const RESUMABLE_CLOSE_CODE = 4000
/** Maximum number of attempts to resume a session before a new one is started. */
const MAX_RESUMES = 3

/** Session of another process, to be resumed. */
interface Resumption {
  readonly sessionId: string
  readonly ready: Record<string, unknown>
  sequence: number | null
  attempts: number
}

/**
 * The connection to the service of the process that has the lease: a client with only a gateway, whose first session is that
 * of the holder before, if there was one.
 */
export class Upstream {
  readonly client: ReturnType<typeof connectClient>
  readonly #base: GatewayProtocol
  readonly #readyName: string
  readonly #pace: Pace
  #resumption: Resumption | undefined
  /** Whether the next Ready stands for a session that was resumed. */
  isResumed = false

  constructor(token: string, options: GatewayOptions, Socket: GatewaySocketClass, lease: Lease, pace: Pace) {
    this.#pace = pace
    pace.isResuming = () => this.#resumption !== undefined && this.#resumption.attempts < MAX_RESUMES
    this.#base = options.protocol ?? defaultGatewayProtocol
    const names = Object.entries(this.#base.eventMap)
    this.#readyName = names.find(([, name]) => name === 'ready')?.[0] ?? 'READY'
    const { ready, sequence } = lease
    const sessionId = ready?.session_id
    if (ready !== undefined && typeof sessionId === 'string' && sessionId !== '')
      this.#resumption = { sessionId, ready, sequence, attempts: 0 }
    const config = readGatewayOptions(options, true, [])
    const address = () => {
      const { resume_gateway_url } = this.#resumption?.ready ?? {}
      return config && resume_gateway_url !== undefined ? resolveResumeUrl(resume_gateway_url, config) : undefined
    }
    this.client = connectClient(token, {
      ...options,
      protocol: this.#createProtocol(),
      WebSocket: keepSession(Socket, address),
      connectOnSignIn: false,
    })
  }

  /** Returns the number of events that are missing before one that is replayed. */
  missingBefore(sequence: number | null): number {
    const resumption = this.#resumption
    if (resumption === undefined || sequence === null) return 0
    const missing = resumption.sequence === null ? 0 : sequence - resumption.sequence - 1
    resumption.sequence = sequence
    return Math.max(0, missing)
  }

  /** Speaks the protocol of the app, but resumes where it would identify. */
  #createProtocol(): InternalProtocol {
    const base = this.#base
    return {
      encode: (frame) => base.encode(frame),
      decode: (data) => this.#replaceFrame(base.decode(data)),
      identify: (session) => {
        const resumption = this.#resumption
        if (resumption === undefined || ++resumption.attempts > MAX_RESUMES) {
          this.#resumption = undefined
          return base.identify(session)
        }
        const { sessionId, sequence } = resumption
        return base.resume({ ...session, sessionId, sequence })
      },
      resume: (session) => base.resume(session),
      heartbeat: (sequence) => base.heartbeat(sequence),
      classifyClose: (code) => {
        const action = base.classifyClose(code)
        if (action === 'fresh') this.#resumption = undefined
        return action
      },
      eventMap: base.eventMap,
      backoff: this.#pace,
    }
  }

  #replaceFrame(frame: GatewayFrame): GatewayFrame {
    const resumption = this.#resumption
    if (resumption === undefined) return frame
    if (frame?.kind === 'invalidSession' && !frame.resumable) this.#resumption = undefined
    if (frame?.kind !== 'dispatch') return frame
    const name = this.#base.eventMap[frame.type]
    if (name !== 'resumed' && name !== 'ready') return frame
    if (name === 'resumed') {
      this.isResumed = true
      const { ready, sequence } = resumption
      this.#resumption = undefined
      // The gateway waits for Ready, because it has not seen the session before.
      return { kind: 'dispatch', type: this.#readyName, data: ready, sequence: frame.sequence ?? sequence }
    }
    this.#resumption = undefined
    return frame
  }
}

function connectClient(token: string, options: GatewayOptions) {
  // Only its gateway is used; nothing is sent to the URL.
  const baseUrl = 'https://gateway.invalid'
  return createClient({ baseUrl, token, allowInsecureHttp: true, gateway: options }, { gateway })
}

/** Returns the class of sockets that end without ending the session. */
function keepSession(Socket: GatewaySocketClass, address: () => string | undefined): GatewaySocketClass {
  return class extends Socket {
    constructor(url: string) {
      super(address() ?? url)
    }

    override close(): void {
      super.close(RESUMABLE_CLOSE_CODE)
    }
  }
}
