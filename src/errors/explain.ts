import { formatPath, type Issue, removeControls } from '../internal/issue'
import { readField } from '../internal/json'
import {
  isAccountDeletionScheduledError,
  isAccountRecoverableError,
  isApiError,
  isAuthenticationError,
  isMfaRequiredError,
  isNotFoundError,
  isPermissionError,
  isRateLimitError,
  isServerError,
  verificationErrors,
} from './api-errors'
import { DISPOSED, isRapportError } from './base'
import {
  isComponentError,
  isConnectionError,
  isGatewayError,
  isMfaCancelledError,
  isMfaFailedError,
  isRequestValidationError,
  isResponseMismatchError,
  isResponseParseError,
  isWebAuthnError,
} from './client-errors'

/**
 * Next step that an app offers with an explained error:
 *
 * - `ignore`: show nothing. The user cancelled, or the app aborted the call or disposed the client during it.
 * - `edit`: let the user correct the input, with `fields` next to its fields.
 * - `retry`: let the user try again.
 * - `wait`: let the user try again later, after the time that the message says.
 * - `signIn`: show the sign-in page.
 * - `verify`: ask for a second factor with `error.challenge`, then repeat the call.
 * - `otherMethod`: offer another second factor, or the password instead of a passkey.
 * - `restore`: ask the user, then log in again with `undelete: true`.
 * - `reload`: load the data again. The call may have taken effect, or its target is gone.
 * - `dismiss`: only show it; a repetition fails again.
 * - `report`: show it and log the error: the app or the service has a bug.
 */
export type ErrorAction =
  | 'ignore'
  | 'edit'
  | 'retry'
  | 'wait'
  | 'signIn'
  | 'verify'
  | 'otherMethod'
  | 'restore'
  | 'reload'
  | 'dismiss'
  | 'report'

/** An error in words for users; see {@link explain}. */
export interface ErrorExplanation {
  /** Short heading, without a period. */
  readonly title: string
  /** One or two sentences: what happened, and what the user can do. */
  readonly message: string
  /** Problem of each input field, by its path as {@link formatPath} formats it. Empty if no field has a problem. */
  readonly fields: Readonly<Record<string, string>>
  /** Next step that the app offers. */
  readonly action: ErrorAction
}

/** Values for the texts of {@link ErrorWords}. */
export interface ErrorDetails {
  /**
   * Message of the service: that of its field errors if they agree, else the response's; empty if there is none. Of
   * invalid input, the problem of the field if there is only one.
   */
  readonly detail: string
  /** Seconds to wait (`rateLimited`), or number of refused codes (`mfaFailed`). */
  readonly count?: number | undefined
  /**
   * Returns when `count` seconds have passed, such as `in 2 hours` for `en`; `undefined` if it is unknown, or the platform has no
   * `Intl.RelativeTimeFormat`.
   */
  readonly when: (locale: string) => string | undefined
}

/** Title and message of a kind of error. A string replaces the service's message too; a function receives it. */
export interface ErrorText {
  /** Short heading. */
  readonly title: string
  /** Message, or a function that returns it. */
  readonly message: string | ((details: ErrorDetails) => string)
}

