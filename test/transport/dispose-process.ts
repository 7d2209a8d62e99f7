import { once } from 'node:events'
import { Client } from '../../src/index'
import { deferred } from '../deferred'
import { tokenOnly } from '../session-stores'

// Makes a call in every state that has a timer or a socket, then disposes of the clients. The process must exit by itself: a timer left behind
// would keep it for an hour. It does so once all of them are reached here, and the end of its input says that the service has the requests.
const [, , baseUrl = ''] = process.argv
const forever = () => new Promise<never>(() => {})
const pending = new Set(['suggestions', 'sign-in', 'passkey', 'rate limit', 'retry'])
const reached = deferred<void>()
const reach = (state: string) => {
  pending.delete(state)
  if (pending.size === 0) reached.resolve()
  return forever()
}
const HOUR_MS = 3_600_000
const limits = { timeout: HOUR_MS, deadline: 2 * HOUR_MS, mfaTimeout: HOUR_MS }
const retry = { limit: 6, maxRateLimitWaitMs: HOUR_MS }
const client = new Client({ baseUrl, token: 'ada', ...limits, retry, webauthn: { get: () => reach('passkey') } })
client.on('rateLimited', () => void reach('rate limit'))
client.on('retry', () => void reach('retry'))
const waiting = new Client({ baseUrl, ...limits, tokenStore: tokenOnly({ get: forever, set: () => {} }) })
const prompted = (state: string) => ({ onMfaRequired: () => reach(state) })

const calls = [
  client.relationships.list(),
  client.friendSuggestions.list(prompted('suggestions')),
  client.auth.login({ login: 'ada@example.test', password: 'correct horse' }, prompted('sign-in')),
  client.auth.loginWithPasskey(),
  client.auth.sessions.list(),
  client.widgetConfigs.featured(),
  waiting.relationships.list(),
]
const outcomes = Promise.allSettled(calls)

await Promise.all([reached.promise, once(process.stdin.resume(), 'end')])
client.dispose()
waiting.dispose()
process.stdout.write('disposed, ')
const rejected = (await outcomes).filter(({ status }) => status === 'rejected')
process.stdout.write(`then ${rejected.length} rejected\n`)
