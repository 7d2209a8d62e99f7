import type { StandardResult } from '../../standard-schema'
import { isObject, unsafeCast, type PlainObject } from '../edge'
import { MESSAGE, type ComponentSpec } from '../table/field'
import { rowOf } from '../table/rows'
import { fail, failKind, MAX_STEPS, type ValidationContext } from './run'
import type { ValidateComponentOptions, Validation, Validator } from './validation'

/** A validator, with the face of a Standard Schema. `check` says where the whole is to stand, unless that is a message. */
// @__NO_SIDE_EFFECTS__
export function validator<T, Options extends ValidateComponentOptions>(
  noun: string,
  check: (value: PlainObject, run: ValidationContext, context: ValidateComponentOptions['context']) => void,
): Validator<T, Options> {
  const validate = (
    value: unknown,
    { length, warnings = true, context }: ValidateComponentOptions = {},
  ): Validation<T> => {
    const run: ValidationContext = {
      places: MESSAGE,
      isUtf16: length === 'utf16',
      warns: warnings,
      path: [],
      depth: 0,
      issues: [],
      ids: new Set(),
      urls: [],
      texts: [],
      count: 0,
      work: 0,
    }
    const { issues } = run
    try {
      if (!isObject(value)) failKind(run, noun, value)
      else {
        const row = noun === 'component' ? undefined : rowAlone(value)
        if (row) failKind(run, noun, value, row.name)
        else check(value, run, context)
      }
    } catch {
      // A getter or a proxy has thrown: the run is where it did.
      fail(run, 'invalid_type', 'cannot be read')
    }
    run.depth = 0
    if (run.work > MAX_STEPS) fail(run, 'too_many', 'too much to be checked', [], { limit: MAX_STEPS })
    const isWrong = issues.some(({ severity }) => severity === 'error')
    return isWrong ? { ok: false, issues } : { ok: true, value: unsafeCast(value), warnings: issues }
  }
  const standard = (value: unknown): StandardResult<T> => validate(value, { warnings: false })
  return Object.assign(validate, { '~standard': { version: 1 as const, vendor: 'rapport-sdk', validate: standard } })
}

/** The row of what is a component and nothing else: a received message has a `type` as well, but more, or a text for an `id`. */
function rowAlone(value: PlainObject): ComponentSpec | undefined {
  const row = typeof value.id === 'string' ? undefined : rowOf(value.type)
  return row && Object.keys(value).every((name) => row.fields.has(name)) ? row : undefined
}
