import { Client } from 'rapport-sdk'
import { describe, expect, it, vi } from 'vitest'

const answered = () => vi.fn<typeof globalThis.fetch>(async () => new Response('[]', { status: 200 }))

/** The options that the fetch of the platform is given. */
async function given(options: object): Promise<RequestInit> {
  const fetch = answered()
  const client = new Client({ baseUrl: 'https://service.example', token: 'ada', fetch, ...options })
  await client.relationships.list()
  const [input, init] = fetch.mock.calls[0] ?? []
  return { credentials: input instanceof Request ? input.credentials : undefined, ...init }
}

describe('credentials', () => {
  it.each(['omit', 'same-origin', 'include'] as const)(
    '%s reach fetch, so that cookies do or do not travel',
    async (one) => {
      expect((await given({ credentials: one })).credentials).toBe(one)
    },
  )

  it('are the platform’s own where they are not said', async () => {
    expect((await given({})).credentials).toBe(new Request('https://service.example').credentials)
  })
})
