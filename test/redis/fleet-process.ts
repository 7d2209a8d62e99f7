// One process of the test of a fleet: it competes for the connection of each account, and says how many it holds, and in how many
// rounds it has asked others for some, when asked.

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
  /** Whether it begins a round only once the requests of the last one were answered, however slow the machine is. */
  readonly isPaced: boolean
  readonly accounts: readonly { readonly account: string; readonly token: string }[]
}

/** What a process replies. */
export interface FleetProcessReply {
  readonly count: number
  /** Number of rounds in which it has asked for accounts. */
  readonly rounds: number
}

/** Reports after which a round ends although not all requests were granted: another process was faster. */
const REPORTS_OF_ROUND = 30

const plan: FleetProcessPlan = JSON.parse(process.argv[2] ?? '')
const redis = createClient({ socket: { host: '127.0.0.1', port: plan.redisPort } })
redis.on('error', () => {})
await redis.connect()
let rounds = 0
let reports = 0
let before = 0
let asked = 0
const count = () => holders.filter(({ state }) => state === 'holding').length
const send = redis.sendCommand.bind(redis)
redis.sendCommand = async (args, options) => {
  if (args.some((value) => String(value).startsWith('wanted '))) {
    if (asked === 0) {
      rounds += 1
      before = count()
    }
    asked += 1
  }
  if (args[3] !== plan.fleetKey) return send(args, options)
  const isOver = asked === 0 || count() >= before + asked || ++reports >= REPORTS_OF_ROUND
  if (isOver || !plan.isPaced) {
    asked = 0
    reports = 0
    return send(args, options)
  }
  // The others see its report, but it asks no more before it has what it asked for, as if its interval were longer.
  await send(args, options)
  throw new Error('The round is not over.')
}
const holders = plan.accounts.map(({ account, token }) => {
  const client = new Client({ baseUrl: plan.baseUrl, token })
  return redisEvents(redis, { stream: 'test', account, leaseMs: plan.leaseMs }).hold(client, { url: plan.gatewayUrl })
})
process.on('disconnect', () => process.exit())
process.on('message', () => {
  const reply: FleetProcessReply = { count: count(), rounds }
  process.send?.(reply)
})
process.send?.('started')
