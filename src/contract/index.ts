import type { Endpoint } from './endpoint'
import { friendSuggestions } from './friend-suggestions'
import { gameRelationships } from './game-relationships'
import { handoff } from './handoff'
import { identities } from './identities'
import { login } from './login'
import { logout } from './logout'
import { mfa } from './mfa'
import { passwordless } from './passwordless'
import { recovery } from './recovery'
import { registration } from './registration'
import { relationships } from './relationships'
import { sessions } from './sessions'
import { usernames } from './usernames'
import { widgetConfigs } from './widget-configs'
import { widgets } from './widgets'

// A call that is marked as pure: of a spread, bundlers cannot know that it does nothing.
const auth = /*@__PURE__*/ (() =>
  ({
    ...login,
    ...passwordless,
    ...handoff,
    ...registration,
    ...usernames,
    ...logout,
    ...recovery,
  }) as const satisfies Record<string, Endpoint>)()

/** Every row of the interface, by the resource and the method that send it. */
export const contract = {
  'auth.sessions': sessions,
  auth,
  mfa,
  widgets,
  identities,
  widgetConfigs,
  relationships,
  gameRelationships,
  friendSuggestions,
} as const satisfies Record<string, Record<string, Endpoint>>

/** A row and the call that sends it: `client.auth.sessions.list`. */
export interface EndpointCall {
  /** The method of the client that sends it. */
  readonly call: string
  /** The row. */
  readonly endpoint: Endpoint
}

/** All 55 rows, in the order of {@link contract}. */
export const endpoints: readonly EndpointCall[] = /*@__PURE__*/ Object.entries(contract).flatMap(([resource, rows]) =>
  Object.entries(rows as Record<string, Endpoint>).map(([method, endpoint]) => ({
    call: `client.${resource}.${method}`,
    endpoint,
  })),
)