/** Kinds of errors that {@link explain} distinguishes, with the texts of each. */
export interface ErrorWords {
  /** The user cancelled, or the app aborted the call. */
  readonly cancelled: ErrorText
  /** Invalid input, found by the client or by the service. */
  readonly invalidInput: ErrorText
  /** Refused for any other reason. */
  readonly refused: ErrorText
  /** Refused sign-in, such as a wrong password. */
  readonly signInFailed: ErrorText
  /** Refused second factor. */
  readonly codeRefused: ErrorText
  /** The ticket of a second factor has expired. */
  readonly codeExpired: ErrorText
  /** The prompt failed after `count` refused codes. */
  readonly mfaFailed: ErrorText
  /** A second factor is required, and nothing asked the user for it. */
  readonly mfaRequired: ErrorText
  /** The token is missing or no longer accepted. */
  readonly signedOut: ErrorText
  /** Status 403. */
  readonly forbidden: ErrorText
  /** Status 404. */
  readonly notFound: ErrorText
  /** Too many requests; `count` is the number of seconds to wait, if known. */
  readonly rateLimited: ErrorText
  /** Sign-in to a disabled account. */
  readonly accountDisabled: ErrorText
  /** Sign-in to an account that is marked for deletion. */
  readonly accountDeleted: ErrorText
  /** Status 5xx. */
  readonly serviceDown: ErrorText
  /** The platform reports that the device is offline. */
  readonly offline: ErrorText
  /** No connection to the service. */
  readonly unreachable: ErrorText
  /** No connection to the service, which may not allow requests from this page (CORS). */
  readonly corsSuspected: ErrorText
  /** Exceeded time limit of a call or a prompt. */
  readonly timeout: ErrorText
  /** The call succeeded, but its response is not readable. */
  readonly unreadable: ErrorText
  /** The device or browser has no passkeys. */
  readonly passkeyUnsupported: ErrorText
  /** Any other failure of a passkey. */
  readonly passkeyFailed: ErrorText
  /** Everything else: a bug. */
  readonly unexpected: ErrorText
  /** Problems of fields, by the code of the issue; `{limit}` stands for its limit. Other codes show the issue's message. */
  readonly fields: Readonly<Partial<Record<Issue['code'], string>>>
}

/** Replacements of the texts of a group. */
export type PartialTexts<T> = { readonly [Name in keyof T]?: T[Name] | undefined }

/** Replacements of single texts; all others stay, also those that are `undefined`. */
export type PartialErrorWords = { readonly [Kind in keyof ErrorWords]?: PartialTexts<ErrorWords[Kind]> | undefined }

/** Options of {@link explain}. */
export interface ExplainOptions {
  /**
   * Texts that replace the default ones, for example in another language.
   * @default English
   */
  readonly words?: PartialErrorWords | undefined
}

const orDetail =
  (text: string) =>
  ({ detail }: ErrorDetails) =>
    detail || text

const WORDS: ErrorWords = {
  // Of an aborted call, nobody knows whether the service has received it.
  cancelled: { title: 'Cancelled', message: 'This was cancelled.' },
  invalidInput: { title: 'Check your input', message: orDetail('Correct the marked fields.') },
  refused: { title: 'That did not work', message: orDetail('The service refused this.') },
  signInFailed: { title: 'Sign-in failed', message: orDetail('Check what you entered and try again.') },
  codeRefused: { title: 'Not accepted', message: orDetail('Check what you entered and try again.') },
  codeExpired: { title: 'Verification expired', message: 'The verification has expired. Start again.' },
  mfaFailed: {
    title: 'Verification failed',
    message: ({ count }) => `${count === 1 ? 'The answer was' : `${count} answers were`} not accepted. Start again.`,
  },
  mfaRequired: { title: 'Verification required', message: 'Confirm that it is you.' },
  signedOut: { title: 'Signed out', message: 'Sign in to continue.' },
  forbidden: { title: 'Not allowed', message: orDetail('You do not have permission to do this.') },
  notFound: { title: 'Not found', message: orDetail('This does not exist or was removed.') },
  rateLimited: {
    title: 'Too many attempts',
    message: ({ when }) => `Try again ${when('en') ?? 'later'}.`,
  },
  accountDisabled: { title: 'Account disabled', message: 'This account is disabled. Do you want to restore it?' },
  accountDeleted: {
    title: 'Account marked for deletion',
    message: 'This account is marked for deletion. Do you want to restore it?',
  },
  serviceDown: { title: 'Service unavailable', message: 'The service has a problem. Try again later.' },
  offline: { title: 'You are offline', message: 'Check your connection and try again.' },
  unreachable: { title: 'No connection', message: 'The service cannot be reached. Try again.' },
  // Users can do nothing about CORS; the error's own message is for developers.
  corsSuspected: { title: 'No connection', message: 'The service cannot be reached. Try again.' },
  timeout: { title: 'Timed out', message: 'This took too long. Try again.' },
  unreadable: { title: 'Unexpected response', message: 'Your change may have been saved. Reload to see.' },
  passkeyUnsupported: {
    title: 'Passkeys unavailable',
    message: 'This device or browser cannot use passkeys here.',
  },
  passkeyFailed: {
    title: 'Passkey failed',
    message: 'The passkey did not work. Try again, or use another method.',
  },
  unexpected: { title: 'Something went wrong', message: 'An unexpected error occurred.' },
  fields: {
    required: 'Required.',
    too_short: 'Enter at least {limit} characters.',
    too_long: 'Enter at most {limit} characters.',
    too_few: 'Choose at least {limit}.',
    too_many: 'Choose at most {limit}.',
  },
}

