import { Client, type Fetch } from 'rapport-sdk'
import { describe, expect, it, vi } from 'vitest'

const answered = () => vi.fn<Fetch>(async () => new Response('[]', { status: 200 }))

/** What the fetch of the platform is told to do with cookies. */
async function given(options: object): Promise<object | undefined> {
  const fetch = answered()
  const client = new Client({ baseUrl: 'https://service.example', token: 'ada', fetch, ...options })
  await client.relationships.list()
  return fetch.mock.calls[0]?.[1]
}

describe('credentials', () => {
  it.each(['omit', 'same-origin', 'include'] as const)('credentials %s are passed to fetch', async (one) => {
    expect(await given({ credentials: one })).toMatchObject({ credentials: one })
  })

  it('unset credentials are not passed to fetch', async () => {
    expect(await given({})).not.toHaveProperty('credentials')
  })
})
