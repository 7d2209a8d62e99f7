import { Client } from 'rapport-sdk'
import { describe, expect, test } from 'vitest'
import { clientMethod } from '../contract/endpoint-table'
import { BASE_URL, recordingClient } from './wire/wire-case'

const profile = ['200', '100', 'p7']

// Calls whose parameters are all optional, with the body that they send without parameters.
const OPTIONAL: readonly (readonly [call: string, path: readonly string[], field: string, body: string])[] = [
  ['client.auth.logout', [], 'provider', '{}'],
  ['client.auth.suggestUsername', [], 'global_name', ''],
  ['client.identities.updateProfile', profile, 'username', '{}'],
  ['client.identities.list', ['100'], 'with_profiles', ''],
  ['client.identities.updateConfig', ['200', 'p7'], 'connection_visible', '{}'],
  ['client.relationships.create', ['101'], 'note', '{}'],
  ['client.relationships.update', ['101'], 'nickname', '{}'],
  ['client.relationships.deleteBulk', [], 'only_spam', ''],
  ['client.gameRelationships.create', ['101'], 'type', '{}'],
  ['client.gameRelationships.createForApplication', ['101', '200'], 'type', '{}'],
]

describe.each(OPTIONAL)('%s', (call, path, field, body) => {
  test.each([
    ['without parameters', []],
    ['with no fields', [{}]],
    ['with an undefined field', [{ [field]: undefined }]],
  ])('sends no fields %s', async (_, params) => {
    const { client, sent } = recordingClient({}, { onResponseMismatch: 'ignore' })
    await clientMethod(client, call)?.(...path, ...params)
    expect(sent.map((request) => request.text)).toEqual([body])
    expect(sent.map((request) => new URL(request.url).search)).toEqual([''])
  })
})

test('an undefined optional field is not sent next to other fields', async () => {
  const { client, sent } = recordingClient(undefined)
  const send = clientMethod(client, 'client.relationships.create')
  await send?.('101', { type: undefined, from_friend_suggestion: true, note: undefined })
  expect(JSON.parse(sent[0]?.text ?? '')).toStrictEqual({ from_friend_suggestion: true })
})

test('an undefined optional field is not sent at any depth', async () => {
  const { client, sent } = recordingClient({}, { onResponseMismatch: 'ignore' })
  const primary = { season: '5', rank_name: undefined, featured_played_character_image: undefined }
  await client.identities.updateProfile('200', '100', 'p7', { data: { primary, dynamic: undefined } })
  await client.widgetConfigs.update('200', '7', { display_name: undefined, surfaces: { widget_top: undefined } })
  const bodies = sent.map(({ text }) => JSON.parse(text ?? ''))
  expect(bodies).toStrictEqual([{ data: { primary: { season: '5' } } }, { surfaces: {} }])
})

test('null is sent for a nullable field', async () => {
  const { client, sent } = recordingClient(undefined)
  await client.relationships.sendRequest({ username: 'grace', discriminator: null, note: null })
  expect(JSON.parse(sent[0]?.text ?? '')).toStrictEqual({ username: 'grace', discriminator: null, note: null })
})

test('false, zero, an empty string and an empty array are sent', async () => {
  const { client, sent } = recordingClient([], { onResponseMismatch: 'ignore' })
  await client.relationships.create('101', { type: 0, from_friend_suggestion: false, note: '' })
  await client.identities.list('100', { with_profiles: false })
  await client.auth.suggestUsername({ global_name: '' })
  await client.relationships.deleteBulk({ only_spam: false, filters: [] })
  await client.widgets.replace({ widgets: [] })
  const requests = sent.map(({ url, text }) => [new URL(url).search, text])
  expect(requests).toEqual([
    ['', '{"type":0,"from_friend_suggestion":false,"note":""}'],
    ['?with_profiles=false', ''],
    ['?global_name=', ''],
    ['?only_spam=false', '{"filters":[]}'],
    ['', '{"widgets":[]}'],
  ])
})

test('calls that work with and without a session send no token without one', async () => {
  const headers: (string | null)[] = []
  const client = new Client({
    baseUrl: BASE_URL,
    onResponseMismatch: 'ignore',
    fetch: async (input, init) => {
      headers.push(new Request(input, init).headers.get('authorization'))
      return Response.json({ token: 'a-verification-jwt' })
    },
  })
  await client.auth.validatePassword({ password: 'correct horse' })
  await client.mfa.sendSms({ ticket: 't' })
  await client.mfa.finish({ ticket: 't', mfa_type: 'sms', data: '123456' })
  expect(headers).toEqual([null, null, null])
})

test('a call does not change its parameters', async () => {
  const { client } = recordingClient(undefined)
  const params = Object.freeze({ relationship_type: 3, filters: Object.freeze([1]) })
  await clientMethod(client, 'client.relationships.deleteBulk')?.(params)
  expect(params).toEqual({ relationship_type: 3, filters: [1] })
})
