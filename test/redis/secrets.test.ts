import { Client, isRateLimitError } from 'rapport-sdk'
import { createMockService } from 'rapport-sdk/mocks'
import { listen } from 'rapport-sdk/mocks/node'
import { redisEvents, redisRateLimits, redisTokenStore } from 'rapport-sdk/redis'
import { expect, onTestFinished, test, vi } from 'vitest'
import { connectRedis, startRedis } from '../servers/redis-server'
import { rejectionOf } from '../transport/rejection'
import { WAIT } from './events-set-up'

test('with `encrypt`, Redis receives no token, ticket, code, password, or content of an event or session', async () => {
  const server = await startRedis()
  const redis = await connectRedis(server)
  const commands: string[] = []
  await (await connectRedis(server)).monitor((line) => commands.push(String(line)))
  const service = createMockService()
  const [login, password] = ['ada@example.test', 'secret-password']
  const ada = service.users.create({ login, username: 'ada', password, mfa: ['totp'] })
  const http = await listen(service)
  onTestFinished(() => service.close())
  const tickets: string[] = []
  const codes: string[] = []
  const encrypt = [{ id: 'k1', key: crypto.getRandomValues(new Uint8Array(32)) }]
  const events = redisEvents(redis, { stream: 'test', account: 'ada', encrypt })
  const client = new Client({
    baseUrl: http.url,
    fetch: async (...args: Parameters<typeof fetch>) => {
      const response = await fetch(...args)
      const [, ticket] = /"ticket":"([^"]+)"/.exec(await response.clone().text()) ?? []
      if (ticket) tickets.push(ticket)
      return response
    },
    onMfaRequired: () => {
      codes.push(service.users.totp(ada))
      return { type: 'totp', code: service.users.totp(ada) }
    },
    tokenStore: redisTokenStore(redis, 'ada', { encrypt }),
    rateLimits: redisRateLimits(redis, 'service'),
    gateway: events.gateway(),
    retry: 0,
  })
  onTestFinished(() => client.dispose())

  await client.auth.login({ login, password })
  const token = String(client.session.token)
  const holder = events.hold(client, { url: http.gatewayUrl })
  onTestFinished(() => holder.close())
  const ready = await client.gateway.connect()
  const loop = events.read({ group: 'mailer' })
  await (await loop.next()).value?.ack()
  service.gateway.emit('Relationship Update', { id: '7', nickname: 'secret-nickname', type: 1 }, { to: ada })
  await (await loop.next()).value?.ack()
  await loop.return?.()
  service.faults.on('Get Relationships', { status: 429, retryAfter: 60 })
  await rejectionOf(client.relationships.list(), isRateLimitError)
  await holder.close()
  await client.session.setToken(null)

  await vi.waitFor(() => expect(commands.join('\n')).toMatch(/:groups.*ZADD/s), WAIT)
  const [session] = service.gateway.sessions
  const secrets = [token, password, ...tickets, ...codes, 'secret-nickname', String(session?.id)]
  expect(secrets.length).toBeGreaterThanOrEqual(6)
  expect(ready.auth_session_id_hash).toMatch(/./)
  for (const secret of [...secrets, ready.auth_session_id_hash]) expect(commands.join('\n')).not.toContain(secret)
})