/** Longest time that a message says: nobody waits for a longer one, which may stand for no end. */
const MAX_WAIT_MS = 604_800_000

const LOGIN = /^Login |^[\w -]+ Login$/
/** Other calls without a token. A 401 refuses what the user entered; of any other call it refuses the token. */
const WITHOUT_TOKEN = /^(?:Authorize|Check|Exchange|Forgot|Get Location|Get Username|Reset|Register|Revert) /

/**
 * Explains any error in words for users: those of this package by class and documented code, with the service's own
 * message if it has one. Never shows a secret or the message of a bug, and throws only what a function in `words` throws.
 *
 * @example
 * import { Client, explain } from 'rapport-sdk'
 *
 * const client = new Client({ baseUrl: 'https://service.example' })
 * try {
 *   await client.auth.login({ login: 'ada@example.com', password: 'correct horse' })
 * } catch (error) {
 *   const { title, message, fields, action } = explain(error)
 *   if (action !== 'ignore') console.log(title, message, fields.password)
 * }
 */
export function explain(thrown: unknown, options?: ExplainOptions): ErrorExplanation {
  // What a handler threw, such as the error of a refused code.
  const error = isMfaCancelledError(thrown) && thrown.cause !== undefined ? thrown.cause : thrown
  const words = readField(options, 'words')
  const { fields, problems } = explainFields(error, readField(words, 'fields'))
  const [kind, action, count] = classify(error, problems.size > 0)
  const texts: PartialTexts<ErrorText> | undefined = readField(words, kind)
  const title = readField(texts, 'title') ?? WORDS[kind].title
  const message = readField(texts, 'message') ?? WORDS[kind].message
  const [problem = ''] = problems.size === 1 ? problems : []
  const detail = problem || (isApiError(error) && problems.size === 0 ? cleanText(error.serviceMessage) : '')
  const when = (locale: string) => (count === undefined ? count : formatWait(count, locale))
  return { title, message: typeof message === 'string' ? message : message({ detail, count, when }), fields, action }
}

/** Returns a time from now in the words of a locale, in the largest unit of which it has one exactly, or at least two. */
export function formatWait(seconds: number, locale: string): string | undefined {
  const has = (size: number) => seconds === size || seconds >= 2 * size
  const [size, unit] = has(3600)
    ? ([3600, 'hour'] as const)
    : has(60)
      ? ([60, 'minute'] as const)
      : ([1, 'second'] as const)
  // Some platforms, such as Hermes, have no such class.
  return Intl.RelativeTimeFormat && new Intl.RelativeTimeFormat(locale).format(Math.ceil(seconds / size), unit)
}

type Classification = readonly [
  kind: Exclude<keyof ErrorWords, 'fields'>,
  action: ErrorAction,
  count?: number | undefined,
]

