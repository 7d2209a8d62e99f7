import { Client } from 'rapport-sdk'
import { createMockService } from 'rapport-sdk/mocks'
import { describe, expect, it } from 'vitest'

describe('a listener', () => {
  it('a listener that rejects is logged like one that throws', async () => {
    const service = createMockService()
    const told: unknown[] = []
    const logger = { error: (_: string, details: unknown) => told.push(details) }
    const client = new Client({ baseUrl: service.baseUrl, fetch: service.fetch, logger })
    const [early, late, changed] = [new Error('at once'), new Error('later'), new Error('on change')]
    client.on('request', () => {
      throw early
    })
    client.on('request', async () => {
      throw late
    })
    client.session.onChange(async () => {
      throw changed
    })
    await client.auth.getLocationMetadata()
    await client.session.setToken('a token')
    await new Promise((resolve) => setImmediate(resolve))
    expect(told).toEqual([early, late, changed])
  })
})
