import type {
  Client,
  DynamicData,
  DynamicDataInput,
  GameWidgetData,
  Immutable,
  MediaItemInput,
  RegisterParams,
  RequestOptions,
  SendFriendRequestParams,
  UpdateProfileParams,
  UpdateWidgetConfigParams,
  WidgetSurface,
} from 'rapport-sdk'
import { Client as ClientClass } from 'rapport-sdk'
import { describe, expectTypeOf, test } from 'vitest'
import type { ParamsOf } from '../../src/contract/endpoint'
import type { contract } from '../../src/contract/index'

declare const client: Client
declare const maybe: string | undefined

describe('a required parameter', () => {
  test('a call without a required parameter does not compile', () => {
    // @ts-expect-error: password
    client.auth.login({ login: 'a' })
    // @ts-expect-error: the parameters
    client.auth.login()
    // @ts-expect-error: the discriminator, which may be null
    client.relationships.sendRequest({ username: 'a' })
    // @ts-expect-error: the surfaces
    client.widgetConfigs.update('1', '2', { display_name: 'a' })
    // @ts-expect-error: the ID of the config
    client.widgetConfigs.update('1', { surfaces: {} })
    // @ts-expect-error: the ID of the user
    client.relationships.create()
    // @ts-expect-error: baseUrl
    new ClientClass({ token: 'a' })
  })

  test('cannot be undefined or null', () => {
    // @ts-expect-error: a string
    client.auth.checkUsername({ username: maybe })
    // @ts-expect-error: a string
    client.relationships.delete(null)
    // @ts-expect-error: a string, because a number of this length loses digits
    client.relationships.delete(80351110224678912)
  })
})

type Contract = typeof contract
type AnyEndpoint = { [K in keyof Contract]: Contract[K][keyof Contract[K]] }[keyof Contract]

/** Objects that may be sent back as received. */
type Received = Immutable<DynamicData> | Immutable<GameWidgetData> | Immutable<WidgetSurface>
type IsReceived<T, R = Received> = R extends T ? (T extends R ? true : never) : never

/** The optional fields, at any depth, that refuse `undefined`. */
type RefusingUndefined<T, Depth extends 0[] = []> = unknown extends T
  ? never
  : Depth['length'] extends 8
    ? never
    : T extends readonly (infer Item)[]
      ? RefusingUndefined<Item, [0, ...Depth]>
      : T extends string | number | boolean | null | undefined
        ? never
        : true extends IsReceived<T>
          ? never
          : {
              [K in keyof T]-?: RefusingUndefined<T[K], [0, ...Depth]> | (string extends K ? never : Refused<T, K>)
            }[keyof T]
type Refused<T, K extends keyof T> =
  // biome-ignore lint/complexity/noBannedTypes: `{}` extends an object with only optional keys
  {} extends Pick<T, K> ? ({ [P in K]: undefined } extends Pick<T, K> ? never : K) : never

describe('an optional parameter', () => {
  test('can be omitted', () => {
    client.auth.logout()
    client.relationships.create('1')
    client.relationships.create('1', {})
    client.relationships.deleteBulk()
    client.identities.list('1', undefined, { timeout: 5 })
    expectTypeOf<{ surfaces: Record<never, never> }>().toExtend<UpdateWidgetConfigParams>()
  })

  test('can be undefined under exactOptionalPropertyTypes, which means not set', () => {
    client.relationships.create('1', { note: undefined })
    client.relationships.update('1', { nickname: maybe })
    client.relationships.list({ token: maybe })
    client.request({ path: '/x', query: { a: maybe }, body: undefined, schema: undefined })
    new ClientClass({
      baseUrl: 'https://service.example',
      gateway: { url: 'wss://service.example', backoff: undefined },
    })
  })

  test('can be undefined in every endpoint, at every depth', () => {
    expectTypeOf<RefusingUndefined<ParamsOf<AnyEndpoint>>>().toBeNever()
    expectTypeOf<RefusingUndefined<{ a: readonly { b?: { c?: 1 } | undefined }[] }>>().toEqualTypeOf<'c'>()
  })

  test('can be null only if the API document says so', () => {
    expectTypeOf<SendFriendRequestParams['note']>().toEqualTypeOf<string | null | undefined>()
    expectTypeOf<RegisterParams['global_name']>().toEqualTypeOf<string | null | undefined>()
    // @ts-expect-error: a nickname cannot be null
    client.relationships.update('1', { nickname: null })
    // @ts-expect-error: an e-mail address cannot be null
    client.auth.register({ username: 'a', email: null })
  })
})

