import type { Auth, Client, ClientOptions, Gateway, Recovery, RelationshipStore, SignIn } from 'rapport-sdk'
import {
  auth,
  type CoreClient,
  createClient,
  friendSuggestions,
  gameRelationships,
  gateway,
  identities,
  live,
  mfa,
  type OptionsOf,
  passkeys,
  type Relationships,
  recovery,
  registration,
  relationships,
  request,
  widgetConfigs,
  widgets,
} from 'rapport-sdk/core'
import { describe, expectTypeOf, test } from 'vitest'

const baseUrl = 'https://service.example'
declare const all: ClientOptions

/** Members that a client has without any part. */
type Base = 'session' | 'ready' | 'on' | 'as' | 'dispose' | typeof Symbol.asyncDispose

describe('the type of a client of parts', () => {
  test('has exactly the namespaces of its parts', () => {
    const client = createClient({ baseUrl }, { auth, relationships })
    expectTypeOf(client).toEqualTypeOf<CoreClient<'auth' | 'relationships'>>()
    expectTypeOf<keyof typeof client>().toEqualTypeOf<Base | 'auth' | 'relationships'>()
    expectTypeOf(client.auth).toEqualTypeOf<SignIn>()
    expectTypeOf(client.relationships).toEqualTypeOf<Omit<Relationships, 'live'>>()
    // @ts-expect-error: the part `mfa` is missing
    client.mfa
    // @ts-expect-error: live stores come with the part `live`
    client.relationships.live()
    expectTypeOf(createClient({ baseUrl }, {})).toEqualTypeOf<CoreClient<never>>()
    expectTypeOf<keyof CoreClient<never>>().toEqualTypeOf<Base>()
  })

  test('client.auth has the methods of its parts, in any order', () => {
    const client = createClient({ baseUrl }, { recovery, auth })
    expectTypeOf(client.auth).toEqualTypeOf<SignIn & Recovery>()
    client.auth.login
    client.auth.resetPassword
    // @ts-expect-error: the part `registration` is missing
    client.auth.register
    // @ts-expect-error: the part `passkeys` is missing
    client.auth.loginWithPasskey
    // @ts-expect-error: the part adds methods to `auth`, and no namespace
    client.recovery
    expectTypeOf(createClient({ baseUrl }, { auth, passkeys, registration, recovery }).auth).toExtend<Auth>()
    expectTypeOf<Auth>().toExtend<CoreClient<'auth' | 'passkeys' | 'registration' | 'recovery'>['auth']>()
  })

  test('has the same namespaces if it is made by `as`', () => {
    expectTypeOf(createClient({ baseUrl }, { auth, mfa }).as).returns.toEqualTypeOf<CoreClient<'auth' | 'mfa'>>()
  })

  test('the part request adds request() and suspended()', () => {
    const client = createClient({ baseUrl }, { request })
    expectTypeOf<keyof typeof client>().toEqualTypeOf<Base | 'request' | 'suspended'>()
    expectTypeOf(client.request).toEqualTypeOf<Client['request']>()
    expectTypeOf(client.suspended).toEqualTypeOf<Client['suspended']>()
  })

  test('the calls of a client of all parts have the types of those of Client', () => {
    const client = createClient(all, {
      auth,
      passkeys,
      registration,
      recovery,
      mfa,
      widgets,
      identities,
      widgetConfigs,
      relationships,
      gameRelationships,
      friendSuggestions,
      gateway,
      live,
      request,
    })
    type Same = Exclude<keyof typeof client & keyof Client, 'as' | 'auth'>
    expectTypeOf(client.auth).toExtend<Auth>()
    expectTypeOf<Pick<typeof client, Same>>().toEqualTypeOf<Pick<Client, Same>>()
    expectTypeOf(client.relationships.live).returns.toEqualTypeOf<RelationshipStore>()
    expectTypeOf(client.gateway).toEqualTypeOf<Gateway>()
  })
})

describe('parts that do not compile', () => {
  test('live without gateway', () => {
    // @ts-expect-error: Property 'gateway' is missing
    createClient({ baseUrl }, { live })
    // @ts-expect-error: also next to other parts
    createClient({ baseUrl }, { auth, live })
    const client = createClient({ baseUrl }, { relationships, gateway, live })
    expectTypeOf(client.relationships.live).returns.toExtend<RelationshipStore>()
    // @ts-expect-error: the part adds a method to the lists, and no namespace
    client.live
  })

  test('passkeys, registration and recovery without auth', () => {
    // @ts-expect-error: Property 'auth' is missing
    createClient({ baseUrl }, { passkeys })
    // @ts-expect-error: Property 'auth' is missing
    createClient({ baseUrl }, { registration, mfa })
    // @ts-expect-error: Property 'auth' is missing
    createClient({ baseUrl }, { recovery })
  })

  test('a part under another name', () => {
    // @ts-expect-error: there is no part `friends`
    createClient({ baseUrl }, { friends: relationships })
    // @ts-expect-error: this is the part `mfa`
    createClient({ baseUrl }, { auth: mfa })
  })
})

describe('the options of a client of parts', () => {
  test('an option compiles only with a part that understands it', () => {
    const webauthn = { get: async () => ({}) }
    const url = 'wss://gateway.example'
    createClient({ baseUrl, webauthn, mfaTimeout: 5, onMfaRequired: () => null }, { auth })
    createClient({ baseUrl, webauthn, mfaHeader: 'x-mfa', classifyMfaFailure: () => 'fatal' }, { mfa })
    createClient({ baseUrl, gateway: { url } }, { gateway })
    // @ts-expect-error: needs the part `gateway`
    createClient({ baseUrl, gateway: { url } }, { auth })
    // @ts-expect-error: needs the part `auth` or `mfa`
    createClient({ baseUrl, webauthn }, { relationships })
    // @ts-expect-error: needs the part `mfa`
    createClient({ baseUrl, mfaHeader: 'x-mfa' }, { auth })
    // @ts-expect-error: there is no such option
    createClient({ baseUrl, timeOut: 5 }, { auth })
    // @ts-expect-error: baseUrl is required
    createClient({}, { auth })
  })

  test('a handler in the options has the type of a challenge', () => {
    createClient({ baseUrl, onMfaRequired: (challenge) => (challenge.allows('totp') ? null : null) }, { mfa })
  })

  test('with all parts, the options are those of Client', () => {
    expectTypeOf<ClientOptions>().toExtend<OptionsOf<'auth' | 'mfa' | 'gateway'>>()
    expectTypeOf<OptionsOf<'mfa' | 'gateway'>>().toExtend<ClientOptions>()
  })
})
