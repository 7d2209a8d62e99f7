import { Client, type ClientOptions, type Fetch, isRateLimitError, isRequestValidationError } from 'rapport-sdk'
import { createMockService } from 'rapport-sdk/mocks'
import { describe, expect, it, vi } from 'vitest'

const password = 'correct horse'

describe('limits of a call', () => {
  it('the limits of a call bound its rate-limit wait even if another call prolongs it', async () => {
    const service = createMockService()
    const token = service.token(service.users.create({ login: 'ada@example.com', password }))
    const client = new Client({ baseUrl: service.baseUrl, fetch: service.fetch, token })
    service.faults.on('Get Relationships', { status: 429, retryAfter: 0.3, times: 1 })
    service.faults.on('Get Relationships', { status: 429, retryAfter: 20, times: 1, latency: 50 })
    const control = new AbortController()
    const bounded = client.relationships.list({ retry: { maxRateLimitWaitMs: 1000 } })
    const other = client.relationships.list({ signal: control.signal })
    await expect(bounded).rejects.toSatisfy(isRateLimitError)
    control.abort()
    await expect(other).rejects.toThrow()
  })

  it('an abandoned attempt leaves no timer even if fetch ignores its signal', async () => {
    vi.useFakeTimers()
    try {
      const client = new Client({
        baseUrl: 'https://service.example',
        fetch: () => new Promise(() => {}),
        timeout: 9e6,
      })
      const call = client.auth.getLocationMetadata()
      call.catch(() => {})
      await vi.advanceTimersByTimeAsync(10)
      expect(vi.getTimerCount()).toBe(1)
      client.dispose()
      await expect(call).rejects.toThrow('disposed')
      expect(vi.getTimerCount()).toBe(0)
    } finally {
      vi.useRealTimers()
    }
  })
})

describe('what is given once', () => {
  it('headers that can be read only once serve every step of a sign-in and every sibling', async () => {
    const service = createMockService()
    const ada = service.users.create({ login: 'ada@example.com', password })
    const seen: (string | undefined)[] = []
    const fetch: Fetch = (input, init) => {
      seen.push(init.headers['x-app'], init.headers['x-call'])
      return service.fetch(input, init)
    }
    const client = new Client({ baseUrl: service.baseUrl, fetch, headers: new Map([['x-app', 'a']]).entries() })
    await client.auth.login({ login: 'ada@example.com', password }, { headers: new Map([['x-call', 'c']]).entries() })
    await client.as(service.token(ada)).relationships.list()
    expect(seen).toEqual(['a', 'c', 'a', undefined])
  })
})

describe('what cannot be used', () => {
  it.each([
    [{ token: 'a\nb', fingerprint: '', timeout: -1 }, ['token', 'fingerprint', 'timeout']],
    [{ retry: { limits: 0 } }, ['retry.limits']],
  ])('the error of the invalid option %j names all its parts', (options, names) => {
    const make = () => new Client({ baseUrl: 'https://service.example', ...options } as ClientOptions)
    for (const name of names) expect(make).toThrow(`  ${name}: `)
  })

  it('a body that is not a plain object is rejected, for a suspended user too', async () => {
    const suspended = new Client({ baseUrl: 'https://service.example' }).suspended('a suspended token')
    for (const body of [new Map([['a', 1]]), new Date()]) {
      const call = suspended.request({ method: 'POST', path: '/x', body })
      await expect(call).rejects.toSatisfy(isRequestValidationError)
    }
  })

  it('a logger that rejects stops nothing', async () => {
    const service = createMockService()
    const logger = { debug: () => Promise.reject(new Error('log down')) }
    const client = new Client({ baseUrl: service.baseUrl, fetch: service.fetch, logger })
    await expect(client.auth.getLocationMetadata()).resolves.toMatchObject({ country_code: 'US' })
  })
})

describe('a second factor that is verified step by step', () => {
  it('a second factor that is verified step by step emits elevated', async () => {
    const service = createMockService()
    const ada = service.users.create({ login: 'ada@example.com', password, mfa: ['totp'] })
    const fetch: typeof service.fetch = async (input, init) => {
      const response = await service.fetch(input, init)
      if (response.status === 401) ticket = (await response.clone().json()).mfa?.ticket
      return response
    }
    let ticket = ''
    const client = new Client({ baseUrl: service.baseUrl, fetch, token: service.token(ada) })
    const told: string[] = []
    client.on('elevated', ({ endpoint }) => told.push(endpoint))
    await client.auth.sessions.logout({ session_id_hashes: ['h'] }).catch(() => {})
    await client.mfa.finish({ ticket, mfa_type: 'totp', data: service.users.totp(ada) })
    await client.auth.sessions.logout({ session_id_hashes: ['h'] })
    expect(told).toEqual(['Verify MFA'])
  })
})