function classify(error: unknown, hasProblems: boolean): Classification {
  if (isApiError(error)) {
    const { endpoint } = error
    if (isServerError(error)) return ['serviceDown', 'retry']
    if (isRateLimitError(error)) {
      const { retryAfterMs = Infinity } = error
      return ['rateLimited', 'wait', retryAfterMs > MAX_WAIT_MS ? undefined : Math.ceil(retryAfterMs / 1000)]
    }
    if (isAccountRecoverableError(error))
      return [isAccountDeletionScheduledError(error) ? 'accountDeleted' : 'accountDisabled', 'restore']
    if (isMfaRequiredError(error)) return ['mfaRequired', 'verify']
    // By convention, as in the default of `classifyMfaFailure`.
    const isVerification = verificationErrors.has(error)
    if ((isVerification || /^\w+ MFA/.test(endpoint)) && isAuthenticationError(error)) return ['codeExpired', 'retry']
    if (isVerification || endpoint.startsWith('Verify MFA')) return ['codeRefused', 'edit']
    if (LOGIN.test(endpoint)) return ['signInFailed', 'edit']
    if (isAuthenticationError(error) && !WITHOUT_TOKEN.test(endpoint)) return ['signedOut', 'signIn']
    if (hasProblems) return ['invalidInput', 'edit']
    if (isPermissionError(error)) return ['forbidden', 'dismiss']
    return isNotFoundError(error) ? ['notFound', 'reload'] : ['refused', 'dismiss']
  }
  if (isRequestValidationError(error) || isComponentError(error)) return ['invalidInput', 'edit']
  if (isMfaFailedError(error))
    return isAuthenticationError(error.cause) || error.attempts === 0
      ? ['codeExpired', 'retry']
      : ['mfaFailed', 'retry', error.attempts]
  if (isResponseParseError(error) || isResponseMismatchError(error)) return ['unreadable', 'reload']
  if (isWebAuthnError(error)) {
    const { reason } = error
    if (reason === 'cancelled') return ['cancelled', 'ignore']
    return [reason === 'unsupported' ? 'passkeyUnsupported' : 'passkeyFailed', 'otherMethod']
  }
  const reason = isGatewayError(error) ? error.reason : undefined
  if (isConnectionError(error) || reason === 'connection_failed') {
    const isOffline = Object(Reflect.get(globalThis, 'navigator')).onLine === false
    const isBlocked = isConnectionError(error) && error.isCorsSuspected
    return [isOffline ? 'offline' : isBlocked ? 'corsSuspected' : 'unreachable', 'retry']
  }
  // By convention, as in `defaultGatewayProtocol`.
  const isTokenRefused = isGatewayError(error) && error.closeCode === 4004
  if (reason === 'not_signed_in' || isTokenRefused) return ['signedOut', 'signIn']
  const name = nameOf(error)
  // Also the reasons of the platform's signals, `AbortSignal.timeout` among them.
  if (name === 'TimeoutError') return ['timeout', 'retry']
  if (
    name === 'AbortError' ||
    name === 'MfaCancelledError' ||
    reason === 'disconnected' ||
    (isRapportError(error) && error.message === DISPOSED)
  )
    return ['cancelled', 'ignore']
  return ['unexpected', 'report']
}

/** Removes what could forge or reorder the text of a page from a message of the service. */
const cleanText = (text: string) => removeControls(text).trim()

/** Returns the name of an error: the reason of an abort may be anything. */
function nameOf(error: unknown): unknown {
  try {
    return Object(error).name
  } catch {
    return undefined
  }
}

/** Returns the first problem of each field, and all distinct problems. */
function explainFields(error: unknown, words: PartialErrorWords['fields']) {
  const fields = new Map<string, string>()
  const problems = new Set<string>()
  const add = (path: Issue['path'], problem: string) => {
    const field = removeControls(formatPath(path))
    problems.add(problem)
    if (path.length > 0 && !fields.has(field)) fields.set(field, problem)
  }
  if (isApiError(error)) for (const { path, message } of error.fieldErrors) add(path, cleanText(message))
  if (isRequestValidationError(error) || isComponentError(error))
    for (const { path, code, message, limit, severity } of error.issues) {
      const name = code === 'too_short' && limit === 1 ? 'required' : code
      const text = readField(words, name) ?? WORDS.fields[name] ?? cleanText(message)
      if (severity === 'error') add(path, text.replace('{limit}', String(limit)))
    }
  return { fields: Object.fromEntries(fields), problems }
}
