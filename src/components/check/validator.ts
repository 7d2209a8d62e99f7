import type { StandardResult } from '../../transport/custom-request'
import { isObject, typed, type Wire } from '../edge'
import { type Context, EITHER, fail, failType, MESSAGE, MODAL, MOST_WORK, newRun, type Run } from './run'
import type { ValidateComponentOptions, Validation, Validator } from './validation'

/** A validator, with the face of a Standard Schema. */
// @__NO_SIDE_EFFECTS__
export function validator<T, Options extends ValidateComponentOptions>(
  noun: string,
  contextOf: (value: Wire) => Context,
  check: (value: Wire, run: Run) => void,
): Validator<T, Options> {
  const validate = (value: unknown, { length, warnings, context }: ValidateComponentOptions = {}): Validation<T> => {
    const run = newRun(context === 'modal' ? MODAL : context ? MESSAGE : EITHER, length, warnings)
    try {
      if (isObject(value)) {
        if (context === undefined) run.context = contextOf(value)
        check(value, run)
      } else failType(run, noun, value)
    } catch {
      // A getter or a proxy has thrown; the run is where it did.
      fail(run, { code: 'invalid_type', message: 'cannot be read' })
    }
    if (run.work > MOST_WORK) {
      run.depth = 0
      fail(run, { code: 'too_many', message: `too much to check, at most ${MOST_WORK} parts`, limit: MOST_WORK })
    }
    return run.isWrong ? { ok: false, issues: run.issues } : { ok: true, value: typed(value), warnings: run.issues }
  }
  const standard = (value: unknown): StandardResult<T> => {
    const result = validate(value, { warnings: false })
    return result.ok ? { value: result.value } : { issues: result.issues }
  }
  return Object.assign(validate, { '~standard': { version: 1 as const, vendor: 'rapport-sdk', validate: standard } })
}
