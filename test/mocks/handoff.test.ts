import { expect, it } from 'vitest'
import { baseUrl, sender, setUp } from './set-up'

const key = 'request-1'

async function createHandoff(ip = '127.0.0.1') {
  const { service, ada, send } = setUp()
  const source = sender(service.fetchFrom(ip), baseUrl, service.token(ada))
  const { body } = await source<{ handoff_token: string }>('POST /auth/handoff', { key })
  const exchange = (from = ip, withKey = key) =>
    sender(service.fetchFrom(from), baseUrl)<{ token: string; user: Record<string, unknown> }>(
      'POST /auth/handoff/exchange',
      { key: withKey, handoff_token: body.handoff_token },
    )
  return { service, ada, send, exchange, handoffToken: body.handoff_token }
}

it('a handoff requires a signed-in source', async () => {
  const { send } = await createHandoff()
  expect((await send('POST /auth/handoff', { key })).status).toBe(401)
})

it.each([
  ['an application', 'oauth2'],
  ['a bot', 'bot'],
])('a token of %s cannot create a handoff', async (_, kind) => {
  const { service, ada } = await createHandoff()
  const application = service.applications.create({ owner: ada })
  const token =
    kind === 'bot' ? service.applications.botToken(application) : service.token(ada, { oauth2: application })
  const { status, body } = await sender(service.fetch, baseUrl, token)('POST /auth/handoff', { key })
  expect([status, body]).toEqual([403, expect.objectContaining({ code: 50013 })])
})

it('a handoff cannot sign in a bot', async () => {
  const { service, ada, send } = await createHandoff()
  service.applications.create({ owner: ada })
  const bot = service.users.all().find(({ bot_of }) => bot_of !== null)
  const asBot = sender(service.fetch, baseUrl, service.token(bot?.id ?? ''))
  const { body } = await asBot('POST /auth/handoff', { key })
  expect((await send('POST /auth/handoff/exchange', { key, ...body })).status).toBe(403)
})

it('a handoff is exchanged for a token of the same user', async () => {
  const { service, ada, exchange } = await createHandoff()
  const { status, body } = await exchange()
  expect(status).toBe(200)
  expect(body.user).toMatchObject({ id: ada.id, username: 'ada' })
  expect((await sender(service.fetch, baseUrl, body.token)('GET /auth/sessions')).status).toBe(200)
})

it('a handoff token is not an authentication token', async () => {
  const { service, handoffToken } = await createHandoff()
  expect((await sender(service.fetch, baseUrl, handoffToken)('GET /auth/sessions')).status).toBe(401)
})

it('a handoff can be exchanged once', async () => {
  const { exchange } = await createHandoff()
  expect((await exchange()).status).toBe(200)
  expect((await exchange()).status).toBe(400)
})

it('a handoff can be exchanged only from the IP address that created it, and survives a rejection', async () => {
  const { exchange } = await createHandoff('203.0.113.9')
  expect((await exchange('203.0.113.10')).status).toBe(400)
  expect((await exchange('203.0.113.9')).status).toBe(200)
})

it('a handoff can be exchanged only with its own key', async () => {
  const { exchange } = await createHandoff()
  expect((await exchange('127.0.0.1', 'request-2')).status).toBe(400)
})

it('a handoff expires after 5 minutes', async () => {
  const { service, exchange } = await createHandoff()
  service.clock.advance('5m')
  expect((await exchange()).status).toBe(400)
})
