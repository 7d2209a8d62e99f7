import fc from 'fast-check'
import { isRapportError } from 'rapport-sdk'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { runs } from './runs'
import { MOODS } from './step-up-service'
import { type Step, settle, steps, take } from './step-up-steps'
import { World } from './step-up-world'

const unhandled: unknown[] = []
const note = (reason: unknown) => void unhandled.push(reason)

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance', 'Date'] })
  vi.spyOn(Math, 'random').mockReturnValue(0.5)
  process.on('unhandledRejection', note)
})
afterEach(() => {
  process.off('unhandledRejection', note)
  vi.restoreAllMocks()
  vi.useRealTimers()
})

/**
 * The first sending, three replays with what others have obtained, two prompts and one ticket that expired; each of
 * them over again as often as `retry` has a 429 waited out and a failure repeated.
 */
const mostRequests = (retry: number) => 7 * (retry + 1) ** 2

/** What one call may have people asked: two prompts and one for a ticket that expired, of three attempts each. */
const MOST_QUESTIONS = 9

/** Everyone does what they are waited for, until nobody is. */
async function windUp(world: World, how: 'right' | 'wrong' = 'right'): Promise<void> {
  for (let round = 0; round < 200; round++) {
    const isOver = world.begun.every(({ outcome }) => outcome !== undefined)
    if (isOver && world.waiting.length === 0 && vi.getTimerCount() === 0) return
    await take(world, { what: 'serve all' })
    await take(world, { what: 'answer', which: 0, how })
    await take(world, { what: 'pass', ms: 1000 })
  }
}

async function play(retry: number, scenario: readonly Step[]): Promise<World> {
  // What a run that failed has left is not the next one's.
  vi.clearAllTimers()
  const world = new World(retry)
  for (const step of scenario) {
    await take(world, step)
    // Nobody is left with a dialog that nobody waits for.
    if (world.begun.every(({ outcome }) => outcome !== undefined)) expect(world.prompts).toEqual([])
  }
  return world
}

async function playToTheEnd(retry: number, scenario: readonly Step[]): Promise<World> {
  const world = await play(retry, scenario)
  await take(world, { what: 'feel', mood: 'well' })
  await windUp(world)
  return world
}

function check(world: World, retry: number): void {
  const { begun, service, client } = world
  expect(service.violations).toEqual([])
  expect(unhandled.splice(0)).toEqual([])
  expect(begun.filter(({ outcome }) => outcome === undefined)).toEqual([])
  for (const { outcome, control, requests } of begun) {
    expect(requests).toBeLessThanOrEqual(mostRequests(retry))
    if (outcome === undefined || 'data' in outcome) continue
    const isOurs = isRapportError(outcome.error) || outcome.error === control.signal.reason
    if (!isOurs) throw outcome.error
  }
  expect({ timers: vi.getTimerCount(), listeners: world.listeners, prompts: world.prompts.length }).toEqual({
    timers: 0,
    listeners: 0,
    prompts: 0,
  })
  // Whatever came of second factors, it is the caller alone who signs out.
  expect(client.session.token).toBe(world.token)
}

test('whatever happens in whatever order, step-up keeps to its rules and comes to an end', async () => {
  const retries = fc.constantFrom(0, 2)
  await fc.assert(
    fc.asyncProperty(retries, steps, fc.boolean(), async (retry, scenario, revokes) => {
      const world = await playToTheEnd(retry, scenario)
      check(world, retry)

      // A rate limit that the service has asked for is over.
      await vi.advanceTimersByTimeAsync(1000)
      if (revokes) world.service.revoke()
      world.call('ada', true)
      await settle()
      await windUp(world)
      expect(world.begun.at(-1)?.outcome).toEqual({ data: [] })
      expect(world.begun.at(-1)?.requests).toBeLessThanOrEqual(2)
      check(world, retry)
    }),
    runs(2),
  )
})

test('a service that stays as it is, however it is, gets a bounded number of requests and of answers', async () => {
  const calls = fc.array(fc.constantFrom(undefined, 'ada', 'grace'), { minLength: 1, maxLength: 6 })
  const how = fc.constantFrom('right' as const, 'wrong' as const)
  const mood = fc.constantFrom(...MOODS)
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(0, 2), mood, calls, how, steps, async (retry, mood, calls, how, scenario) => {
      const world = await play(retry, [{ what: 'feel', mood }])
      for (const token of calls) world.call(token, true)
      // In whatever order the calls are answered at first.
      for (const step of scenario) if (step.what === 'serve') await take(world, step)
      await windUp(world, how)
      check(world, retry)
      expect(world.questions).toBeLessThanOrEqual(MOST_QUESTIONS * calls.length)
    }),
    runs(),
  )
})

test('after dispose nothing is left of what was going on', async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (scenario) => {
      const world = await play(2, scenario)
      world.client.dispose()
      // A turn of the event loop, no more: what waits is not waited out.
      await take(world, { what: 'pass', ms: 1 })
      check(world, 2)
      expect(world.waiting).toEqual([])
    }),
    runs(),
  )
})
