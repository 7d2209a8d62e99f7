import type { Endpoint } from './endpoint'
import { gameRelationships } from './game-relationships'
import { identities } from './identities'
import { handoff, login, logout, passwordless } from './login'
import { mfa } from './mfa'
import { recovery } from './recovery'
import { registration, usernames } from './registration'
import { friendSuggestions, relationships } from './relationships'
import { sessions } from './sessions'
import { widgetConfigs } from './widget-configs'
import { widgets } from './widgets'

// Called, so that it can be marked as pure: a spread may have side effects, so bundlers would keep it.
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

/** All endpoints of the API, by resource and method. */
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

/** Endpoint with the client method that calls it. */
export interface EndpointCall {
  /** Client method that calls the endpoint, such as `client.auth.sessions.list`. */
  readonly call: string
  /** Endpoint called by the method. */
  readonly endpoint: Endpoint
}

/** All 55 endpoints, in the order of {@link contract}. */
export const endpoints: readonly EndpointCall[] = /*@__PURE__*/ Object.entries(contract).flatMap(([resource, rows]) =>
  Object.entries<Endpoint>(rows).map(([method, endpoint]) => ({
    call: `client.${resource}.${method}`,
    endpoint,
  })),
)
