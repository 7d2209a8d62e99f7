// What the benchmark and its server say to each other.

/** Bytes of each frame of a flood, its header aside. */
export const FRAME_BYTES = 171

/** What is to happen to the connection of a path. */
export type Ask =
  | {
      /** So many events, each in a write of its own or many in one. */
      readonly what: 'flood'
      readonly path: string
      readonly count: number
      readonly isBundled: boolean
    }
  | {
      /** It is cut; or it freezes once the next heartbeat is acknowledged. */
      readonly what: 'kill' | 'freeze'
      readonly path: string
    }

/** The client of a frozen connection has come back, so many milliseconds after an acknowledgement was missed. */
export interface Recovery {
  readonly path: string
  readonly afterMissedMs: number
}
