import fc from 'fast-check'
import { isRapportError } from 'rapport-sdk'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
// Clients load it on first use: the fake timers would then have the one with which Vitest limits that.
import '../../src/session/shared-verifications'
import { CODE, MODES, type Mode } from '../servers/step-up-service'
import { runs } from './arbitraries'
import { CLIENTS, World } from './step-up-world'

/**
 * One step of a scenario. `which` chooses among the operations, requests or prompts that exist by then, `client` is the
 * index of a client.
 */
type Step =
  | { readonly type: 'call'; readonly client: number; readonly token: string | undefined; readonly prompts: boolean }
  | { readonly type: 'abort'; readonly which: number }
  | { readonly type: 'respond'; readonly which: number }
  | { readonly type: 'answer'; readonly which: number; readonly answer: keyof typeof answers }
  | { readonly type: 'verify'; readonly which: number; readonly code: string }
  | { readonly type: 'setToken'; readonly client: number; readonly token: string | null }
  | { readonly type: 'dispose'; readonly client: number }
  | { readonly type: 'wait'; readonly ms: number }
  | { readonly type: 'setMode'; readonly mode: Mode }
  | { readonly type: 'respondToAll' }
  | { readonly type: 'revokeJwts' }

const which = fc.nat(20)
const client = fc.nat(CLIENTS - 1)
const weighted = (weight: number, arbitrary: fc.Arbitrary<Step>) => ({ weight, arbitrary })

const step: fc.Arbitrary<Step> = fc.oneof(
  weighted(
    6,
    fc.record({
      type: fc.constant('call' as const),
      client,
      token: fc.constantFrom(undefined, undefined, 'ada', 'grace'),
      prompts: fc.integer({ min: 0, max: 4 }).map((draw) => draw > 0),
    }),
  ),
  weighted(8, fc.record({ type: fc.constant('respond' as const), which })),
  weighted(4, fc.constant({ type: 'respondToAll' as const })),
  weighted(
    8,
    fc.record({
      type: fc.constant('answer' as const),
      which,
      answer: fc.constantFrom('right', 'right', 'right', 'wrong', 'wrong', 'null', 'throw'),
    }),
  ),
  weighted(2, fc.record({ type: fc.constant('abort' as const), which })),
  weighted(1, fc.record({ type: fc.constant('verify' as const), which, code: fc.constantFrom(CODE, '000000') })),
  weighted(
    2,
    fc.record({ type: fc.constant('setToken' as const), client, token: fc.constantFrom(null, 'ada', 'grace') }),
  ),
  // Not the parent, with which the test makes a last call.
  weighted(1, fc.record({ type: fc.constant('dispose' as const), client: fc.integer({ min: 1, max: CLIENTS - 1 }) })),
  weighted(
    2,
    fc.record({
      type: fc.constant('wait' as const),
      ms: fc.constantFrom(1, 1000, 29_000, 31_000, 150_000, 289_000, 291_000, 301_000),
    }),
  ),
  weighted(
    3,
    fc.record({ type: fc.constant('setMode' as const), mode: fc.constantFrom('normal', 'normal', ...MODES) }),
  ),
  weighted(1, fc.constant({ type: 'revokeJwts' as const })),
)

/** Any sequence of steps. */
const steps: fc.Arbitrary<Step[]> = fc.array(step, { maxLength: 60, size: 'max' })

const choose = <T>(items: readonly T[], which: number): T | undefined => items[which % Math.max(1, items.length)]

/** Digests of keys of shared verifications that are not ready: they wait for a thread, for as many turns as a busy machine takes. */
const digests = new Set<Promise<unknown>>()

/** Runs everything that is due now. */
async function settle(): Promise<void> {
  do {
    await Promise.all(digests)
    for (let round = 0; round < 4; round++) await new Promise((resolve) => setImmediate(resolve))
  } while (digests.size > 0)
}

/** Runs one step and its immediate consequences. */
async function runStep(world: World, step: Step): Promise<void> {
  if (step.type === 'call') world.call(step.client, step.token, step.prompts)
  else if (step.type === 'respond') choose(world.pendingRequests, step.which)?.release()
  else if (step.type === 'respondToAll') for (const { release } of [...world.pendingRequests]) release()
  else if (step.type === 'abort') choose(world.operations, step.which)?.control.abort(new Error('the caller aborted'))
  else if (step.type === 'verify') {
    const operation = choose(world.operations, step.which)
    if (operation !== undefined) world.verify(operation, step.code)
  } else if (step.type === 'setToken') world.setToken(step.client, step.token)
  else if (step.type === 'dispose') world.dispose(step.client)
  else if (step.type === 'wait') await vi.advanceTimersByTimeAsync(step.ms)
  else if (step.type === 'setMode') world.service.mode = step.mode
  else if (step.type === 'revokeJwts') world.service.revokeJwts()
  else choose(world.prompts, step.which)?.settle(answers[step.answer]())
  await settle()
}

const answers = {
  right: () => ({ type: 'totp', code: CODE }) as const,
  wrong: () => ({ type: 'totp', code: '000000' }) as const,
  null: () => null,
  throw: () => new Error('the dialog failed'),
}

const unhandled: unknown[] = []
const worlds: World[] = []
const record = (reason: unknown) => void unhandled.push(reason)

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance', 'Date'] })
  vi.spyOn(Math, 'random').mockReturnValue(0.5)
  const digest = crypto.subtle.digest.bind(crypto.subtle)
  vi.spyOn(crypto.subtle, 'digest').mockImplementation((...args) => {
    const result = digest(...args)
    digests.add(result)
    return result.finally(() => digests.delete(result))
  })
  process.on('unhandledRejection', record)
})
afterEach(async () => {
  for (const world of worlds.splice(0)) world.end()
  await settle()
  process.off('unhandledRejection', record)
  vi.restoreAllMocks()
})

