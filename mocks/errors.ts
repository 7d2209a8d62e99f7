import type { Issue } from '../src/internal/issue'

/** An error response of the service. */
export interface PolicyError {
  /** HTTP status. */
  readonly status: number
  /** `code` of the body. */
  readonly code: number
  /** `message` of the body, which can be shown to a user. */
  readonly message: string
}

/**
 * Default errors of the service. The document shows the codes 20013, 20011 and 60003 and the status of the last; all
 * other codes, statuses and messages are conventions of this mock.
 */
export const defaultErrors = {
  badRequest: { status: 400, code: 0, message: '400: Bad Request' },
  unauthorized: { status: 401, code: 0, message: '401: Unauthorized' },
  unknownPath: { status: 404, code: 0, message: '404: Not Found' },
  methodNotAllowed: { status: 405, code: 0, message: '405: Method Not Allowed' },
  bodyTooLarge: { status: 413, code: 40005, message: 'Request entity too large' },
  malformedJson: { status: 400, code: 50109, message: 'The request body contains invalid JSON.' },
  invalidForm: { status: 400, code: 50035, message: 'Invalid Form Body' },
  mfaRequired: { status: 401, code: 60003, message: 'Two factor is required for this operation' },
  accountDisabled: { status: 403, code: 20013, message: 'This account is disabled.' },
  accountDeletionScheduled: { status: 403, code: 20011, message: 'This account is scheduled for deletion.' },
  accountSuspended: { status: 403, code: 20022, message: 'This account is suspended.' },
  invalidCode: { status: 400, code: 60008, message: 'Invalid two-factor code' },
  // 401, so that clients can distinguish an expired flow from an invalid code.
  invalidTicket: { status: 401, code: 60011, message: 'Invalid or expired two-factor ticket' },
  methodUnavailable: { status: 400, code: 60002, message: 'This second factor is not available for the account' },
  invalidToken: { status: 400, code: 50055, message: 'Invalid or expired token' },
  invalidHandoff: { status: 400, code: 50057, message: 'Invalid or expired handoff token' },
  forbidden: { status: 403, code: 50013, message: 'Missing Permissions' },
  unknownApplication: { status: 404, code: 10002, message: 'Unknown Application' },
  unknownUser: { status: 404, code: 10013, message: 'Unknown User' },
  unknownProfile: { status: 404, code: 10080, message: 'Unknown Application Identity' },
  unknownWidgetConfig: { status: 404, code: 10081, message: 'Unknown Widget Config' },
  unknownRelationship: { status: 404, code: 10082, message: 'Unknown Relationship' },
  unknownSuggestion: { status: 404, code: 10083, message: 'Unknown Friend Suggestion' },
  usernameNotFound: { status: 400, code: 80004, message: 'No users with this username exist' },
  requestToSelf: { status: 400, code: 80003, message: 'Cannot send friend request to self' },
  requestRefused: { status: 400, code: 80000, message: 'Incoming friend requests disabled' },
  alreadyFriends: { status: 400, code: 80007, message: 'You are already friends with that user' },
  noIncomingRequest: { status: 400, code: 80008, message: 'There is no friend request to accept' },
  relationshipTypeNotAllowed: { status: 400, code: 80009, message: 'This relationship type cannot be set' },
  blockedByYou: { status: 400, code: 80011, message: 'Unblock that user before you send a request' },
} as const satisfies Record<string, PolicyError>

/** Name of an error in {@link Policy.errors}. */
export type ErrorName = keyof typeof defaultErrors

/** An error that becomes the response of a request. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError'
  constructor(
    readonly status: number,
    readonly body: Readonly<Record<string, unknown>>,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(String(body.message))
  }
}

type Errors = Readonly<Record<ErrorName, PolicyError>>

/** Returns the body of an error, a convention: the document does not show one. */
export function errorBody({ code, message }: PolicyError): { code: number; message: string } {
  return { code, message }
}

export function apiError({ errors }: { readonly errors: Errors }, name: ErrorName): ServiceError {
  return new ServiceError(errors[name].status, errorBody(errors[name]))
}

/** How the body of an error is written. The document does not show it. */
export interface ErrorEnvelope {
  /** Field of the body that contains the error, such as `error`; `null`: the body is the error. @default null */
  readonly wrapper: string | null
  /** Name of the field with the code. @default 'code' */
  readonly code: string
  /** Name of the field with the message. @default 'message' */
  readonly message: string
  /** Name of the field with the invalid fields. @default 'errors' */
  readonly errors: string
  /** `tree`: an object with `_errors` at each field. `list`: `{ path, code, message }` of each, `path` such as `a.0.b`. @default 'tree' */
  readonly fieldErrors: 'tree' | 'list'
}

/** Unit of `retry_after`. */
export type RetryAfterUnit = 'seconds' | 'milliseconds'

/** Default envelope. */
export const defaultEnvelope: ErrorEnvelope = {
  wrapper: null,
  code: 'code',
  message: 'message',
  errors: 'errors',
  fieldErrors: 'tree',
}

