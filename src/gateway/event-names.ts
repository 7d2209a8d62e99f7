import { gatewayEvents } from '../contract/gateway-events'
import type { Issue } from '../contract/issue'
import { nameIssues } from '../transport/event-names'

/** The names that a protocol may give to what the service sends. */
const SENT: readonly unknown[] = /*@__PURE__*/ Object.keys(gatewayEvents).concat('resumed')

/**
 * Every event that a gateway tells. Those that the service has beyond the interface are no exception: they are in `dispatch`
 * alone, under the names that they come with.
 */
export const GATEWAY_EVENT_NAMES: readonly unknown[] = /*@__PURE__*/ SENT.concat([
  'stateChange',
  'warning',
  'error',
  'dispatch',
])

/** What of a protocol's event map nobody could listen to. */
export function eventMapIssues(option: string, eventMap: unknown): Issue[] {
  return Object.entries(Object(eventMap)).flatMap(([sent, name]) => nameIssues([option, sent], name, SENT))
}
