import { Client } from 'rapport-sdk'

/** A client method as untyped code calls it. */
export type UntypedMethod = (...args: readonly unknown[]) => Promise<unknown>

/** Returns the method that a call such as `client.auth.sessions.list` names. */
export function clientMethod(client: Client, call: string): UntypedMethod | undefined {
  const names = call.split('.').slice(1)
  let owner: unknown
  let found: unknown = client
  for (const name of names) {
    owner = found
    found = typeof owner === 'object' && owner !== null ? Reflect.get(owner, name) : undefined
  }
  if (typeof found !== 'function') return undefined
  return (...args) => Reflect.apply(found, owner, args) as Promise<unknown>
}

/** Methods that combine endpoints of the table, and the live stores. */
export const CONVENIENCES: readonly string[] = [
  'client.auth.loginWithPasskey',
  'client.relationships.accept',
  'client.relationships.block',
  'client.gameRelationships.accept',
  'client.relationships.live',
  'client.gameRelationships.live',
  'client.friendSuggestions.live',
]

/** Returns the names of all methods of all resources of a client. */
export function resourceCalls(client: Client): string[] {
  const resources = ['auth', 'mfa', 'widgets', 'identities', 'widgetConfigs', 'relationships', 'gameRelationships']
  const names = [...resources, 'friendSuggestions', 'auth.sessions']
  return names.flatMap((resource) => {
    const object: unknown = resource
      .split('.')
      .reduce<unknown>((owner, name) => Reflect.get(Object(owner), name), client)
    const isMethod = (name: string) => typeof Reflect.get(Object(object), name) === 'function'
    const methods = Object.getOwnPropertyNames(object).filter(isMethod)
    return methods.map((method) => `client.${resource}.${method}`)
  })
}

/** Returns a client that makes no calls. */
export function idleClient(): Client {
  return new Client({ baseUrl: 'https://service.example' })
}
