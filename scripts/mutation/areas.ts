/** A folder whose code is mutated, and the tests that are to notice. */
export interface Area {
  /** Folder under `src/`. */
  readonly folder: string
  /** The tests, as globs. */
  readonly tests: readonly string[]
  /**
   * Whether to mutate what runs when a module is loaded, too. Modules are then loaded anew for each file of tests, which
   * takes most of the time of a run.
   */
  readonly loading: boolean
}

const calls = [
  'test/{transport,session,security}/**/*.test.ts',
  'test/errors/{envelopes,messages}.test.ts',
  'test/fuzz/{bodies,decode,errors,failed-fetch,redaction}.test.ts',
]

/** Tests of errors that come of one part alone. */
const errors = [
  'test/components/issues.test.ts',
  'test/components/validate.test.ts',
  'test/gateway/closed-for-good.test.ts',
]

export const areas: readonly Area[] = [
  { folder: 'errors', tests: [...errors, 'test/errors/**/*.test.ts'], loading: true },
  { folder: 'session', tests: calls, loading: false },
  { folder: 'transport', tests: calls, loading: false },
]
