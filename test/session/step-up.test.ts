import { AuthenticationError, Client, isMfaRequiredError, type MfaHandler, type SessionChange } from 'rapport-sdk'
import { expect, it, vi } from 'vitest'
import { hold, json, mfaRequired, noContent, serve } from '../servers/http-server'
import { CODE, MFA_HEADER, serveStepUp } from '../servers/step-up-service'
import { rejectionOf } from '../transport/rejection'

const answer: MfaHandler = () => ({ type: 'totp', code: CODE })

it('a 60003 never clears the token, signs out or emits signedOut', async () => {
  const server = await serve(mfaRequired())
  const stored = vi.fn()
  const client = new Client({ baseUrl: server.url, token: 'kept', tokenStore: { get: () => null, set: stored } })
  const changes: SessionChange['type'][] = []
  const unauthorized = vi.fn()
  client.session.onChange(({ type }) => changes.push(type))
  client.on('unauthorized', unauthorized)

  await rejectionOf(client.relationships.list(), isMfaRequiredError)

  expect(client.session.token).toBe('kept')
  expect(client.session.isAuthenticated).toBe(true)
  expect(changes).toEqual([])
  expect(stored).not.toHaveBeenCalled()
  expect(unauthorized).not.toHaveBeenCalled()
})

it('twenty concurrent 60003s lead to one prompt, one /mfa/finish and twenty replays', async () => {
  const service = await serveStepUp()
  const handler = vi.fn(async () => {
    await service.server.waitForRequests(20)
    return { type: 'totp', code: CODE }
  })
  const client = new Client({ baseUrl: service.url, token: 'ada', onMfaRequired: handler })

  await Promise.all(Array.from({ length: 20 }, () => client.relationships.list()))

  expect(handler).toHaveBeenCalledTimes(1)
  expect(service.finishes()).toHaveLength(1)
  expect(service.calls().filter(({ headers }) => headers[MFA_HEADER] === undefined)).toHaveLength(20)
  expect(service.calls().filter(({ headers }) => headers[MFA_HEADER] === 'jwt-of-ada-1')).toHaveLength(20)
})

it('only the handler of the first call runs for a shared prompt', async () => {
  const service = await serveStepUp()
  const client = new Client({ baseUrl: service.url, token: 'ada' })
  const second = vi.fn(answer)
  const required = vi.fn()
  client.on('mfaRequired', required)
  const first = vi.fn(async () => {
    const later = client.relationships.list({ onMfaRequired: second })
    await vi.waitFor(() => expect(required).toHaveBeenCalledTimes(2))
    calls.push(later)
    return { type: 'totp', code: CODE }
  })
  const calls: Promise<unknown>[] = []

  await client.relationships.list({ onMfaRequired: first })
  await Promise.all(calls)

  expect(first).toHaveBeenCalledTimes(1)
  expect(second).not.toHaveBeenCalled()
})

it('a verification JWT of one account never travels with the token of another', async () => {
  const service = await serveStepUp()
  const prompts: string[] = []
  const handlerOf = (name: string): MfaHandler => {
    return async () => {
      prompts.push(name)
      await service.server.waitForRequests(4)
      return { type: 'totp', code: CODE }
    }
  }
  const ada = new Client({ baseUrl: service.url, token: 'ada', onMfaRequired: handlerOf('parent') })
  const grace = ada.as('grace')
  const linus = { token: 'linus', onMfaRequired: handlerOf('linus') }
  const other = new Client({ baseUrl: service.url, token: 'barbara', onMfaRequired: handlerOf('barbara') })
  const calls = () => [
    ada.relationships.list(),
    grace.relationships.list(),
    ada.relationships.list(linus),
    other.relationships.list(),
  ]

  await Promise.all(calls())
  await Promise.all(calls())

  expect(prompts).toHaveLength(4)
  for (const { headers } of service.server.requests) {
    const jwt = headers[MFA_HEADER]
    if (jwt !== undefined) expect(jwt).toContain(`jwt-of-${headers.authorization}-`)
  }
  expect(service.finishes().map(({ headers }) => headers.authorization)).toEqual(
    expect.arrayContaining(['ada', 'grace', 'linus', 'barbara']),
  )
})