/** Returns the body of an error as the service writes it. */
export function encodeError(body: Readonly<Record<string, unknown>>, envelope: ErrorEnvelope): object {
  const { code, message, errors, ...others } = body
  const error = {
    ...(code !== undefined && { [envelope.code]: code }),
    [envelope.message]: message,
    ...(errors !== undefined && {
      [envelope.errors]: envelope.fieldErrors === 'list' ? [...listFieldErrors(errors)] : errors,
    }),
    ...others,
  }
  return envelope.wrapper === null ? error : { [envelope.wrapper]: error }
}

/** Reads the body of an error, which may be that of a fault: it may have any shape. */
export function decodeError(body: unknown, { wrapper, ...names }: ErrorEnvelope) {
  const error = Object(wrapper === null ? body : Object(body)[wrapper])
  const errors = error[names.errors]
  const fields = Array.isArray(errors) ? errors.map(Object) : [...listFieldErrors(errors)]
  return { code: error[names.code], message: error[names.message], fields, mfa: error.mfa }
}

/** Returns the body of a 429. */
export function rateLimitBody(
  { retryAfterUnit }: { readonly retryAfterUnit: RetryAfterUnit },
  seconds: number,
  global: boolean,
) {
  const retry_after = retryAfterUnit === 'milliseconds' ? Math.ceil(seconds * 1000) : seconds
  return { message: 'You are being rate limited.', retry_after, global }
}

/** Maximum depth at which a tree of errors is searched. */
const MAX_TREE_DEPTH = 100

function* listFieldErrors(node: unknown, path: readonly string[] = []): Generator<Record<string, unknown>> {
  if (typeof node !== 'object' || node === null || path.length > MAX_TREE_DEPTH) return
  for (const [key, part] of Object.entries(node)) {
    if (key !== '_errors' || !Array.isArray(part)) yield* listFieldErrors(part, [...path, key])
    else for (const { code, message } of part.map(Object)) yield { path: path.join('.'), code, message }
  }
}

export interface FieldError {
  readonly path: readonly (string | number)[]
  readonly code: string
  readonly message: string
}

/** Creates a form error: `errors` has the structure of the body, with `_errors` at each invalid field. */
export function formError({ errors }: { readonly errors: Errors }, fieldErrors: readonly FieldError[]): ServiceError {
  // Without a prototype, because a field may be named `__proto__`.
  const root: ErrorTree = Object.create(null)
  for (const { path, code, message } of fieldErrors) {
    let node = root
    for (const key of path) {
      node[key] ??= Object.create(null)
      // Only this loop adds fields other than `_errors`.
      node = node[key] as ErrorTree
    }
    node._errors = [...(node._errors ?? []), { code, message }]
  }
  return new ServiceError(errors.invalidForm.status, { ...errorBody(errors.invalidForm), errors: root })
}

/** Messages of invalid fields by their codes, which are conventions, too. */
const FIELD_MESSAGES = {
  ACCOUNT_LOGIN_VERIFICATION_EMAIL: 'New login location detected, please check your e-mail.',
  CONSENT_REQUIRED: 'Agreement to the terms is required.',
  EMAIL_ALREADY_REGISTERED: 'Email is already registered.',
  EMAIL_INVALID: 'Email is not an address.',
  FINGERPRINT_ALREADY_USED: 'This fingerprint has an account.',
  INVALID_LOGIN: 'Login or password is invalid.',
  NOT_A_FRIEND: 'Only friends can have a nickname.',
  PASSWORD_DOES_NOT_MEET_REQUIREMENTS: 'Password is too weak.',
  PASSWORD_RESET_REQUIRED: 'Your account is locked. Reset your password to sign in.',
  PHONE_ALREADY_REGISTERED: 'Phone is already registered.',
  PHONE_NOT_ALLOWED: 'This phone number cannot be used.',
  PROMOTIONAL_EMAIL_OPT_IN_REQUIRED: 'State whether you agree to promotional emails.',
  USERNAME_ALREADY_TAKEN: 'Username is unavailable.',
  USERNAME_INVALID: 'Username has no visible character, or an unpaired surrogate.',
} as const

type InvalidField = readonly [field: string, code: keyof typeof FIELD_MESSAGES]

/** Creates the form error of fields by the codes of what is wrong with them. */
export const invalidFields = (policy: { readonly errors: Errors }, ...fields: readonly InvalidField[]): ServiceError =>
  formError(
    policy,
    fields.map(([field, code]) => ({ path: [field], code, message: FIELD_MESSAGES[code] })),
  )

/** Returns the fields that break a rule. */
export const brokenFields = (rules: readonly (readonly [isBroken: boolean, ...InvalidField])[]): InvalidField[] =>
  rules.flatMap(([isBroken, ...field]) => (isBroken ? [field] : []))

/** Converts issues of the contract to field errors. Messages contain no secrets. */
export function fieldErrorsOf(issues: readonly Issue[]): FieldError[] {
  return issues.map(({ path, code, message }) => ({ path, code: code.toUpperCase(), message }))
}

interface ErrorTree {
  _errors?: { code: string; message: string }[]
  [field: string]: unknown
}
