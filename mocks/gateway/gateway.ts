import type { Core } from '../core'
import { createRandom } from '../random'
import { Ring } from '../ring'
import { createAlarm } from './alarm'
import { connect } from './connect'
import { createMockGateway } from './create-mock-gateway'
import { createGatewayFaultQueue, type PendingGatewayFault } from './fault-queue'
import { hear } from './hear'
import { checkTime } from './heartbeats'
import { createSessions, endSession, type Hub } from './hub'
import type { GatewayJournalEntry } from './journal'
import type { MockGateway } from './mock-gateway'

/** What a snapshot holds of a gateway: no sessions, since those live by their connections. */
export interface GatewaySnapshot {
  /** The faults that were set for moments to come, with the times that each had left. */
  readonly faults: readonly PendingGatewayFault[]
  /** Who had identified and resumed. */
  readonly journal: readonly GatewayJournalEntry[]
}

/** A gateway as its service drives it. */
export interface OpenGateway {
  readonly gateway: MockGateway
  /** To be called when the service's clock has moved. */
  checkTime(): void
  save(): GatewaySnapshot
  /** Goes back to a snapshot, or to the beginning. All sessions end. */
  load(snapshot?: GatewaySnapshot): void
  /** Closes all connections, and lets nobody connect again. */
  close(): void
}

export function createGateway(core: Core): OpenGateway {
  // Not the service's own random values, as those would then depend on when clients happen to connect.
  const seed = { state: ~core.seed, ids: 0 }
  const random = createRandom(() => seed)
  const hub: Hub = {
    core,
    policy: core.policy.gateway,
    faults: createGatewayFaultQueue(),
    journal: new Ring(core.maxJournalEntries),
    connections: new Set(),
    sessions: createSessions(),
    nextCheck: Number.POSITIVE_INFINITY,
    newSessionId: () => random.text(32),
  }
  core.tell = (notice) => hear(hub, notice)
  let isClosed = false

  const alarm = createAlarm(
    () => core.clock.now(),
    () => check(),
  )
  // A clock that was given says when it moves; the wall clock has to be waited for.
  const wait = () => {
    if (core.clock.isWallClock && !isClosed) alarm.set(hub.nextCheck)
  }
  const check = () => {
    checkTime(hub)
    wait()
  }
  const endAll = (code: number, reason: string) => {
    for (const session of [...hub.sessions.values()]) endSession(hub, session)
    for (const connection of hub.connections) connection.forceClose(code, reason)
  }

  return {
    gateway: createMockGateway(hub, (peer) => {
      const link = isClosed ? undefined : connect(hub, peer)
      wait()
      return link
    }),
    checkTime: check,
    save: () => ({ faults: hub.faults.save(), journal: hub.journal.entries }),
    load({ faults, journal } = { faults: [], journal: [] }) {
      endAll(hub.policy.closeCodes.timedOut, 'The service went back in time.')
      hub.faults.load(faults)
      hub.journal.load(journal)
    },
    close() {
      isClosed = true
      alarm.set(undefined)
      endAll(1001, 'The service was closed.')
    },
  }
}