/**
 * The first request, three replays with verifications of other calls, two prompts and one expired ticket; each of them
 * repeated as often as `retry` allows for a 429 and for a failure.
 */
const maxRequests = (retry: number) => 7 * (retry + 1) ** 2

/** Prompts of one call: two, and one for an expired ticket, with three attempts each. */
const MAX_PROMPTS = 9

/** Responds to all requests and answers all prompts until every operation has settled. */
async function settleAll(world: World, answer: 'right' | 'wrong' = 'right'): Promise<void> {
  for (let round = 0; round < 200; round++) {
    const isSettled = world.operations.every(({ outcome }) => outcome !== undefined)
    if (isSettled && world.pendingRequests.length === 0 && vi.getTimerCount() === 0) return
    await runStep(world, { type: 'respondToAll' })
    await runStep(world, { type: 'answer', which: 0, answer })
    await runStep(world, { type: 'wait', ms: 1000 })
  }
}

async function play(retry: number, scenario: readonly Step[], isShared = false): Promise<World> {
  // A failed run must not leave its timers to the next one.
  vi.clearAllTimers()
  const world = new World(retry, isShared)
  worlds.splice(0, 1, world)
  for (const step of scenario) {
    await runStep(world, step)
    // No prompt stays open after its last call has settled.
    if (world.operations.every(({ outcome }) => outcome !== undefined)) expect(world.prompts).toEqual([])
  }
  return world
}

async function playToTheEnd(retry: number, scenario: readonly Step[], isShared = false): Promise<World> {
  const world = await play(retry, scenario, isShared)
  await runStep(world, { type: 'setMode', mode: 'normal' })
  await settleAll(world)
  return world
}

function check(world: World, retry: number): void {
  const { operations, violations, clients } = world
  expect(violations).toEqual([])
  expect(unhandled.splice(0)).toEqual([])
  expect(operations.filter(({ outcome }) => outcome === undefined)).toEqual([])
  for (const { outcome, control, requests } of operations) {
    expect(requests).toBeLessThanOrEqual(maxRequests(retry))
    if (outcome === undefined || 'data' in outcome) continue
    const isExpected = isRapportError(outcome.error) || outcome.error === control.signal.reason
    if (!isExpected) throw outcome.error
  }
  expect({ timers: vi.getTimerCount(), listeners: world.listeners, prompts: world.prompts.length }).toEqual({
    timers: 0,
    listeners: 0,
    prompts: 0,
  })
  // Step-up never signs out; only setToken() changes the token.
  expect(clients.map(({ session }) => session.token)).toEqual(world.tokens)
}

test.each([
  ['the clients of one process', false],
  ['the clients of two processes that share verifications', true],
])('step-up of %s settles every call and breaks no rule, whatever the order of events', async (_, isShared) => {
  const retries = fc.constantFrom(0, 2)
  await fc.assert(
    fc.asyncProperty(retries, steps, fc.boolean(), async (retry, scenario, revokes) => {
      const world = await playToTheEnd(retry, scenario, isShared)
      check(world, retry)

      // Let the last rate limit end, or the block of prompts if the service may have ignored two verifications.
      const isIgnored = scenario.some(
        (step) => step.type === 'revokeJwts' || (step.type === 'setMode' && step.mode === 'rejects every JWT'),
      )
      await vi.advanceTimersByTimeAsync(isIgnored ? 300_000 : 1000)
      if (revokes) world.service.revokeJwts()
      world.call(0, 'ada', true)
      await settle()
      await settleAll(world)
      expect(world.operations.at(-1)?.outcome).toEqual({ data: [] })
      // A verification of the other process may have been revoked.
      expect(world.operations.at(-1)?.requests).toBeLessThanOrEqual(isShared ? 3 : 2)
      check(world, retry)
    }),
    runs(2),
  )
})

test('step-up sends a bounded number of requests and prompts to a service whose fault persists', async () => {
  const call = fc.tuple(fc.nat(CLIENTS - 1), fc.constantFrom(undefined, 'ada', 'grace'))
  const calls = fc.array(call, { minLength: 1, maxLength: 6 })
  const answer = fc.constantFrom('right' as const, 'wrong' as const)
  const mode = fc.constantFrom(...MODES)
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(0, 2),
      mode,
      calls,
      answer,
      steps,
      async (retry, mode, calls, answer, scenario) => {
        const world = await play(retry, [{ type: 'setMode', mode }])
        for (const [client, token] of calls) world.call(client, token, true)
        // Respond to the first requests in any order.
        for (const step of scenario) if (step.type === 'respond') await runStep(world, step)
        await settleAll(world, answer)
        check(world, retry)
        expect(world.promptCount).toBeLessThanOrEqual(MAX_PROMPTS * calls.length)
      },
    ),
    runs(),
  )
})

test('disposing all clients settles every call and leaves no timer, listener or prompt', async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (scenario) => {
      const world = await play(2, scenario)
      for (let client = 0; client < CLIENTS; client++) world.dispose(client)
      // One turn of the event loop, so that no timeout can end a wait instead.
      await runStep(world, { type: 'wait', ms: 1 })
      check(world, 2)
      expect(world.pendingRequests).toEqual([])
    }),
    runs(),
  )
})
