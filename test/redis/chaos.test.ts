import { expect, test } from 'vitest'
import { runChaos } from './chaos'

test('no event is lost or out of order while processes, whose clocks differ by minutes, and Redis are killed', {
  timeout: 240_000,
}, async () => {
  const result = await runChaos({
    accounts: 4,
    events: 800,
    kills: 2,
    restarts: 1,
    fsync: 'always',
    durationMs: 4_000,
    settleMs: 120_000,
  })

  expect(result).toMatchObject({ emitted: 800, seen: 800, unordered: [], errors: [] })
})
