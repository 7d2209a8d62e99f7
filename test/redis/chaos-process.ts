// One process of the chaos test: it competes for the connection of each account, and reads the events of each in a group. It
// records every event in a file before it acknowledges it, since it may be killed at any time.

import { appendFileSync } from 'node:fs'
import { Client } from 'rapport-sdk'
import { redisEvents } from 'rapport-sdk/redis'
import { createClient } from 'redis'
import type { ChaosProcessPlan } from './chaos'

const plan: ChaosProcessPlan = JSON.parse(process.argv[2] ?? '')
const redis = createClient({ socket: { host: '127.0.0.1', port: plan.redisPort, reconnectStrategy: 50 } })
redis.on('error', () => {})
await redis.connect()

async function consume(events: ReturnType<typeof redisEvents>, account: string): Promise<void> {
  for await (const { id, type, data, ack } of events.read({ group: 'chaos' })) {
    if (type === 'relationshipUpdate') {
      const { nickname } = Object(data)
      appendFileSync(plan.file, `${process.hrtime.bigint()} ${account} ${nickname} ${id}\n`)
    }
    // During an outage of Redis, it is sent with the next one.
    await ack().catch(() => {})
  }
}

for (const [index, { account, token }] of plan.accounts.entries()) {
  const events = redisEvents(redis, { stream: 'chaos', account, leaseMs: plan.leaseMs, commandTimeout: 1_000 })
  const client = new Client({ baseUrl: plan.baseUrl, token })
  // Each process starts with another share of the accounts.
  const hold = () => events.hold(client, { url: plan.gatewayUrl, backoff: { initialDelay: 0, baseDelay: 100 } })
  setTimeout(hold, index % plan.processes === plan.index ? 0 : plan.leaseMs)
  consume(events, account).catch((error) => appendFileSync(plan.file, `error ${account} ${error}\n`))
}

process.on('disconnect', () => process.exit())
process.send?.('ready')
