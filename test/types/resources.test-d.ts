import type {
  ApiPromise,
  AuthenticatorType,
  Client,
  LoginParams,
  Open,
  RegisterParams,
  RequestOptions,
  ResetPasswordParams,
  VerifyMfaLoginParams,
} from 'rapport-sdk'
import { describe, expectTypeOf, test } from 'vitest'
import type { Endpoint, ParamsOf, ResponseOf } from '../../src/contract/endpoint'
import type { contract } from '../../src/contract/index'

type Rest = [options?: RequestOptions | undefined]
type Path<P extends string> = P extends `${string}{${string}}${infer Tail}` ? [string, ...Path<Tail>] : []

// biome-ignore lint/complexity/noBannedTypes: `{}` extends an object with only optional keys
type Params<P> = P extends undefined ? [] : {} extends P ? [params?: P | undefined] : [params: P]

/** The arguments of an endpoint's method: path parameters in order, parameters if it has any, options. */
type ArgumentsOf<E extends Endpoint> = [...Path<E['path']>, ...Params<ParamsOf<E>>, ...Rest]

/** The method of an endpoint. */
type MethodOf<E extends Endpoint> = (...args: ArgumentsOf<E>) => ApiPromise<ResponseOf<E>>

/** A resource with a method for each endpoint. */
type ResourceOf<Rows extends Readonly<Record<string, Endpoint>>> = {
  [K in keyof Rows]: MethodOf<Rows[K]>
}

/** The arguments of a resource's methods, by name. */
type ArgumentsOfMethods<Resource, Names extends PropertyKey> = {
  [K in Names & keyof Resource]: Resource[K] extends (...args: infer Arguments) => unknown ? Arguments : never
}

/** The arguments of the methods of endpoints, by name. */
type ArgumentsOfRows<Rows extends Readonly<Record<string, Endpoint>>> = {
  -readonly [K in keyof Rows]: ArgumentsOf<Rows[K]>
}

type Contract = typeof contract
type Rows<R extends keyof Contract> = Contract[R]
type Takes<Resource, R extends keyof Contract> = ArgumentsOfMethods<Resource, keyof Contract[R]>

// These have other types than their endpoints: `login` and `resetPassword` return a challenge, `register` requires one of
// two optional names, and `verifyMfaLogin` lists the types of second factors.
type Custom = 'login' | 'resetPassword' | 'register' | 'verifyMfaLogin'
type AuthRows = Omit<Rows<'auth'>, Custom>

describe('the method of an endpoint', () => {
  test('returns the response of its endpoint', () => {
    expectTypeOf<Client['auth']['sessions']>().toExtend<ResourceOf<Rows<'auth.sessions'>>>()
    expectTypeOf<Client['auth']>().toExtend<ResourceOf<AuthRows>>()
    expectTypeOf<Client['mfa']>().toExtend<ResourceOf<Rows<'mfa'>>>()
    expectTypeOf<Client['widgets']>().toExtend<ResourceOf<Rows<'widgets'>>>()
    expectTypeOf<Client['identities']>().toExtend<ResourceOf<Rows<'identities'>>>()
    expectTypeOf<Client['widgetConfigs']>().toExtend<ResourceOf<Rows<'widgetConfigs'>>>()
    expectTypeOf<Client['relationships']>().toExtend<ResourceOf<Rows<'relationships'>>>()
    expectTypeOf<Client['gameRelationships']>().toExtend<ResourceOf<Rows<'gameRelationships'>>>()
    expectTypeOf<Client['friendSuggestions']>().toExtend<ResourceOf<Rows<'friendSuggestions'>>>()
  })

  test('takes the documented parameters if it has a custom type', () => {
    type Parameters<M extends Custom> = ArgumentsOfMethods<Client['auth'], Custom>[M]
    expectTypeOf<Parameters<'login'>>().toEqualTypeOf<[LoginParams, (RequestOptions | undefined)?]>()
    expectTypeOf<Parameters<'resetPassword'>>().toEqualTypeOf<[ResetPasswordParams, (RequestOptions | undefined)?]>()
    expectTypeOf<Parameters<'register'>>().toEqualTypeOf<[RegisterParams, (RequestOptions | undefined)?]>()
    expectTypeOf<Parameters<'verifyMfaLogin'>>().toEqualTypeOf<
      [Open<AuthenticatorType>, VerifyMfaLoginParams, (RequestOptions | undefined)?]
    >()
  })

  test('takes exactly the parameters of its endpoint', () => {
    expectTypeOf<Takes<Client['auth']['sessions'], 'auth.sessions'>>().toEqualTypeOf<
      ArgumentsOfRows<Rows<'auth.sessions'>>
    >()
    expectTypeOf<ArgumentsOfMethods<Client['auth'], keyof AuthRows>>().toEqualTypeOf<ArgumentsOfRows<AuthRows>>()
    expectTypeOf<Takes<Client['mfa'], 'mfa'>>().toEqualTypeOf<ArgumentsOfRows<Rows<'mfa'>>>()
    expectTypeOf<Takes<Client['widgets'], 'widgets'>>().toEqualTypeOf<ArgumentsOfRows<Rows<'widgets'>>>()
    expectTypeOf<Takes<Client['identities'], 'identities'>>().toEqualTypeOf<ArgumentsOfRows<Rows<'identities'>>>()
    expectTypeOf<Takes<Client['widgetConfigs'], 'widgetConfigs'>>().toEqualTypeOf<
      ArgumentsOfRows<Rows<'widgetConfigs'>>
    >()
    expectTypeOf<Takes<Client['relationships'], 'relationships'>>().toEqualTypeOf<
      ArgumentsOfRows<Rows<'relationships'>>
    >()
    expectTypeOf<Takes<Client['gameRelationships'], 'gameRelationships'>>().toEqualTypeOf<
      ArgumentsOfRows<Rows<'gameRelationships'>>
    >()
    expectTypeOf<Takes<Client['friendSuggestions'], 'friendSuggestions'>>().toEqualTypeOf<
      ArgumentsOfRows<Rows<'friendSuggestions'>>
    >()
  })
})

test('ResourceOf detects an endpoint without a method', () => {
  type Fewer = Omit<Client['relationships'], 'unignore'>
  expectTypeOf<Fewer>().not.toExtend<ResourceOf<Rows<'relationships'>>>()
})

test('ArgumentsOfMethods detects an additional argument', () => {
  type Stricter = { delete: (userId: string, reason: string) => ReturnType<Client['relationships']['delete']> }
  type Row = ArgumentsOfRows<Pick<Rows<'relationships'>, 'delete'>>
  // @ts-expect-error: the endpoint has no `reason`
  expectTypeOf<ArgumentsOfMethods<Stricter, 'delete'>>().toEqualTypeOf<Row>()
})