it('two clients with the same token and different base URLs share no verification', async () => {
  const here = await serveStepUp()
  const there = await serveStepUp()
  const handler = vi.fn(answer)
  const clients = [here, there].map(({ url }) => new Client({ baseUrl: url, token: 'ada', onMfaRequired: handler }))

  for (const client of clients) await client.relationships.list()

  expect(handler).toHaveBeenCalledTimes(2)
  expect(there.calls()[0]?.headers[MFA_HEADER]).toBeUndefined()
})

it('a request that was sent before the verification replays without a prompt', async () => {
  const slow = hold(mfaRequired('ticket-of-the-slow-one'))
  const server = await serve(slow.responder, mfaRequired(), json(200, { token: 'fresh-jwt' }), noContent, json(200, []))
  const handler = vi.fn(answer)
  const client = new Client({ baseUrl: server.url, token: 'ada', onMfaRequired: handler })

  const early = client.relationships.list()
  await server.waitForRequests(1)
  await client.relationships.ignore('100')
  slow.release()

  expect(await early).toEqual([])
  expect(handler).toHaveBeenCalledTimes(1)
  expect(server.request(4).headers[MFA_HEADER]).toBe('fresh-jwt')
})

it('the replay is byte-identical except for the added MFA header', async () => {
  const service = await serveStepUp()
  const client = new Client({
    baseUrl: service.url,
    token: 'ada',
    onMfaRequired: answer,
    headers: { 'X-App': 'one' },
  })

  await client.relationships.deleteBulk({ relationship_type: 3, only_spam: true, filters: [1, 2] })

  const [first, replay] = service.calls()
  expect([replay?.method, replay?.url]).toEqual([first?.method, first?.url])
  expect(first?.url).toBe('/users/@me/relationships?relationship_type=3&only_spam=true')
  expect(replay?.body.equals(first?.body ?? Buffer.alloc(0))).toBe(true)
  expect(first?.body.toString()).toBe('{"filters":[1,2]}')
  expect(replay?.headers).toEqual({ ...first?.headers, [MFA_HEADER]: 'jwt-of-ada-1' })
})

it('forms, search parameters and blobs replay byte-identically', async () => {
  const form = new FormData()
  form.set('file', new Blob(['bytes']), 'name.txt')
  for (const body of [form, new URLSearchParams({ a: '1' }), new Blob(['blob'], { type: 'text/plain' })]) {
    const service = await serveStepUp()
    const client = new Client({ baseUrl: service.url, token: 'ada', onMfaRequired: answer })

    await client.request({ method: 'POST', path: '/upload', body })

    const [first, replay] = service.calls()
    expect(replay?.body.toString()).toBe(first?.body.toString())
    expect(first?.body.length).toBeGreaterThan(0)
    expect(replay?.headers).toEqual({ ...first?.headers, [MFA_HEADER]: 'jwt-of-ada-1' })
  }
})

it('changing the body while the prompt is open does not change the replay', async () => {
  const params = new URLSearchParams({ amount: '1' })
  const view = new TextEncoder().encode('amount=1')
  const { buffer } = new TextEncoder().encode('amount=1')
  const list = [1]
  const bodies: [unknown, () => unknown][] = [
    [params, () => params.set('amount', '1000')],
    [view, () => view.fill(57)],
    [buffer, () => new Uint8Array(buffer).fill(57)],
    [list, () => list.push(1000)],
  ]
  for (const [body, change] of bodies) {
    const service = await serveStepUp()
    const onMfaRequired: MfaHandler = () => {
      change()
      return { type: 'totp', code: CODE }
    }
    const client = new Client({ baseUrl: service.url, token: 'ada', onMfaRequired })

    await client.request({ method: 'POST', path: '/pay', body })

    const [first, replay] = service.calls().map((request) => request.body.toString())
    expect(first).toBe(body === list ? '[1]' : 'amount=1')
    expect(replay).toBe(first)
  }
})

it('a plain 401 never prompts: it throws an AuthenticationError and keeps the token', async () => {
  const server = await serve(json(401, { code: 0, message: '401: Unauthorized' }), json(401, {}))
  const handler = vi.fn(answer)
  const client = new Client({ baseUrl: server.url, token: 'stale', onMfaRequired: handler })
  const unauthorized = vi.fn()
  client.on('unauthorized', unauthorized)

  for (let index = 0; index < 2; index++) {
    await expect(client.relationships.list()).rejects.toBeInstanceOf(AuthenticationError)
  }

  expect(handler).not.toHaveBeenCalled()
  expect(unauthorized).toHaveBeenCalledTimes(2)
  expect(client.session.token).toBe('stale')
})
