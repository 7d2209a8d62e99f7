import { expect, test } from 'vitest'
import { bundledScript } from '../temporary-files'
import { type ChaosOptions, runChaos } from './chaos'

const script = bundledScript('test/redis/chaos-process.ts')

const small: ChaosOptions = {
  seed: 28,
  accounts: 4,
  events: 800,
  kills: 0,
  restarts: 0,
  failovers: 0,
  deployments: 0,
  evictions: 0,
  fsync: 'always',
  durationMs: 4_000,
  settleMs: 120_000,
}
/** The live stores of the late process. */
const late = { current: 4, stale: 0, loading: 0, behind: 0, wrong: 0 }
const complete = { emitted: 800, seen: 800, unordered: [], silent: [], errors: [], late }

// Each run has its own servers and processes, and mostly waits.
test.concurrent('no event is lost or out of order while processes, whose clocks differ by minutes, and Redis are killed', async () => {
  expect(await runChaos({ ...small, kills: 2, restarts: 1 }, script())).toMatchObject(complete)
})

test.concurrent('no event is lost or out of order while a Sentinel fails over and processes are killed', async () => {
  expect(await runChaos({ ...small, kills: 1, failovers: 1 }, script())).toMatchObject(complete)
})

test.concurrent('no event is lost or out of order while the service refuses all processes because of a bad deployment', async () => {
  expect(await runChaos({ ...small, kills: 1, deployments: 1 }, script())).toMatchObject(complete)
})

test.concurrent('no event is lost silently or out of order while Redis evicts keys, and a late process is current', async () => {
  const result = await runChaos({ ...small, kills: 1, evictions: 8, durationMs: 6_000, settleMs: 20_000 }, script())

  expect(result).toMatchObject({ emitted: 800, unordered: [], silent: [], errors: [], late })
})
