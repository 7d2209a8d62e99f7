import type {
  Client,
  DynamicDataInput,
  Immutable,
  MediaItemInput,
  RegisterParams,
  RequestOptions,
  SendFriendRequestParams,
  UpdateProfileParams,
  UpdateWidgetConfigParams,
} from 'rapport-sdk'
import { Client as ClientClass } from 'rapport-sdk'
import { describe, expectTypeOf, test } from 'vitest'

declare const client: Client
declare const maybe: string | undefined

describe('what is required', () => {
  test('cannot be left out', () => {
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

  test('may not be undefined or null', () => {
    // @ts-expect-error: a string
    client.auth.checkUsername({ username: maybe })
    // @ts-expect-error: a string
    client.relationships.delete(null)
    // @ts-expect-error: a string, since a number this long loses digits
    client.relationships.delete(80351110224678912)
  })
})

describe('what is optional', () => {
  test('may be left out, all of it with the parameters', () => {
    client.auth.logout()
    client.relationships.create('1')
    client.relationships.create('1', {})
    client.relationships.deleteBulk()
    client.identities.list('1', undefined, { timeout: 5 })
    expectTypeOf<{ surfaces: Record<never, never> }>().toExtend<UpdateWidgetConfigParams>()
  })

  test('is present or absent, never undefined, under exactOptionalPropertyTypes', () => {
    // @ts-expect-error: undefined is no note
    client.relationships.create('1', { note: undefined })
    // @ts-expect-error: it may be undefined
    client.relationships.update('1', { nickname: maybe })
    client.relationships.update('1', { ...(maybe !== undefined && { nickname: maybe }) })
    // Options are no parameters: there it is as good as absent.
    client.relationships.list({ token: maybe })
  })

  test('may be null where the document says so alone', () => {
    expectTypeOf<SendFriendRequestParams['note']>().toEqualTypeOf<string | null | undefined>()
    expectTypeOf<RegisterParams['global_name']>().toEqualTypeOf<string | null | undefined>()
    // @ts-expect-error: a nickname cannot be taken away
    client.relationships.update('1', { nickname: null })
    // @ts-expect-error: nor can an e-mail address be null
    client.auth.register({ username: 'a', email: null })
  })
})

describe('what the document does not name', () => {
  test('is refused at every level', () => {
    // @ts-expect-error: unknown field
    client.relationships.update('1', { nickname: 'a', extra: 1 })
    // @ts-expect-error: unknown field
    client.identities.updateProfile('1', '2', '3', { data: { primary: { total_naps: 1 } } })
    // @ts-expect-error: received only
    const image: MediaItemInput = { url: 'a', width: 1 }
    client.identities.updateProfile('1', '2', '3', { data: { primary: { featured_played_character_image: image } } })
    // @ts-expect-error: no option of a call
    client.relationships.list({ retries: 5 })
    expectTypeOf<keyof MediaItemInput>().toEqualTypeOf<'url'>()
  })

  test('is no parameter of a call that has none', () => {
    // @ts-expect-error: options are all that it takes
    client.relationships.delete('1', { reason: 'a' })
    expectTypeOf<Parameters<Client['relationships']['delete']>>().toEqualTypeOf<
      [string, (RequestOptions | undefined)?]
    >()
  })
})

test('dynamic data have the value of their type', () => {
  expectTypeOf<{ name: string; type: 1; value: string }>().toExtend<DynamicDataInput>()
  expectTypeOf<{ name: string; type: 2; value: number }>().toExtend<DynamicDataInput>()
  expectTypeOf<{ name: string; type: 3; value: { url: string } }>().toExtend<DynamicDataInput>()
  expectTypeOf<{ name: string; type: 1; value: number }>().not.toExtend<DynamicDataInput>()
  expectTypeOf<{ name: string; type: 2; value: string }>().not.toExtend<DynamicDataInput>()
  expectTypeOf<{ name: string; type: 3; value: string }>().not.toExtend<DynamicDataInput>()
})

test('what the document leaves open is typed as it is given', () => {
  expectTypeOf<UpdateProfileParams['metadata']>().toEqualTypeOf<Record<string, unknown> | undefined>()
  expectTypeOf<Parameters<Client['identities']['updateConfig']>[2]>().toEqualTypeOf<
    { connection_visible?: string } | undefined
  >()
})

/** What the calls of a resource take, without their options. */
type Given<Method> = Method extends (...given: infer All) => unknown
  ? Exclude<All[number], RequestOptions | undefined>
  : never

/** The methods of a resource whose parameters refuse what is readonly. */
type Mutable<Resource> = {
  [K in keyof Resource]: [Immutable<Given<Resource[K]>>] extends [Given<Resource[K]>] ? never : K
}[keyof Resource]

declare const ids: readonly string[]

describe('parameters may be readonly', () => {
  test('of every call', () => {
    expectTypeOf<Mutable<Client['auth']>>().toBeNever()
    expectTypeOf<Mutable<Client['auth']['sessions']>>().toBeNever()
    expectTypeOf<Mutable<Client['mfa']>>().toBeNever()
    expectTypeOf<Mutable<Client['widgets']>>().toBeNever()
    expectTypeOf<Mutable<Client['identities']>>().toBeNever()
    expectTypeOf<Mutable<Client['widgetConfigs']>>().toBeNever()
    expectTypeOf<Mutable<Client['relationships']>>().toBeNever()
    expectTypeOf<Mutable<Client['gameRelationships']>>().toBeNever()
    expectTypeOf<Mutable<Client['friendSuggestions']>>().toBeNever()
    // A call that takes no readonly array is noticed.
    expectTypeOf<
      Mutable<{ call: (params: { ids: string[] }, options?: RequestOptions) => void }>
    >().toEqualTypeOf<'call'>()
  })

  test('arrays of strings', () => {
    client.identities.listBulk({ user_ids: ids })
    client.relationships.addBulk({ user_ids: ids, token: 'a' })
    client.auth.sessions.logout({ session_id_hashes: ids })
    const filters = [1, 2] as const
    client.relationships.deleteBulk({ filters })
  })

  test('arrays of objects, with arrays in them', () => {
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
