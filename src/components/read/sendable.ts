import type { MessageComponentInput } from '../input/envelopes'
import type { ReceivedComponent } from '../received/layouts'
import type { ComponentSource } from './source'

/** What could not be sent. */
export interface DroppedComponent {
  /** Where it was, from the root of what was given. */
  readonly path: readonly (string | number)[]
  /** Its type. */
  readonly type: number
  /** Why it cannot be sent, for people. */
  readonly message: string
}

/** What {@link toSendable} gives. */
export interface Sendable {
  /** What can be sent. */
  readonly components: readonly MessageComponentInput[]
  /** What was left out. */
  readonly dropped: readonly DroppedComponent[]
}

/** Received components as they can be sent again. */
export function toSendable(received: ComponentSource): Sendable {
  throw new Error(String(received))
}

/** A list of components as the service sent it, typed. */
export function parseComponents(json: unknown): readonly ReceivedComponent[] {
  throw new Error(String(json))
}
