// One process of the chaos test: it competes for the connection of each account, and reads the events of each in a group. It
// records every event in a file before it acknowledges it, since it may be killed at any time. A late process has a live store of
// each account instead.

import { appendFileSync } from 'node:fs'
import { Client, type RelationshipStore, RelationshipType } from 'rapport-sdk'
import { redisEvents } from 'rapport-sdk/redis'
import { createClientOf } from '../servers/redis-process'
import type { ChaosProcessPlan, LateQuestion, LateStores } from './chaos'

const plan: ChaosProcessPlan = JSON.parse(process.argv[2] ?? '')
const redis = createClientOf(plan.redisPort, plan.isSentinel)
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
process.on('message', ({ least, most }: LateQuestion) => {
  const counts: LateStores = { current: 0, stale: 0, loading: 0, behind: 0, wrong: 0 }
  for (const store of stores.values()) {
    const friends = store.filter(RelationshipType.FRIEND).length
    if (store.status !== 'ready') counts.loading += 1
    else if (store.stale) counts.stale += 1
    else if (friends < least || friends > most) counts.wrong += 1
    else if (friends < most) counts.behind += 1
    else counts.current += 1
  }
  process.send?.(counts)
})
process.send?.('ready')
