import { validateComponent, validateMessage, validateModal } from 'rapport-sdk/components'
import type { Given } from './places'

type Options = Parameters<typeof validateMessage>[1]
/** What is wrong or unwise in one place. */
export type Issue = Extract<ReturnType<typeof validateMessage>, { ok: false }>['issues'][number]

const CHECKS = { message: validateMessage, modal: validateModal, component: validateComponent }

/** What to check, and as what. */
export interface Checked {
  readonly as: keyof typeof CHECKS
  readonly value: unknown
}

/** What is wrong with a message, a modal or a component; nothing where it is right. */
export function errorsOf({ as, value }: Checked, options?: Options): readonly Issue[] {
  const result = CHECKS[as](value, options)
  if (result.ok) return []
  const errors = result.issues.filter(({ severity }) => severity === 'error')
  if (errors.length === 0) throw new Error('refused for warnings alone')
  return errors
}

/** The same as lines: `components.0.label: too_long, limit 80, actual 81`. */
export function problems(checked: Checked, options?: Options): string[] {
  return errorsOf(checked, options).map(({ path, code, limit, actual }) => {
    const passed = limit === undefined ? '' : `, limit ${limit}, actual ${JSON.stringify(actual)}`
    return `${path.join('.')}: ${code}${passed}`
  })
}

/** Where something is wrong: `components.0.label`. */
export const wrongPlaces = (checked: Checked, options?: Options): string[] =>
  errorsOf(checked, options).map(({ path }) => path.join('.'))

/** Whether a component is refused for itself: something is wrong with it, its type or a part of it, and with nothing else. */
export function isRefusedAt({ at, ...checked }: Given): boolean {
  const errors = errorsOf(checked)
  return errors.length > 0 && errors.every(({ path }) => at.every((key, index) => path[index] === key))
}
