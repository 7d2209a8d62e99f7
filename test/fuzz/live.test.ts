import fc from 'fast-check'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { outcomeOf } from './answers'
import { type LiveStep, liveSteps, pass, settle, take } from './live-steps'
import { LiveWorld } from './live-world'
import { runs } from './runs'

const unhandled: unknown[] = []
const note = (reason: unknown) => void unhandled.push(reason)

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance', 'Date'] })
  process.on('unhandledRejection', note)
})
afterEach(() => {
  process.off('unhandledRejection', note)
  vi.useRealTimers()
})

async function play(scenario: readonly LiveStep[]): Promise<LiveWorld> {
  vi.clearAllTimers()
  const world = new LiveWorld()
  for (const { client } of world.people) void outcomeOf(client.gateway.connect())
  await settle()
  let isHurried = false
  for (const step of scenario) {
    await take(world, step)
    if (!isHurried) await settle()
    isHurried = step.what === 'hurry'
  }
  return world
}

/** Lets everything come to rest, on a road that is good again. */
async function quiesce(world: LiveWorld): Promise<void> {
  for (let round = 0; round < 4; round++) {
    world.mend()
    await pass(70_000)
  }
  // Something lost shows by what comes after it.
  world.service.gateway.emit('Nothing In Particular', {})
  await pass(1_000)
}

test('whatever happens in whatever order, stores end up with what the service has, in its order', async () => {
  await fc.assert(
    fc.asyncProperty(liveSteps, async (scenario) => {
      const world = await play(scenario)
      try {
        await quiesce(world)
        for (const watched of world.watched) {
          const { name, store, list, violations } = watched
          expect({ name, stale: store.stale, error: store.lastError, violations }).toEqual({
            name,
            stale: false,
            error: undefined,
            violations: [],
          })
          expect(store.all(), name).toEqual(await list())
          expect(watched.check(), name).toEqual([])
        }
      } finally {
        await world.close()
        await settle()
      }
      expect(unhandled.splice(0)).toEqual([])
      expect(vi.getTimerCount()).toBe(0)
    }),
    runs(0.5),
  )
}, 60_000)
