import { formatIssues, type Issue } from '../contract/issue'
import { declareKind, guardFor, RapportError } from './rapport-error'

/** A request was not sent, because something the caller gave breaks the interface. `issues` lists all of it. */
export class RequestValidationError extends RapportError {
  declare readonly name: 'RequestValidationError'
  /** Every problem, with its path, the limit and what was given; secrets are masked. */
  readonly issues: readonly Issue[]
  /** Name of the endpoint or of the option that was called. */
  readonly endpoint: string

  /** @internal */
  static override readonly kind: string = /*@__PURE__*/ declareKind(RequestValidationError, 'RequestValidationError')

  constructor(endpoint: string, issues: readonly Issue[]) {
    const count = issues.length === 1 ? '1 problem' : `${issues.length} problems`
    super(`${endpoint}: ${count} in what was given, nothing was sent:\n${formatIssues(issues)}`)
    this.endpoint = endpoint
    this.issues = issues
  }
}
/** Whether an error is a {@link RequestValidationError}. */
export const isRequestValidationError: (error: unknown) => error is RequestValidationError =
  /*@__PURE__*/ guardFor('RequestValidationError')

/** A success whose body is not what the interface describes; thrown with `onResponseMismatch: 'throw'` alone. */
export class ResponseMismatchError extends RapportError {
  declare readonly name: 'ResponseMismatchError'
  /** Every problem, by path and kind; values of the response are not shown. */
  readonly issues: readonly Issue[]
  /** Name of the endpoint. */
  readonly endpoint: string

  /** @internal */
  static override readonly kind: string = /*@__PURE__*/ declareKind(ResponseMismatchError, 'ResponseMismatchError')

  constructor(endpoint: string, issues: readonly Issue[]) {
    super(`${endpoint} answered something that the interface does not describe:\n${formatIssues(issues)}`)
    this.endpoint = endpoint
    this.issues = issues
  }
}
/** Whether an error is a {@link ResponseMismatchError}. */
export const isResponseMismatchError: (error: unknown) => error is ResponseMismatchError =
  /*@__PURE__*/ guardFor('ResponseMismatchError')
