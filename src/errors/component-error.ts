import { formatIssues, type Issue } from '../contract/issue'
import { declareKind, guardFor, RapportError } from './rapport-error'

/** A message, a modal or a component breaks the interface. `issues` lists all of it. */
export class ComponentError extends RapportError {
  declare readonly name: 'ComponentError'
  /** Every problem and every warning, with its path, the limit and what was given. */
  readonly issues: readonly Issue[]

  /** @internal */
  static override readonly kind: string = /*@__PURE__*/ declareKind(ComponentError, 'ComponentError')

  constructor(subject: string, issues: readonly Issue[]) {
    const errors = issues.filter(({ severity }) => severity === 'error')
    const count = errors.length === 1 ? '1 problem' : `${errors.length} problems`
    super(`${count} in ${subject}:\n${formatIssues(errors)}`)
    this.issues = issues
  }
}
/** Whether an error is a {@link ComponentError}. */
export const isComponentError: (error: unknown) => error is ComponentError = /*@__PURE__*/ guardFor('ComponentError')
