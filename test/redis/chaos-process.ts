// One process of the chaos test: it competes for the connection of each account, and reads the events of each in a group. It
// records every event in a file before it acknowledges it, since it may be killed at any time. A late process has a live store of
// each account instead.

import { appendFileSync } from 'node:fs'
import { Client, type RelationshipStore, RelationshipType } from 'rapport-sdk'
import { redisEvents } from 'rapport-sdk/redis'
import { createClient } from 'redis'
import type { ChaosProcessPlan } from './chaos'

const plan: ChaosProcessPlan = JSON.parse(process.argv[2] ?? '')
const redis = createClient({ socket: { host: '127.0.0.1', port: plan.redisPort, reconnectStrategy: 50 } })
redis.on('error', () => {})
await redis.connect()

async function consume(events: ReturnType<typeof redisEvents>, account: string): Promise<void> {
  for await (const { type, data, missed, ack } of events.read({ group: 'chaos' })) {
    if (type === 'relationshipUpdate' || type === 'ready') {
      const { nickname = 'ready' } = Object(data)
      appendFileSync(plan.file, `${process.hrtime.bigint()} ${account} ${nickname} ${missed}\n`)
    }
    // During an outage of Redis, it is sent with the next one.
    await ack().catch(() => {})
  }
}

const stores = new Map<string, RelationshipStore>()
for (const [index, { account, token }] of plan.accounts.entries()) {
  const events = redisEvents(redis, { stream: 'chaos', account, leaseMs: plan.leaseMs, commandTimeout: 1_000 })
  if (plan.isLate) {
    const client = new Client({ baseUrl: plan.baseUrl, token, gateway: events.gateway({ connectOnSignIn: true }) })
    stores.set(account, client.relationships.live())
    continue
  }
  const client = new Client({ baseUrl: plan.baseUrl, token })
  // Each process starts with another share of the accounts.
  const hold = () => events.hold(client, { url: plan.gatewayUrl, backoff: { initialDelay: 0, baseDelay: 100 } })
  setTimeout(hold, index % plan.processes === plan.index ? 0 : plan.leaseMs)
  consume(events, account).catch((error) => appendFileSync(plan.file, `error ${account} ${error}\n`))
}

process.on('disconnect', () => process.exit())
// Accounts whose live store is current and has this number of friends.
process.on('message', (friends: number) => {
  const isCurrent = (store: RelationshipStore) =>
    !store.stale && store.filter(RelationshipType.FRIEND).length === friends
  process.send?.([...stores.values()].filter(isCurrent).length)
})
process.send?.('ready')