describe('an unknown parameter', () => {
  test('an unknown field does not compile at any level', () => {
    // @ts-expect-error: unknown field
    client.relationships.update('1', { nickname: 'a', extra: 1 })
    // @ts-expect-error: unknown field
    client.identities.updateProfile('1', '2', '3', { data: { primary: { total_naps: 1 } } })
    // @ts-expect-error: receive-only
    const image: MediaItemInput = { url: 'a', width: 1 }
    client.identities.updateProfile('1', '2', '3', { data: { primary: { featured_played_character_image: image } } })
    // @ts-expect-error: unknown option
    client.relationships.list({ retries: 5 })
    expectTypeOf<keyof MediaItemInput>().toEqualTypeOf<'url'>()
  })

  test('a call without parameters accepts only options', () => {
    // @ts-expect-error: unknown option
    client.relationships.delete('1', { reason: 'a' })
    expectTypeOf<Parameters<Client['relationships']['delete']>>().toEqualTypeOf<
      [string, (RequestOptions | undefined)?]
    >()
  })
})

test('dynamic data accept only the value of their type', () => {
  expectTypeOf<{ name: string; type: 1; value: string }>().toExtend<DynamicDataInput>()
  expectTypeOf<{ name: string; type: 2; value: number }>().toExtend<DynamicDataInput>()
  expectTypeOf<{ name: string; type: 3; value: { url: string } }>().toExtend<DynamicDataInput>()
  expectTypeOf<{ name: string; type: 1; value: number }>().not.toExtend<DynamicDataInput>()
  expectTypeOf<{ name: string; type: 2; value: string }>().not.toExtend<DynamicDataInput>()
  expectTypeOf<{ name: string; type: 3; value: string }>().not.toExtend<DynamicDataInput>()
})

test('metadata accept any value, and updateConfig() documented fields', () => {
  expectTypeOf<UpdateProfileParams['metadata']>().toEqualTypeOf<Record<string, unknown> | undefined>()
  expectTypeOf<Parameters<Client['identities']['updateConfig']>[2]>().toEqualTypeOf<
    { connection_visible?: string | undefined } | undefined
  >()
})

/** The arguments of a method without its options. */
type ArgumentsOf<Method> = Method extends (...args: infer All) => unknown
  ? Exclude<All[number], RequestOptions | undefined>
  : never

/** The methods of a resource that reject readonly arguments. */
type RejectingReadonly<Resource> = {
  [K in keyof Resource]: Immutable<[ArgumentsOf<Resource[K]>]> extends readonly [ArgumentsOf<Resource[K]>] ? never : K
}[keyof Resource]

declare const ids: readonly string[]

describe('readonly parameters', () => {
  test('every call accepts readonly parameters', () => {
    expectTypeOf<RejectingReadonly<Client['auth']>>().toBeNever()
    expectTypeOf<RejectingReadonly<Client['auth']['sessions']>>().toBeNever()
    expectTypeOf<RejectingReadonly<Client['mfa']>>().toBeNever()
    expectTypeOf<RejectingReadonly<Client['widgets']>>().toBeNever()
    expectTypeOf<RejectingReadonly<Client['identities']>>().toBeNever()
    expectTypeOf<RejectingReadonly<Client['widgetConfigs']>>().toBeNever()
    expectTypeOf<RejectingReadonly<Client['relationships']>>().toBeNever()
    expectTypeOf<RejectingReadonly<Client['gameRelationships']>>().toBeNever()
    expectTypeOf<RejectingReadonly<Client['friendSuggestions']>>().toBeNever()
    // The type detects a call that rejects a readonly array.
    expectTypeOf<
      RejectingReadonly<{ call: (params: { ids: string[] }, options?: RequestOptions) => void }>
    >().toEqualTypeOf<'call'>()
  })

  test('calls accept readonly arrays of strings', () => {
    client.identities.listBulk({ user_ids: ids })
    client.relationships.addBulk({ user_ids: ids, token: 'a' })
    client.auth.sessions.logout({ session_id_hashes: ids })
    const filters = [1, 2] as const
    client.relationships.deleteBulk({ filters })
  })

  test('calls accept nested readonly arrays', () => {
    const widgets = [
      { data: { type: 'played_games', games: [{ game_id: '1', tags: ['expert', 'love_it'] }] } },
    ] as const
    client.widgets.replace({ widgets })
    const data = { primary: { season: '4' }, dynamic: [{ name: 'a', type: 3, value: { url: 'b' } }] } as const
    client.identities.updateProfile('1', '2', '3', { data, metadata: { a: [1] } as const })
    const surfaces = {
      widget_top: {
        layout: 'widget_top_hero',
        components: { a: { fields: { b: { value_type: 'data', presentation_type: 'text', value: 'c' } } } },
      },
    } as const
    client.widgetConfigs.create('1', { display_name: 'a', surfaces })
    client.request({ path: '/later', query: { ids }, body: { ids } })
  })
})
