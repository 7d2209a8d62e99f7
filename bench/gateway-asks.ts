// Messages between the benchmark and its server.

/** Bytes of each frame of a flood, without the header. */
export const FRAME_BYTES = 171

/** A command for the connection of a path. */
export type Ask =
  | {
      /** Sends `count` events, each in its own write or many in one write. */
      readonly what: 'flood'
      readonly path: string
      readonly count: number
      readonly isBundled: boolean
    }
  | {
      /** Cuts the connection, or freezes it after the next heartbeat acknowledgement. */
      readonly what: 'kill' | 'freeze'
      readonly path: string
    }

/** Reports that the client of a frozen connection has reconnected, and how long after the missed acknowledgement. */
export interface Recovery {
  readonly path: string
  readonly afterMissedMs: number
}
