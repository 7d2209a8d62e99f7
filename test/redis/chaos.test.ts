import { expect, test } from 'vitest'
import { runChaos } from './chaos'

test('no event is lost or out of order while processes, whose clocks differ by minutes, and Redis are killed', async () => {
  const result = await runChaos({
    accounts: 4,
    events: 800,
    kills: 2,
    restarts: 1,
    evictions: 0,
    fsync: 'always',
    durationMs: 4_000,
    settleMs: 120_000,
  })

  expect(result).toMatchObject({ emitted: 800, seen: 800, unordered: [], silent: [], errors: [], current: 4 })
})

test('no event is lost silently or out of order while Redis evicts keys, and a late process is current', async () => {
  const result = await runChaos({
    accounts: 4,
    events: 800,
    kills: 1,
    restarts: 0,
    evictions: 8,
    fsync: 'always',
    durationMs: 6_000,
    settleMs: 20_000,
  })

  expect(result).toMatchObject({ emitted: 800, unordered: [], silent: [], errors: [], current: 4 })
})
