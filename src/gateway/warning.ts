import type { Issue } from '../contract/issue'

/**
 * What was off:
 * - `malformed_frame`: a frame that does not follow the protocol was ignored;
 * - `frame_too_large`: a frame above `maxFrameBytes` was dropped;
 * - `unknown_frame`: a frame of a kind that the protocol does not know;
 * - `unknown_event`: an event that the interface does not name; each name is told once;
 * - `invalid_payload`: a payload that is not what its event carries (`issues`); it is in `dispatch` alone;
 * - `sequence_gap`: events are missing, or their numbers went back: what was built from events is out of date;
 * - `identify_failed`: the connection ended before a session started, or sessions end as soon as they start. The gateway
 *   tries again, with at most one session in five seconds in the long run.
 */
export type GatewayWarningCode =
  | 'malformed_frame'
  | 'frame_too_large'
  | 'unknown_frame'
  | 'unknown_event'
  | 'invalid_payload'
  | 'sequence_gap'
  | 'identify_failed'

/** Something that the service sent was off. The gateway goes on. */
export interface GatewayWarning {
  /** What was off, for programs. */
  readonly code: GatewayWarningCode
  /** What was off, for people; without values. */
  readonly message: string
  /** Name of the event, where it is about one. */
  readonly event?: string
  /** What is off in its payload, by path and kind; values are not shown. */
  readonly issues?: readonly Issue[]
}
