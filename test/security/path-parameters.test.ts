import fc from 'fast-check'
import { Client, isRequestValidationError } from 'rapport-sdk'
import { expect, it } from 'vitest'
import { anyString } from '../fuzz/arbitraries'
import { pathsOf, rejectionOf } from '../transport/rejection'

/** Returns a client and the URLs of its requests. */
function recordUrls() {
  const urls: string[] = []
  const fetch: typeof globalThis.fetch = async (input) => {
    urls.push(new Request(input).url)
    return new Response('null', { status: 200 })
  }
  const options = { baseUrl: 'https://service.example/api', token: 'ada', fetch, onResponseMismatch: 'ignore' } as const
  return { urls, client: new Client(options) }
}

const INVALID_SEGMENTS = ['', '.', '..', '%2e', '%2E%2e', '.%2e', null, undefined, 5, {}, ['a'], '\ud800']

it.each(INVALID_SEGMENTS)('a call rejects %j as free text in a path before it sends anything', async (value) => {
  const { urls, client } = recordUrls()
  const call = client.identities.getProfile('1', '2', value as string)
  expect(pathsOf(await rejectionOf(call, isRequestValidationError))).toEqual(['external_user_id'])
  const custom = client.request({ path: '/x/{name}', pathParams: { name: value as string } })
  expect(pathsOf(await rejectionOf(custom, isRequestValidationError))).toEqual(['name'])
  expect(urls).toEqual([])
})

it.each([...INVALID_SEGMENTS, '@me', '1/2', '1?', '-1', '1.0', ' 1', '1\n', '１', 'abc', '0x1'])(
  'a call rejects %j as a snowflake in a path before it sends anything',
  async (value) => {
    const { urls, client } = recordUrls()
    const id = value as string
    const calls = [
      client.relationships.delete(id),
      client.relationships.accept(id),
      client.friendSuggestions.delete(id),
      client.gameRelationships.delete(id),
      client.widgetConfigs.publish(id, '2'),
      client.identities.list(id),
    ]
    for (const error of await Promise.all(calls.map((call) => rejectionOf(call, isRequestValidationError)))) {
      expect(pathsOf(error)[0]).toMatch(/\.id$/)
    }
    expect(urls).toEqual([])
  },
)

it('free text in a path is percent-encoded, including / ? #', async () => {
  const { urls, client } = recordUrls()
  await client.identities.getProfile('1', '2', 'a/b?c#d%2e&é ..\\')
  expect(urls).toEqual([
    'https://service.example/api/applications/1/users/2/identities/a%2Fb%3Fc%23d%252e%26%C3%A9%20..%5C/profile',
  ])
})

it('a path parameter never changes the segments of its path template', async () => {
  const { urls, client } = recordUrls()
  const special = fc.constantFrom(
    '.',
    '..',
    '/',
    '\\',
    '%',
    '2e',
    '%2f',
    '?',
    '#',
    '@',
    ':',
    ';',
    '\0',
    '\n',
    ' ',
    '😀',
  )
  const text = fc.oneof(
    anyString(),
    fc.array(special, { maxLength: 8 }).map((parts) => parts.join('')),
  )
  await fc.assert(
    fc.asyncProperty(text, text, async (first, second) => {
      urls.length = 0
      const pathParams = { first, second }
      const failed = await client
        .request({ path: '/a/{first}/b/{second}/c', pathParams })
        .then(() => false, isRequestValidationError)
      if (failed) {
        expect(urls).toEqual([])
        return
      }
      const { origin, pathname, search, hash } = new URL(urls[0] ?? '')
      expect([origin, search, hash]).toEqual(['https://service.example', '', ''])
      const segments = pathname.split('/').map(decodeURIComponent)
      expect(segments).toEqual(['', 'api', 'a', first, 'b', second, 'c'])
    }),
    { seed: 32, numRuns: 500 },
  )
})
