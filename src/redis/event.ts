// Events that a loop delivers, and the check of those that the app declares.
import {
  type CustomEventName,
  type CustomEvents,
  type DeclaredEvent,
  type GatewayServiceEvents,
  type GatewayWarning,
  invalidPayload,
  schemaThrew,
} from '../gateway/events'
import { compileSecrets } from '../internal/redact'
import type { StoredEvent } from './event-log'

/** What all events of an account have. */
export interface RedisEventFields extends Pick<StoredEvent, 'id' | 'number'> {
  /**
   * Number of events directly before this one that are lost for the group: it had not acknowledged them when the stream dropped
   * them (`maxLength`), or the service did not replay them. Redis counts them, so it is exact also after a restart, and with the
   * first event of a loop. If the event is delivered again, so is the number. What was lost before a `ready` is unknown.
   */
  readonly missed: number
  /**
   * Acknowledges the event and those before it: they are not delivered again, unless another consumer has already taken over.
   * During an outage of Redis it waits, until the loop's signal.
   */
  ack(): Promise<void>
}

/** An event of an account that is not declared, or whose payload is invalid. */
export interface RedisServiceEvent extends RedisEventFields {
  /** Name of the event for listeners (`relationshipAdd`), or on the wire if the API does not name it. */
  readonly type: keyof GatewayServiceEvents | (string & {})
  /** Absent, so that comparing it distinguishes declared events. */
  readonly name?: undefined
  /** The payload as received; not validated. */
  readonly data: unknown
  /** Why it has its name on the wire although it is declared: what a gateway would emit as `warning`. */
  readonly warning?: GatewayWarning
}

/** An event of `CustomEvents` that the option `events` declares, with the data that its schema returns. */
export type RedisCustomEvent = {
  [Name in CustomEventName]: RedisEventFields & {
    /** Name of the event for listeners. */
    readonly type: Name
    /** The same; `undefined` if the event is not declared or invalid, so that comparing it tells the type of `data`. */
    readonly name: Name
    /** The payload that the schema returns. */
    readonly data: CustomEvents[Name]
    readonly warning?: undefined
  }
}[CustomEventName]

/** An event of an account. */
export type RedisEvent = RedisServiceEvent | RedisCustomEvent

/** Returns an event with its name, and with what the schema returns or a warning. */
export async function checkDeclared(event: StoredEvent, declared: DeclaredEvent | undefined): Promise<object> {
  if (!declared) return event
  const { name, schema } = declared
  try {
    const result = schema ? await schema['~standard'].validate(event.data) : { value: event.data }
    if (!result.issues) return { ...event, type: name, name, data: result.value }
    return { ...event, warning: invalidPayload(name, result.issues, compileSecrets()) }
  } catch (cause) {
    throw schemaThrew(name, cause)
  }
}
