import fc from 'fast-check'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { advance, type LiveStep, liveSteps, runStep, settle } from './live-steps'
import { LiveWorld } from './live-world'
import { outcomeOf } from './responses'
import { runs } from './runs'

const unhandled: unknown[] = []
const record = (reason: unknown) => void unhandled.push(reason)

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance', 'Date'] })
  process.on('unhandledRejection', record)
})
afterEach(() => {
  process.off('unhandledRejection', record)
})

async function play(scenario: readonly LiveStep[]): Promise<LiveWorld> {
  vi.clearAllTimers()
  const world = new LiveWorld()
  for (const { client } of world.people) void outcomeOf(client.gateway.connect())
  await settle()
  let isSettlingSkipped = false
  for (const step of scenario) {
    await runStep(world, step)
    if (!isSettlingSkipped) await settle()
    isSettlingSkipped = step.type === 'skipSettling'
  }
  return world
}

/** Repairs all connections until nothing is pending. */
async function repairAll(world: LiveWorld): Promise<void> {
  for (let round = 0; round < 4; round++) {
    world.repair()
    await advance(70_000)
  }
  // A lost event is noticed by the next one.
  world.service.gateway.emit('Unknown Event', {})
  await advance(1_000)
}

test('live stores converge to the data of the service, in its order, after any events and faults', async () => {
  await fc.assert(
    fc.asyncProperty(liveSteps, async (scenario) => {
      const world = await play(scenario)
      try {
        await repairAll(world)
        for (const watched of world.stores) {
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
})
