import type { Endpoint } from '../../src/contract/endpoint'
import { type contract, endpoints } from '../../src/contract/index'
import { createMessage } from '../router'
import { identityRoutes, widgetConfigRoutes, widgetRoutes } from './applications'
import {
  handoffRoutes,
  loginRoutes,
  logoutRoutes,
  mfaRoutes,
  passwordlessRoutes,
  recoveryRoutes,
  registrationRoutes,
  sessionRoutes,
  usernameRoutes,
} from './auth'
import { messageRoute } from './messages'
import { friendSuggestionRoutes, gameRelationshipRoutes, relationshipRoutes } from './relationships'
import type { Call, RoutesOf } from './route'

/** A route for each endpoint of the contract, by the same keys. */
const routes = {
  'auth.sessions': sessionRoutes,
  auth: {
    ...loginRoutes,
    ...passwordlessRoutes,
    ...handoffRoutes,
    ...registrationRoutes,
    ...usernameRoutes,
    ...logoutRoutes,
    ...recoveryRoutes,
  },
  mfa: mfaRoutes,
  widgets: widgetRoutes,
  identities: identityRoutes,
  widgetConfigs: widgetConfigRoutes,
  relationships: relationshipRoutes,
  gameRelationships: gameRelationshipRoutes,
  friendSuggestions: friendSuggestionRoutes,
} satisfies { readonly [R in keyof typeof contract]: RoutesOf<(typeof contract)[R]> }

type AnyRoute = (call: Omit<Call<Endpoint>, 'params'> & { readonly params: unknown }) => unknown

const byEndpoint: ReadonlyMap<Endpoint, AnyRoute> = new Map([
  // Typed by its endpoint in its own file.
  [createMessage, messageRoute as unknown as AnyRoute],
  ...Object.entries(routes).flatMap(([resource, area]) =>
    // Each route is typed by its endpoint in its own file; that type is not available here.
    Object.entries(area as unknown as Record<string, AnyRoute>).flatMap(([method, route]): [Endpoint, AnyRoute][] => {
      const row = endpoints.find(({ call }) => call === `client.${resource}.${method}`)
      return row === undefined ? [] : [[row.endpoint, route]]
    }),
  ),
])

export function routeOf(endpoint: Endpoint): AnyRoute | undefined {
  return byEndpoint.get(endpoint)
}
