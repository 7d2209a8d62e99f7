import { setupServer } from 'msw/node'
import { browserHandlers, handlers } from 'rapport-sdk/mocks/msw'
import { afterEach, describe, expect, it } from 'vitest'
import { endpoints } from '../../src/contract/index'
import { baseUrl, password, sender, setUp } from './calls'

const closing: (() => void)[] = []
afterEach(() => {
  for (const close of closing.splice(0)) close()
})

function intercepted(options: Parameters<typeof setUp>[0] = {}) {
  const world = setUp(options)
  const server = setupServer(...handlers(world.service))
  const unhandled: string[] = []
  server.listen({
    onUnhandledRequest({ url }, print) {
      unhandled.push(url)
      print.error()
    },
  })
  closing.push(() => server.close())
  return {
    ...world,
    unhandled,
    send: sender(fetch, baseUrl),
    as: (user: { id: string }) => sender(fetch, baseUrl, world.service.token(user)),
  }
}

describe('the msw handlers', () => {
  it('are one for HTTP, and one more for the gateway in browsers', () => {
    expect(handlers(setUp().service)).toHaveLength(1)
    expect(browserHandlers(setUp().service)).toHaveLength(2)
  })

  it.each<[string, boolean]>([
    [`${baseUrl}/users/@me/relationships`, true],
    [`${baseUrl}/nowhere`, true],
    [`${baseUrl}beside/users/@me/relationships`, false],
    ['https://elsewhere.example/api/v9/users/@me/relationships', false],
  ])('leave requests outside the base URL unhandled: %s', async (url, isHandled) => {
    const { service, unhandled } = intercepted()
    await fetch(url).catch(() => undefined)
    expect([unhandled, service.journal.requests.length]).toEqual(isHandled ? [[], 1] : [[url], 0])
  })

  it('leave unknown paths and methods unhandled if the service is not strict', async () => {
    const { send, unhandled } = intercepted({ strict: false })
    expect((await send('GET /auth/location-metadata')).status).toBe(200)
    await expect(send('GET /nowhere')).rejects.toThrow()
    await expect(send('PATCH /auth/sessions')).rejects.toThrow()
    expect(unhandled).toEqual([`${baseUrl}/nowhere`, `${baseUrl}/auth/sessions`])
  })

  it('handle all 55 endpoints and the one for messages', async () => {
    const { service, send, unhandled } = intercepted({ strict: false })
    expect(endpoints).toHaveLength(55)
    for (const { endpoint } of endpoints) {
      const path = endpoint.path.replaceAll(/\{[^{}]+\}/g, '1') as `/${string}`
      await send(`${endpoint.method} ${path}`)
      expect(service.journal.requests.at(-1)?.endpoint).toBe(endpoint.name)
    }
    await send('POST /channels/1/messages', {})
    expect(service.journal.requests).toHaveLength(56)
    expect(unhandled).toEqual([])
  })

  it('answer what the service answers', async () => {
    const { send, as, ada, grace } = intercepted()
    expect((await send('POST /auth/login', { login: 'ada@example.com', password })).body).toHaveProperty('token')
    expect((await as(ada)(`PUT /users/@me/relationships/${grace.id}`, {})).status).toBe(204)
    expect((await as(ada)('GET /users/@me/relationships')).body).toMatchObject([{ id: grace.id, type: 4 }])
    expect((await as(ada)('POST /users/@me/relationships/bulk', {})).status).toBe(400)
    expect((await send('GET /nowhere')).status).toBe(404)
    expect((await send('PATCH /auth/sessions')).status).toBe(405)
  })

  it('set the verification cookie', async () => {
    const { service, as } = intercepted()
    const user = service.users.create({ login: 'mfa@example.com', password, mfa: ['totp'] })
    const mine = as(user)
    const { body } = await mine<{ mfa: { ticket: string } }>('POST /auth/sessions/logout', { session_id_hashes: ['x'] })
    const data = service.users.totp(user)
    const { headers } = await mine('POST /mfa/finish', { ticket: body.mfa.ticket, mfa_type: 'totp', data })
    expect(headers.get('set-cookie')).toContain('__Secure-recent_mfa=')
  })

  it('have faults too', async () => {
    const { service, send } = intercepted()
    const path = 'GET /auth/location-metadata' as const
    service.faults.on('Get Location Metadata', { network: true, times: 1 })
    await expect(send(path)).rejects.toThrow(TypeError)
    service.faults.on('Get Location Metadata', { status: 429, retryAfter: 2, times: 1 })
    expect((await send(path)).headers.get('retry-after')).toBe('2')
    service.faults.on('Get Location Metadata', { truncate: true, times: 1 })
    await expect(send(path)).rejects.toThrow()
    expect((await send(path)).status).toBe(200)
  })
})
