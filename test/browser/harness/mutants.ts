import type { BrowserContext } from 'playwright-core'

/** State of the mutation tests (`scripts/mutation`), in a process or on a page. */
interface MutationState {
  readonly activeMutant?: string | undefined
  readonly currentTestId?: string | undefined
  /** How often each test has run the code of each mutant. */
  mutantCoverage?: { readonly static: object; readonly perTest: Record<string, object> }
}

declare global {
  var __stryker__: MutationState | undefined
}

/** Activates the mutant of this process on the pages of a profile, whose scripts contain all mutants. */
export async function activateMutant(profile: BrowserContext): Promise<void> {
  if (globalThis.__stryker__ === undefined) return
  const { activeMutant, currentTestId } = globalThis.__stryker__
  await profile.addInitScript(
    (state) => {
      globalThis.__stryker__ = state
    },
    { activeMutant, currentTestId },
  )
}

/** Adds the mutants whose code the pages of a profile have run to those of this process. */
export async function collectMutants(profile: BrowserContext): Promise<void> {
  const state = globalThis.__stryker__
  if (state === undefined) return
  for (const page of profile.pages()) {
    const coverage = await page.evaluate(() => globalThis.__stryker__?.mutantCoverage)
    state.mutantCoverage ??= { static: {}, perTest: {} }
    for (const [test, mutants] of Object.entries(coverage?.perTest ?? {})) {
      state.mutantCoverage.perTest[test] = { ...state.mutantCoverage.perTest[test], ...mutants }
    }
  }
}
