import type { Client, MfaChallenge } from 'rapport-sdk'
import { isMfaRequiredError } from 'rapport-sdk'
import { createGatewayClient, serveGateway } from '../servers/gateway-server'
import { type HttpServer, json, mfaRequired, serve } from '../servers/http-server'
import { rejectionOf } from '../transport/rejection'

/** Returns a signed-in client of an HTTP server with these responses and of a gateway. */
export async function createWorld(
  ...responders: Parameters<typeof serve>
): Promise<{ client: Client; server: HttpServer }> {
  const server = (await serve(...responders)).fallback(() => json(200, []))
  const client = createGatewayClient(await serveGateway(), { baseUrl: server.url, retry: 0 })
  return { client, server }
}

/** Returns the challenge of a call that requires a second factor. */
export async function createChallenge(client: Client, server: HttpServer): Promise<MfaChallenge> {
  server.respondWith(mfaRequired('ticket-one', [{ type: 'totp' }, { type: 'sms' }]))
  const { challenge } = await rejectionOf(client.widgets.suggestedGames(), isMfaRequiredError)
  if (challenge === undefined) throw new Error('there is no challenge')
  return challenge
}

/** Creates each type of object that a client returns, by name. */
export const PUBLIC_OBJECTS: Readonly<
  Record<string, (client: Client, server: HttpServer) => object | Promise<object>>
> = {
  client: (client) => client,
  'client.as': (client) => client.as('the-token-of-grace'),
  'client.suspended': (client) => client.suspended('the-token-of-someone'),
  'client.session': ({ session }) => session,
  'client.auth': ({ auth }) => auth,
  'client.auth.sessions': ({ auth }) => auth.sessions,
  'client.mfa': ({ mfa }) => mfa,
  'client.widgets': ({ widgets }) => widgets,
  'client.identities': ({ identities }) => identities,
  'client.widgetConfigs': ({ widgetConfigs }) => widgetConfigs,
  'client.relationships': ({ relationships }) => relationships,
  'client.gameRelationships': ({ gameRelationships }) => gameRelationships,
  'client.friendSuggestions': ({ friendSuggestions }) => friendSuggestions,
  'client.gateway': ({ gateway }) => gateway,
  'client.gateway.stream': ({ gateway }) => gateway.stream(['ready']),
  'client.relationships.live': ({ relationships }) => relationships.live(),
  'client.gameRelationships.live': ({ gameRelationships }) => gameRelationships.live(),
  'client.friendSuggestions.live': ({ friendSuggestions }) => friendSuggestions.live(),
  challenge: createChallenge,
}

/** Resolves after the responses to five requests in a row. What has not settled by then waits for an event. */
export async function afterRequests({ url }: HttpServer): Promise<void> {
  for (let count = 0; count < 5; count++) await (await fetch(url)).text()
}

/** Returns the names of the own and inherited members of an object. */
export function membersOf(object: object): PropertyKey[] {
  const names = new Set<PropertyKey>()
  for (let at: object | null = object; at && at !== Object.prototype; at = Object.getPrototypeOf(at)) {
    for (const name of Reflect.ownKeys(at)) names.add(name)
  }
  names.delete('constructor')
  return [...names]
}
