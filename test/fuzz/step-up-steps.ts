import fc from 'fast-check'
import { vi } from 'vitest'
import { CODE, MOODS, type Mood } from './step-up-service'
import type { World } from './step-up-world'

/** One thing that happens; numbers choose among what there is by then. */
export type Step =
  | { readonly what: 'call'; readonly token: string | undefined; readonly prompts: boolean }
  | { readonly what: 'abort'; readonly which: number }
  | { readonly what: 'serve'; readonly which: number }
  | { readonly what: 'answer'; readonly which: number; readonly how: 'right' | 'wrong' | 'null' | 'throw' }
  | { readonly what: 'verify'; readonly which: number; readonly code: string }
  | { readonly what: 'change'; readonly token: string | null }
  | { readonly what: 'pass'; readonly ms: number }
  | { readonly what: 'feel'; readonly mood: Mood }
  | { readonly what: 'serve all' }
  | { readonly what: 'revoke' }

const which = fc.nat(20)
const weighted = (weight: number, arbitrary: fc.Arbitrary<Step>) => ({ weight, arbitrary })

const step: fc.Arbitrary<Step> = fc.oneof(
  weighted(
    6,
    fc.record({
      what: fc.constant('call' as const),
      token: fc.constantFrom(undefined, undefined, 'ada', 'grace'),
      prompts: fc.integer({ min: 0, max: 4 }).map((draw) => draw > 0),
    }),
  ),
  weighted(8, fc.record({ what: fc.constant('serve' as const), which })),
  weighted(4, fc.constant({ what: 'serve all' as const })),
  weighted(
    8,
    fc.record({
      what: fc.constant('answer' as const),
      which,
      how: fc.constantFrom('right', 'right', 'right', 'wrong', 'wrong', 'null', 'throw'),
    }),
  ),
  weighted(2, fc.record({ what: fc.constant('abort' as const), which })),
  weighted(1, fc.record({ what: fc.constant('verify' as const), which, code: fc.constantFrom(CODE, '000000') })),
  weighted(2, fc.record({ what: fc.constant('change' as const), token: fc.constantFrom(null, 'ada', 'grace') })),
  weighted(
    2,
    fc.record({
      what: fc.constant('pass' as const),
      ms: fc.constantFrom(1, 1000, 29_000, 31_000, 150_000, 289_000, 291_000, 301_000),
    }),
  ),
  weighted(3, fc.record({ what: fc.constant('feel' as const), mood: fc.constantFrom('well', 'well', ...MOODS) })),
  weighted(1, fc.constant({ what: 'revoke' as const })),
)

/** Things that happen one after another, in any order. */
export const steps: fc.Arbitrary<Step[]> = fc.array(step, { maxLength: 60, size: 'max' })

const chosen = <T>(list: readonly T[], which: number): T | undefined => list[which % Math.max(1, list.length)]

/** Lets happen what is due at once. */
export async function settle(): Promise<void> {
  for (let round = 0; round < 4; round++) await new Promise((resolve) => setImmediate(resolve))
}

/** Does one step, and lets come of it what comes at once. */
export async function take(world: World, step: Step): Promise<void> {
  if (step.what === 'call') world.call(step.token, step.prompts)
  else if (step.what === 'serve') chosen(world.waiting, step.which)?.settle()
  else if (step.what === 'serve all') for (const { settle } of [...world.waiting]) settle()
  else if (step.what === 'abort') chosen(world.begun, step.which)?.control.abort(new Error('the caller gave up'))
  else if (step.what === 'verify') {
    const begun = chosen(world.begun, step.which)
    if (begun !== undefined) world.verify(begun, step.code)
  } else if (step.what === 'change') world.changeSession(step.token)
  else if (step.what === 'pass') await vi.advanceTimersByTimeAsync(step.ms)
  else if (step.what === 'feel') world.service.mood = step.mood
  else if (step.what === 'revoke') world.service.revoke()
  else chosen(world.prompts, step.which)?.settle(answers[step.how]())
  await settle()
}

const answers = {
  right: () => ({ type: 'totp', code: CODE }) as const,
  wrong: () => ({ type: 'totp', code: '000000' }) as const,
  null: () => null,
  throw: () => new Error('the dialog failed'),
}
