import { Client } from 'rapport-sdk'
import { describe, expect, it, vi } from 'vitest'

const answered = () => vi.fn<typeof globalThis.fetch>(async () => new Response('[]', { status: 200 }))

/** What the fetch of the platform is told to do with cookies. */
async function given(options: object): Promise<RequestCredentials | undefined> {
  const fetch = answered()
  const client = new Client({ baseUrl: 'https://service.example', token: 'ada', fetch, ...options })
  await client.relationships.list()
  const [input, init] = fetch.mock.calls[0] ?? []
  return init?.credentials ?? (input instanceof Request ? input.credentials : undefined)
}

describe('credentials', () => {
  it.each(['omit', 'same-origin', 'include'] as const)(
    '%s reach fetch, so that cookies do or do not travel',
    async (one) => {
      expect(await given({ credentials: one })).toBe(one)
    },
  )

  it('are the platform’s own where they are not said', async () => {
    expect(await given({})).toBe(new Request('https://service.example').credentials)
  })
})
