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

/** Makes every optional property required but allows `undefined`. */
type AllowUndefined<T> = { readonly [K in keyof Required<T>]: T[K] | undefined }

declare const client: Client
declare const maybeSignal: AbortSignal | undefined

// This project compiles with `exactOptionalPropertyTypes`, as users may.
describe('undefined as the value of an option', () => {
  test('compiles for every optional client option', () => {
    expectTypeOf<Omit<AllowUndefined<ClientOptions>, 'baseUrl'> & { baseUrl: string }>().toExtend<ClientOptions>()
    // @ts-expect-error: baseUrl is required
    expectTypeOf<{ baseUrl: undefined }>().toExtend<ClientOptions>()
  })

  test('compiles for every option of a call', () => {
    expectTypeOf<AllowUndefined<RequestOptions>>().toExtend<RequestOptions>()
    expectTypeOf<AllowUndefined<RetryOptions>>().toExtend<RetryOptions>()
    expectTypeOf<Omit<AllowUndefined<CustomRequest>, 'path'> & { path: string }>().toExtend<CustomRequest>()
    expectTypeOf(client.relationships.list).toBeCallableWith({ signal: maybeSignal })
  })

  test('compiles for every optional option of a gateway', () => {
    expectTypeOf<Omit<AllowUndefined<GatewayOptions>, 'url'> & { url: string }>().toExtend<GatewayOptions>()
    expectTypeOf<AllowUndefined<GatewayBackoffOptions>>().toExtend<GatewayBackoffOptions>()
    expectTypeOf(client.gateway.connect).toBeCallableWith({ signal: maybeSignal })
    expectTypeOf<AllowUndefined<WaitForOptions<number>>>().toExtend<WaitForOptions<number>>()
  })

  test('compiles for every option of a WebAuthn ceremony', () => {
    type Origin = keyof LoginOrigin
    expectTypeOf<Omit<AllowUndefined<PasskeyLoginOptions>, Origin>>().toExtend<Omit<PasskeyLoginOptions, Origin>>()
    expectTypeOf<AllowUndefined<WebAuthnRequest>>().toExtend<WebAuthnRequest>()
  })
})
