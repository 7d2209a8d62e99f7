import { check } from '../../src/contract/check'
import { gatewayEvents } from '../../src/contract/gateway-events'
import { formatIssues } from '../../src/contract/issue'
import { dispatch, type Hub } from './hub'
import type { GatewaySession } from './session'

/** Name of an event, as the interface document writes it. */
export type GatewayEventName = (typeof gatewayEvents)[keyof typeof gatewayEvents]['name']

const rows = Object.values(gatewayEvents)

/** The name of an event on the wire, by convention: `Relationship Add` is `RELATIONSHIP_ADD`. */
export function wireName(event: string): string {
  return event.toUpperCase().replaceAll(' ', '_')
}

/** Sends one of the service's own events. Like its answers, they are held against the contract before they leave. */
export function tell(hub: Hub, session: GatewaySession, event: GatewayEventName, data: unknown): void {
  const row = rows.find(({ name }) => name === event)
  const issues = row === undefined ? [] : check(row.payload, data, { showValues: false })
  if (issues.length > 0) throw new Error(`its event "${event}" breaks the contract:\n${formatIssues(issues)}`)
  dispatch(hub, session, wireName(event), data)
}
