import { defaultPolicy } from './default-policy'
import { defaultErrors } from './errors'
import { defaultGatewayPolicy } from './gateway/policy'
import type { PolicyChanges } from './policy'
import {
  anything,
  assertSettings,
  boolean,
  callback,
  duration,
  integer,
  type Kind,
  type Kinds,
  number,
  text,
  times,
} from './set-up'

const byType: Readonly<Record<string, Kind>> = { boolean, function: callback, number, string: text }

/** What each entry of a policy may be follows from what it is by default. */
const entries: Kinds = Object.fromEntries(
  Object.entries(defaultPolicy).map(([name, value]) => [name, byType[typeof value] ?? anything]),
)
const lifetimes: Kinds = Object.fromEntries(Object.keys(defaultPolicy.lifetimes).map((name) => [name, duration()]))
const errors: Kinds = Object.fromEntries(Object.keys(defaultErrors).map((name) => [name, anything]))
const closeCodes: Kinds = Object.fromEntries(
  Object.keys(defaultGatewayPolicy.closeCodes).map((name) => [name, integer(3000, 4999)]),
)
const gateway: Kinds = {
  heartbeatInterval: duration(2 ** 31 - 1),
  heartbeatGrace: duration(),
  replayLimit: times,
  resumeWindow: duration(),
  resumeUrl: callback,
  readySnapshot: boolean,
  logoutEndsSessions: boolean,
  closeCodes: anything,
}
const error: Kinds = { status: integer(400, 599), code: number, message: text }

/**
 * Refuses changes of a policy that have no effect, or one that shows only when a request comes.
 * @throws TypeError that says what was given and what is allowed.
 */
export function assertPolicy(changes: PolicyChanges): void {
  assertSettings('policy', changes, entries)
  if (changes.lifetimes !== undefined) assertSettings('policy.lifetimes', changes.lifetimes, lifetimes)
  if (changes.gateway !== undefined) assertSettings('policy.gateway', changes.gateway, gateway)
  if (changes.gateway?.closeCodes !== undefined) {
    assertSettings('policy.gateway.closeCodes', changes.gateway.closeCodes, closeCodes)
  }
  if (changes.errors === undefined) return
  assertSettings('policy.errors', changes.errors, errors)
  for (const [name, value] of Object.entries(changes.errors)) {
    if (value !== undefined) assertSettings(`policy.errors.${name}`, value, error, Object.keys(error))
  }
}
