import { Client } from 'rapport-sdk'

/** A method of the client, called as untyped code would call it. */
export type UntypedMethod = (...given: readonly unknown[]) => Promise<unknown>

/** The method that a call such as `client.auth.sessions.list` names, or nothing. */
export function clientMethod(client: Client, call: string): UntypedMethod | undefined {
  const names = call.split('.').slice(1)
  let owner: unknown
  let found: unknown = client
  for (const name of names) {
    owner = found
    found = typeof owner === 'object' && owner !== null ? Reflect.get(owner, name) : undefined
  }
  if (typeof found !== 'function') return undefined
  return (...given) => Reflect.apply(found, owner, given) as Promise<unknown>
}

/** The calls that a client offers beside those of the table: conveniences, each made of calls that are in it, and stores. */
export const CONVENIENCES: readonly string[] = [
  'client.auth.loginWithPasskey',
  'client.relationships.accept',
  'client.relationships.block',
  'client.gameRelationships.accept',
  'client.relationships.live',
  'client.gameRelationships.live',
  'client.friendSuggestions.live',
]

/** Every method of every resource of a client. */
export function resourceCalls(client: Client): string[] {
  const resources = ['auth', 'mfa', 'widgets', 'identities', 'widgetConfigs', 'relationships', 'gameRelationships']
  const names = [...resources, 'friendSuggestions', 'auth.sessions']
  return names.flatMap((resource) => {
    const object: unknown = resource
      .split('.')
      .reduce<unknown>((owner, name) => Reflect.get(Object(owner), name), client)
    const prototype: unknown = Object.getPrototypeOf(object)
    const methods = Object.getOwnPropertyNames(prototype).filter((name) => name !== 'constructor')
    return methods.map((method) => `client.${resource}.${method}`)
  })
}

/** A client that is asked nothing. */
export function idleClient(): Client {
  return new Client({ baseUrl: 'https://service.example' })
}
