import { validateComponent, validateMessage, validateModal } from 'rapport-sdk/components'
import type { PlacedComponent } from './places'

type Options = Parameters<typeof validateMessage>[1]
/** An error or warning of a validation. */
export type Issue = Extract<ReturnType<typeof validateMessage>, { ok: false }>['issues'][number]

const VALIDATE = { message: validateMessage, modal: validateModal, component: validateComponent }

/** A value to validate as a message, a modal or a component. */
export interface ValidationInput {
  readonly as: keyof typeof VALIDATE
  readonly value: unknown
}

/** Returns the errors of a message, a modal or a component; an empty array if it is valid. */
export function errorsOf({ as, value }: ValidationInput, options?: Options): readonly Issue[] {
  const result = VALIDATE[as](value, options)
  return result.ok ? [] : result.issues
}

/** Returns the errors as lines: `components.0.label: too_long, limit 80, actual 81`. */
export function errorLines(checked: ValidationInput, options?: Options): string[] {
  return errorsOf(checked, options).map(({ path, code, limit, actual }) => {
    const passed = limit === undefined ? '' : `, limit ${limit}, actual ${JSON.stringify(actual)}`
    return `${path.join('.')}: ${code}${passed}`
  })
}

/** Returns the paths of the errors: `components.0.label`. */
export const errorPaths = (checked: ValidationInput, options?: Options): string[] =>
  errorsOf(checked, options).map(({ path }) => path.join('.'))

/** Whether there are errors, all of them at the component or one of its fields. */
export function isRejectedAt({ at, ...checked }: PlacedComponent): boolean {
  const errors = errorsOf(checked)
  return errors.length > 0 && errors.every(({ path }) => at.every((key, index) => path[index] === key))
}
