import type { Issue } from '../src/contract/issue'

/** An error as the service answers it. */
export interface PolicyError {
  /** HTTP status. */
  readonly status: number
  /** The `code` of the body. */
  readonly code: number
  /** The `message` of the body, fit to show a user. */
  readonly message: string
}

/**
 * The errors that the service answers. The document gives the codes 20013, 20011 and 60003 and the status of the last;
 * all other codes, statuses and texts are not shown and are conventions of this mock.
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
  // 401, as clients tell by it that a flow has to start again rather than that a code was wrong.
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
  strangerConfirmationRequired: { status: 400, code: 80010, message: 'Confirm that you want to add a stranger' },
} as const satisfies Record<string, PolicyError>

/** The errors that a {@link Policy} words. */
export type ErrorName = keyof typeof defaultErrors

/** An error that ends a request with an answer. */
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

/** The conventional body of an error; the document does not show one. */
export function errorBody({ code, message }: PolicyError): { code: number; message: string } {
  return { code, message }
}

/** The named error, ready to throw. */
export function apiError({ errors }: { readonly errors: Errors }, name: ErrorName): ServiceError {
  return new ServiceError(errors[name].status, errorBody(errors[name]))
}

/** Something wrong with one field, for people and for programs. */
export interface FieldProblem {
  readonly path: readonly (string | number)[]
  readonly code: string
  readonly message: string
}

/** A form body error: `errors` nests as the body does, with `_errors` at each field that is wrong. */
export function formRefusal({ errors }: { readonly errors: Errors }, problems: readonly FieldProblem[]): ServiceError {
  const root: ErrorTree = {}
  for (const { path, code, message } of problems) {
    let node = root
    for (const key of path) node = childOf(node, String(key))
    node._errors = [...(node._errors ?? []), { code, message }]
  }
  return new ServiceError(errors.invalidForm.status, { ...errorBody(errors.invalidForm), errors: root })
}

/** Breaches of the contract as field problems. Their messages name no secret. */
export function problemsOf(issues: readonly Issue[]): FieldProblem[] {
  return issues.map(({ path, code, message }) => ({ path, code: code.toUpperCase(), message }))
}

interface ErrorTree {
  _errors?: { code: string; message: string }[]
  [field: string]: unknown
}

function childOf(node: ErrorTree, key: string): ErrorTree {
  // Defined rather than assigned: a field may be called `__proto__`.
  if (!Object.hasOwn(node, key)) {
    Object.defineProperty(node, key, { value: {}, enumerable: true, writable: true, configurable: true })
  }
  return node[key] as ErrorTree
}
