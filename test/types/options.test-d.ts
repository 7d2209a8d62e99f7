import type {
  Client,
  ClientOptions,
  CustomRequest,
  GatewayBackoffOptions,
  GatewayOptions,
  LoginOrigin,
  PasskeyLoginOptions,
  RequestOptions,
  RetryOptions,
  WaitForOptions,
} from 'rapport-sdk'
import type { WebAuthnRequest } from 'rapport-sdk/webauthn'
import { describe, expectTypeOf, test } from 'vitest'

/** The same properties, none of them optional: what is `undefined` has to be said. */
type Spelt<T> = { readonly [K in keyof Required<T>]: T[K] | undefined }

declare const client: Client
declare const maybeSignal: AbortSignal | undefined

// This project compiles with `exactOptionalPropertyTypes`, as users may.
describe('an option that is undefined is as good as not given', () => {
  test('to a client', () => {
    expectTypeOf<Omit<Spelt<ClientOptions>, 'baseUrl'> & { baseUrl: string }>().toExtend<ClientOptions>()
    // @ts-expect-error: the one that must be given
    expectTypeOf<{ baseUrl: undefined }>().toExtend<ClientOptions>()
  })

  test('to a call', () => {
    expectTypeOf<Spelt<RequestOptions>>().toExtend<RequestOptions>()
    expectTypeOf<Spelt<RetryOptions>>().toExtend<RetryOptions>()
    expectTypeOf<Omit<Spelt<CustomRequest>, 'path'> & { path: string }>().toExtend<CustomRequest>()
    expectTypeOf(client.relationships.list).toBeCallableWith({ signal: maybeSignal })
  })

  test('to a gateway and its calls', () => {
    expectTypeOf<Omit<Spelt<GatewayOptions>, 'url'> & { url: string }>().toExtend<GatewayOptions>()
    expectTypeOf<Spelt<GatewayBackoffOptions>>().toExtend<GatewayBackoffOptions>()
    expectTypeOf(client.gateway.connect).toBeCallableWith({ signal: maybeSignal })
    expectTypeOf<Spelt<WaitForOptions<number>>>().toExtend<WaitForOptions<number>>()
  })

  test('to a ceremony', () => {
    type Origin = keyof LoginOrigin
    expectTypeOf<Omit<Spelt<PasskeyLoginOptions>, Origin>>().toExtend<Omit<PasskeyLoginOptions, Origin>>()
    expectTypeOf<Spelt<WebAuthnRequest>>().toExtend<WebAuthnRequest>()
  })
})
