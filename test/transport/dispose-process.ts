import { setTimeout as wait } from 'node:timers/promises'
import { Client } from '../../src/index'
import { tokenOnly } from '../token-only-store'

// Makes a call in every state that has a timer or a socket, then disposes of the clients. The process must exit by itself: a timer left behind
// would keep it for an hour.
const [, , baseUrl = ''] = process.argv
const forever = () => new Promise<never>(() => {})
const HOUR_MS = 3_600_000
const limits = { timeout: HOUR_MS, deadline: 2 * HOUR_MS, mfaTimeout: HOUR_MS }
const retry = { limit: 6, maxRateLimitWaitMs: HOUR_MS }
const client = new Client({ baseUrl, token: 'ada', ...limits, retry, webauthn: { get: forever } })
const waiting = new Client({ baseUrl, ...limits, tokenStore: tokenOnly({ get: forever, set: () => {} }) })
const prompted = { onMfaRequired: forever }

const calls = [
  client.relationships.list(),
  client.friendSuggestions.list(prompted),
  client.auth.login({ login: 'ada@example.test', password: 'correct horse' }, prompted),
  client.auth.loginWithPasskey(),
  client.auth.sessions.list(),
  client.widgetConfigs.featured(),
  waiting.relationships.list(),
]
const outcomes = Promise.allSettled(calls)

await wait(400)
client.dispose()
waiting.dispose()
process.stdout.write('disposed, ')
const rejected = (await outcomes).filter(({ status }) => status === 'rejected')
process.stdout.write(`then ${rejected.length} rejected\n`)
