// One process of the test of a fleet: it competes for the connection of each account, and says how many it holds when asked.

import { Client } from 'rapport-sdk'
import { redisEvents } from 'rapport-sdk/redis'
import { createClient } from 'redis'

/** What a process needs to know. */
export interface FleetProcessPlan {
  readonly redisPort: number
  readonly baseUrl: string
  readonly gatewayUrl: string
  readonly accounts: readonly { readonly account: string; readonly token: string }[]
}

const { redisPort, baseUrl, gatewayUrl, accounts }: FleetProcessPlan = JSON.parse(process.argv[2] ?? '')
const redis = createClient({ socket: { host: '127.0.0.1', port: redisPort } })
redis.on('error', () => {})
await redis.connect()
const holders = accounts.map(({ account, token }) =>
  redisEvents(redis, { stream: 'test', account }).hold(new Client({ baseUrl, token }), { url: gatewayUrl }),
)
process.on('disconnect', () => process.exit())
process.on('message', () => process.send?.(holders.filter(({ state }) => state === 'holding').length))
process.send?.('started')
