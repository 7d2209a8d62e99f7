import { request } from 'node:http'
import { createMockService } from 'rapport-sdk/mocks'
import { listen } from 'rapport-sdk/mocks/node'
import { afterEach, describe, expect, it } from 'vitest'
import { baseUrl, password, sender, setUp } from './calls'

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  await Promise.all(closing.splice(0).map((close) => close()))
})

async function listening(options: Parameters<typeof setUp>[0] = {}) {
  const world = setUp(options)
  const server = await listen(world.service)
  closing.push(server.close)
  const send = sender(fetch, server.url)
  const as = (user: { id: string }) => sender(fetch, server.url, world.service.token(user))
  return { ...world, server, send, as, url: `${server.url}/auth/location-metadata` }
}

/** The error code of a socket that ended before its answer did. */
function socketError(url: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const call = request(url, { agent: false }, (response) => {
      response.on('error', (error: NodeJS.ErrnoException) => resolve(`body: ${error.code}`))
      response.on('end', () => reject(new Error('the answer was whole')))
      response.resume()
    })
    call.on('error', (error: NodeJS.ErrnoException) => resolve(`head: ${error.code}`))
    call.end()
  })
}

describe('a service that listens', () => {
  it('answers over real HTTP, below the path of its base address', async () => {
    const { server, send, service } = await listening()
    expect(server.url).toBe(`http://127.0.0.1:${server.port}/api/v9`)
    const { status, body } = await send('POST /auth/login', { login: 'ada@example.com', password })
    expect(status).toBe(200)
    expect(body).toHaveProperty('token')
    expect((await fetch(`http://127.0.0.1:${server.port}/auth/location-metadata`)).status).toBe(404)
    expect(service.journal.find('Login Account')).toHaveLength(1)
  })

  it('answers at the root when its base address has no path', async () => {
    const service = createMockService()
    const server = await listen(service)
    closing.push(server.close)
    expect(server.url).toBe(`http://127.0.0.1:${server.port}`)
    expect((await fetch(`${server.url}/auth/location-metadata`)).status).toBe(200)
  })

  it('sets the verification cookie', async () => {
    const { service, server } = await listening()
    const user = service.users.create({ login: 'mfa@example.com', password, mfa: ['totp'] })
    const mine = sender(fetch, server.url, service.token(user))
    const { body } = await mine<{ mfa: { ticket: string } }>('POST /auth/sessions/logout', { session_id_hashes: ['x'] })
    const data = service.users.totp(user)
    const { headers } = await mine('POST /mfa/finish', { ticket: body.mfa.ticket, mfa_type: 'totp', data })
    const [cookie] = headers.getSetCookie()
    expect(cookie).toContain('__Secure-recent_mfa=')
    const retried = await mine('POST /auth/sessions/logout', { session_id_hashes: ['x'] }, { cookie: String(cookie) })
    expect(retried.status).toBe(204)
  })

  it('takes bodies that are not ASCII, and paths that are encoded', async () => {
    const { service, as, ada, grace } = await listening()
    const application = service.applications.create({ owner: ada })
    service.identities.create({ application, user: grace, externalUserId: 'a/b?c#d' })
    const profile = `/applications/${application.id}/users/${grace.id}/identities/a%2Fb%3Fc%23d/profile` as const
    const { body } = await as(ada)(`PATCH ${profile}`, { username: 'Žofie 💡' })
    expect(body).toMatchObject({ username: 'Žofie 💡' })
  })

  it('tells the address that a call comes from', async () => {
    const { service, as, ada } = await listening()
    const { body } = await as(ada)('POST /auth/handoff', { key: 'k' })
    const exchange = { key: 'k', ...body }
    const elsewhere = sender(service.fetchFrom('203.0.113.9'), baseUrl)
    expect((await elsewhere('POST /auth/handoff/exchange', exchange)).status).toBe(400)
    expect((await sender(service.fetch, baseUrl)('POST /auth/handoff/exchange', exchange)).status).toBe(200)
  })

  it('lets pages of other origins in, unless told otherwise', async () => {
    const { url, service } = await listening()
    const asks = { origin: 'http://localhost:5173', 'access-control-request-method': 'PUT' }
    const headers = { ...asks, 'access-control-request-headers': 'authorization' }
    const preflight = await fetch(url, { method: 'OPTIONS', headers })
    expect(preflight.status).toBe(204)
    expect(Object.fromEntries(preflight.headers)).toMatchObject({
      'access-control-allow-origin': 'http://localhost:5173',
      'access-control-allow-credentials': 'true',
      'access-control-allow-headers': 'authorization',
    })
    const shut = await listen(service, { cors: false })
    closing.push(shut.close)
    const answer = await fetch(`${shut.url}/auth/location-metadata`, { method: 'OPTIONS', headers })
    expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([405, null])
  })

  it.each([
    ['head: ECONNRESET', { reset: true }],
    ['head: ECONNRESET', { network: true }],
    ['body: ECONNRESET', { truncate: true }],
  ] as const)('has faults on real sockets: %s', async (expected, fault) => {
    const { service, url } = await listening()
    service.faults.on('Get Location Metadata', fault)
    expect(await socketError(url)).toBe(expected)
  })

  it('goes silent halfway through a body', async () => {
    const { service, url } = await listening()
    service.faults.on('Get Location Metadata', { stall: true })
    const response = await fetch(url, { signal: AbortSignal.timeout(100) })
    expect(response.status).toBe(200)
    await expect(response.text()).rejects.toThrow(/timeout|abort/i)
  })

  it('waits no longer for a client that has gone', async () => {
    const { service, url } = await listening()
    service.faults.on('Get Location Metadata', { latency: '1h' })
    await expect(fetch(url, { signal: AbortSignal.timeout(50) })).rejects.toThrow()
    await expect.poll(() => service.journal.requests.length).toBe(1)
  })

  it('closes at once, though connections are open and answers are due', async () => {
    const { service, server, url, send } = await listening()
    await send('GET /auth/location-metadata')
    service.faults.on('Get Location Metadata', { stall: true })
    const response = await fetch(url)
    const silent = response.text()
    await Promise.all([expect(silent).rejects.toThrow(), server.close()])
    await expect(fetch(url)).rejects.toThrow()
    await server.close()
  })

  it('closes with its service', async () => {
    const { service, url } = await listening()
    await service.close()
    await expect(fetch(url)).rejects.toThrow()
  })

  it('leaves no handle', async () => {
    const { server, send, service } = await listening()
    await send('GET /auth/location-metadata')
    expect(process.getActiveResourcesInfo()).toContain('TCPServerWrap')
    await server.close()
    await service.close()
    await expect.poll(() => process.getActiveResourcesInfo()).not.toContain('TCPServerWrap')
  })

  it('says that a port is taken', async () => {
    const { server, service } = await listening()
    await expect(listen(service, { port: server.port })).rejects.toMatchObject({ code: 'EADDRINUSE' })
  })
})
