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
  server.listen({ onUnhandledRequest: 'error' })
  closing.push(() => server.close())
  return {
    ...world,
    send: sender(fetch, baseUrl),
    as: (user: { id: string }) => sender(fetch, baseUrl, world.service.token(user)),
  }
}

describe('the msw handlers', () => {
  it('are one for each of the 55 endpoints, one for messages, and one for unknown paths where the service is strict', () => {
    const headers = (strict: boolean) => handlers(setUp({ strict }).service).map(({ info }) => info.header)
    expect(endpoints).toHaveLength(55)
    const [loose, strict] = [headers(false), headers(true)]
    expect(new Set(loose).size).toBe(56)
    expect(strict).toHaveLength(57)
    for (const { endpoint } of endpoints) {
      const path = endpoint.path.replaceAll(/\{([^{}]+)\}/g, (_, name: string) => `:${camelCased(name)}`)
      expect(loose).toContain(`${endpoint.method} ${baseUrl}${path}`)
    }
    expect(browserHandlers(setUp().service)).toHaveLength(58)
  })

  it('have plain parameters alone in their paths', () => {
    for (const { info } of handlers(setUp({ strict: false }).service)) {
      expect(String(info.path).slice(baseUrl.length)).toMatch(/^(\/(:[A-Za-z]+|[a-z@][a-z-]*))+$/)
    }
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

function camelCased(name: string): string {
  return name.replaceAll(/[._](\w)/g, (_, letter: string) => letter.toUpperCase())
}
