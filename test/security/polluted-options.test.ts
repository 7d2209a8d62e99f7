import { Client } from 'rapport-sdk'
import { createClient, widgets } from 'rapport-sdk/core'
import { createMockService } from 'rapport-sdk/mocks'
import { mfaPrompt } from 'rapport-sdk/node'
import { redisEvents, redisRateLimits, redisTokenStore } from 'rapport-sdk/redis'
import { expect, it } from 'vitest'
import { reasonOf } from '../transport/rejection'
import { whilePolluted } from './hostile-values'

/** Makes a client of the package `redis` that stores one token and records the commands that it receives. */
function redisStub(data: string) {
  const sent: string[][] = []
  const redis = {
    ...{ isReady: true, isOpen: true, on() {}, off() {}, duplicate: () => redis },
    async sendCommand(args: readonly string[]) {
      sent.push([...args])
      return ['ok', '1', data]
    },
  }
  return { redis: redis as never, sent }
}

const gateway = { url: 'wss://gateway.example', WebSocket: class {} as never }
/** What options do that are not passed: by the name of the function that takes them. */
const TAKES_OPTIONS: Readonly<Record<string, readonly [names: readonly string[], run: () => Promise<unknown>]>> = {
  redisTokenStore: [
    ['encrypt', 'ttl', 'commandTimeout', 'token', 'userId'],
    async () => {
      const { redis, sent } = redisStub('{"token":"own"}')
      const store = redisTokenStore(redis, 'account', {})
      const seen = JSON.stringify(await store.get())
      await store.set({ token: 'new' }, { token: 'own' })
      return [seen, sent.map((command) => command.filter((_, index) => ![1, 5].includes(index)))]
    },
  ],
  tokenStore: [
    ['token', 'userId'],
    async () => {
      const sessions = [{ token: 'own' }, {} as never].map(async (record) => {
        const tokenStore = { get: () => record, set: () => {} }
        const client = new Client({ baseUrl: 'https://service.example', tokenStore })
        const failure = await client.ready.then(() => 'ready', String)
        return [failure, client.session.token, client.session.user?.id]
      })
      return Promise.all(sessions)
    },
  ],
  redisEvents: [
    ['leaseMs', 'maxLength', 'encrypt', 'commandTimeout', 'logger', 'group', 'connectOnSignIn', 'signal'],
    async () => {
      const events = redisEvents(redisStub('').redis, { stream: 'app', account: '1' })
      const { protocol: _, WebSocket: __, ...options } = events.gateway({})
      const refused = [() => events.read({} as never), () => redisEvents(redisStub('').redis, {} as never)]
      return [options, ...refused.map(thrownBy)]
    },
  ],
  redisRateLimits: [
    ['commandTimeout'],
    async () => thrownBy(() => redisRateLimits(redisStub('').redis, 'service', {})),
  ],
  'gateway.connect': [
    ['timeout', 'signal', 'filter'],
    async () => {
      const client = new Client({ baseUrl: 'https://service.example', gateway })
      const waiting = client.gateway.waitFor('ready', {})
      const seen = [await reasonOf(client.gateway.connect({})).then(String)]
      client.gateway.stream(['ready'], {})
      client.dispose()
      return [...seen, String(await reasonOf(waiting))]
    },
  ],
  mfaPrompt: [
    ['words', 'input', 'output', 'errors', 'title'],
    async () => {
      const fetch = async () =>
        Response.json({ code: 60003, mfa: { ticket: 't', methods: [{ type: 'totp' }] } }, { status: 401 })
      const client = new Client({
        baseUrl: 'https://service.example',
        token: 'own',
        fetch,
        onMfaRequired: mfaPrompt({}),
      })
      const error = await reasonOf(client.relationships.list())
      return String(Object(error).cause)
    },
  ],
  createMockService: [
    [
      ...['seed', 'strict', 'policy', 'requireMfa', 'maxJournalEntries', 'rpId', 'verifyPasskey', 'now'],
      ...['rateLimits', 'lifetimes', 'closeCodes', 'password', 'mfa', 'phone', 'username', 'locale'],
      ...['network', 'reset', 'html', 'truncate', 'stall', 'match', 'times', 'user', 'session', 'at', 'to', 'reason'],
    ],
    async () => {
      const service = createMockService({})
      service.changePolicy({ gateway: {} })
      const user = service.users.create({ login: 'ada@example.com' })
      service.faults.on('Get Relationships', { status: 503 })
      const status = [0, 1].map(() => service.fetch('https://service.example/users/@me/relationships'))
      const statuses = (await Promise.all(status)).map((response) => response.status)
      const counts = [
        service.gateway.drop(4000, {}).count,
        service.gateway.sendRaw({}, {}),
        service.gateway.unfreeze({}),
      ]
      await service.close()
      const { strict, policySettings } = service
      return JSON.stringify([strict, policySettings, Object.keys(user), statuses, counts])
    },
  ],
  'widgets.replace': [
    ['games', 'type', 'data', 'comment', 'tags', 'id', 'game_id', 'application_id', 'widgets'],
    async () => {
      const sent: unknown[] = []
      const fetch = async (_: string, init: { body?: unknown }) => {
        sent.push(init.body)
        return new Response('{}')
      }
      const client = createClient({ baseUrl: 'https://service.example', token: 'own', fetch, retry: 0 }, { widgets })
      const inputs = [
        {},
        { widgets: [{}] },
        { widgets: [{ data: {} }] },
        { widgets: [{ data: { type: 'played_games', games: [{}] } }] },
      ]
      const valid = { widgets: [{ data: { type: 'application', application_id: '1' } }] }
      const seen = await Promise.all(
        [...inputs, valid].map((input) => client.widgets.replace(input as never).then(() => 'sent', String)),
      )
      return [seen, sent]
    },
  ],
}

function thrownBy(run: () => unknown): string {
  try {
    run()
    return 'nothing'
  } catch (error) {
    return String(error)
  }
}

it.each(Object.entries(TAKES_OPTIONS).flatMap(([method, [names]]) => names.map((name) => [name, method] as const)))(
  'a polluted %s is neither an option nor a field of %s',
  async (name, method) => {
    const run = TAKES_OPTIONS[method]?.[1] ?? (() => expect.unreachable())
    const expected = await run()
    for (const value of ['polluted', { id: '1' }]) expect(await whilePolluted(name, value, run)).toEqual(expected)
  },
)
