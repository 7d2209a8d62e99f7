import { formatPath } from '../contract/issue'
import { declareKind, guardFor, RapportError } from './rapport-error'

/** What the service says is wrong with one field, decoded by convention: the envelope is not shown. */
export interface FieldError {
  /** Where, from the root of what was sent. */
  readonly path: readonly (string | number)[]
  /** The service's code, such as `BASE_TYPE_REQUIRED`. */
  readonly code: string
  /** The service's words. */
  readonly message: string
}

/** What a failed answer carries. */
export interface ApiFailure {
  /** Name of the endpoint. */
  readonly endpoint: string
  /** HTTP status. */
  readonly status: number
  /** The service's JSON error code, if it gave one. */
  readonly code?: number | undefined
  /** The service's own words, fit to show a user; empty if it gave none. */
  readonly serviceMessage: string
  /** What it says of single fields. */
  readonly fieldErrors: readonly FieldError[]
  /** The body with secrets redacted; `undefined` where it was no JSON. */
  readonly body: unknown
}

/** The service refused or failed. Subclasses tell the common reasons. */
export class ApiError extends RapportError {
  declare readonly name: string
  /** HTTP status. */
  readonly status: number
  /** The service's JSON error code; absent if it gave none. */
  readonly code: number | undefined
  /** The service's own words, fit to show a user; empty if it gave none. */
  readonly serviceMessage: string
  /** What the service says of single fields. */
  readonly fieldErrors: readonly FieldError[]
  /** Name of the endpoint. */
  readonly endpoint: string
  /** The body with secrets redacted; not enumerable, so that it is in no log by accident. */
  declare readonly body: unknown

  /** @internal */
  static override readonly kind: string = /*@__PURE__*/ declareKind(ApiError, 'ApiError')

  constructor(failure: ApiFailure, advice = '') {
    super(describe(failure, advice))
    this.status = failure.status
    this.code = failure.code
    this.serviceMessage = failure.serviceMessage
    this.fieldErrors = failure.fieldErrors
    this.endpoint = failure.endpoint
    Object.defineProperty(this, 'body', { value: failure.body, enumerable: false })
  }
}
/** Whether an error is an {@link ApiError}, of whichever kind. */
export const isApiError: (error: unknown) => error is ApiError = /*@__PURE__*/ guardFor('ApiError')

function describe({ endpoint, status, code, serviceMessage, fieldErrors }: ApiFailure, advice: string): string {
  const facts = code === undefined ? `status ${status}` : `status ${status}, code ${code}`
  const head = `${endpoint} failed with ${facts}${serviceMessage && `: ${oneLine(serviceMessage)}`}`
  const shown = fieldErrors
    .slice(0, MOST_FIELDS)
    .map(({ path, message }) => `  ${oneLine(formatPath(path))}: ${oneLine(message)}`)
  if (fieldErrors.length > MOST_FIELDS)
    shown.push(`  … and ${fieldErrors.length - MOST_FIELDS} more in \`fieldErrors\``)
  return [head, ...shown, advice].filter(Boolean).join('\n')
}

/** So that a message stays readable; `fieldErrors` has all of them. */
const MOST_FIELDS = 20

/** The service's words without line breaks and control characters, which could forge lines of a log. */
function oneLine(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it is about
  return text.slice(0, 500).replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, ' ')
}
