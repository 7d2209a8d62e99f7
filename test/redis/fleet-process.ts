// One process of the test of a fleet: it competes for the connection of each account, and says how many it holds, and how often it
// has reported that to the others, when asked.

import { Client } from 'rapport-sdk'
import { redisEvents } from 'rapport-sdk/redis'
import { createClient } from 'redis'

/** What a process needs to know. */
export interface FleetProcessPlan {
  readonly redisPort: number
  readonly baseUrl: string
  readonly gatewayUrl: string
  readonly leaseMs: number
  /** Key of the reports. */
  readonly fleetKey: string
  readonly accounts: readonly { readonly account: string; readonly token: string }[]
}

/** What a process replies. */
export interface FleetProcessReply {
  readonly count: number
  readonly reports: number
}

const plan: FleetProcessPlan = JSON.parse(process.argv[2] ?? '')
const redis = createClient({ socket: { host: '127.0.0.1', port: plan.redisPort } })
redis.on('error', () => {})
await redis.connect()
let reports = 0
const send = redis.sendCommand.bind(redis)
redis.sendCommand = (args, options) => {
  if (args[3] === plan.fleetKey) reports += 1
  return send(args, options)
}
const holders = plan.accounts.map(({ account, token }) => {
  const client = new Client({ baseUrl: plan.baseUrl, token })
  return redisEvents(redis, { stream: 'test', account, leaseMs: plan.leaseMs }).hold(client, { url: plan.gatewayUrl })
})
process.on('disconnect', () => process.exit())
process.on('message', () => {
  const reply: FleetProcessReply = { count: holders.filter(({ state }) => state === 'holding').length, reports }
  process.send?.(reply)
})
process.send?.('started')
