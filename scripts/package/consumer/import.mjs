import * as node from 'rapport-sdk/mocks/node'
import * as entries from './entries.mjs'
import onLoopback from './on-loopback.cjs'

await onLoopback({ ...entries, node })
