import fc from 'fast-check'
import { vi } from 'vitest'
import { CODE, MODES, type Mode } from '../servers/step-up-service'
import { CLIENTS, type World } from './step-up-world'

/**
 * One step of a scenario. `which` chooses among the operations, requests or prompts that exist by then, `client` is the
 * index of a client.
 */
export type Step =
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
export const steps: fc.Arbitrary<Step[]> = fc.array(step, { maxLength: 60, size: 'max' })

const choose = <T>(items: readonly T[], which: number): T | undefined => items[which % Math.max(1, items.length)]

/** Runs everything that is due now. */
export async function settle(): Promise<void> {
  for (let round = 0; round < 4; round++) await new Promise((resolve) => setImmediate(resolve))
}

/** Runs one step and its immediate consequences. */
export async function runStep(world: World, step: Step): Promise<void> {
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
