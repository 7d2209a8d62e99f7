// Options of `client.gateway` and of its methods, with their checks.
import { RequestValidationError } from '../errors/client-errors'
import { createIssue, type Issue } from '../internal/issue'
import { isObject } from '../internal/json'
import {
  anyValue,
  booleanOption,
  type Checks,
  createCheck,
  functionOption,
  objectOption,
  positiveNumber,
  readOptions,
  signalOption,
  validateGatewayUrl,
} from '../internal/options'
import type { StandardSchema } from '../types/options'
import { type CustomEvent, type DeclaredEvent, validateCustomEvents } from './events'
import { defaultGatewayProtocol, type GatewayProtocol } from './protocol'
import type { GatewaySocketClass } from './socket'

/** Limits of the waits between attempts to connect. Each wait is random, from 0 to the limit. */
export interface GatewayBackoffOptions {
  /**
   * Maximum wait before the first attempt after a connection was lost, in milliseconds.
   * @default 100
   */
  readonly initialDelay?: number | undefined
  /**
   * Maximum wait before the second attempt, in milliseconds; it doubles with each further attempt.
   * @default 1_000
   */
  readonly baseDelay?: number | undefined
  /**
   * Maximum wait before any attempt, in milliseconds. Also limits the random 1,000 to 5,000 ms before a new session after an
   * invalid one. Sessions that end quickly wait longer: in the long run, one starts in 5 seconds.
   * @default 60_000
   */
  readonly maxDelay?: number | undefined
  /**
   * Time that a connection must be ready before its loss starts the waits over, in milliseconds.
   * @default 30_000
   */
  readonly resetAfter?: number | undefined
}

/** Options of the gateway. Only `url` is required. */
export interface GatewayOptions {
  /**
   * URL of the Gateway, with an optional path and query. Must be wss, except on loopback or with `allowInsecureHttp`. The API
   * document does not define it.
   */
  readonly url: string | URL
  /**
   * Class of the sockets.
   * @default globalThis.WebSocket, read on each connect. In Node, and if there is none, the class of the package `ws`: the
   * class of Node cannot close a dead connection
   */
  readonly WebSocket?: GatewaySocketClass | undefined
  /**
   * Wire format.
   * @default defaultGatewayProtocol, a convention
   */
  readonly protocol?: GatewayProtocol | undefined
  /**
   * Whether to connect automatically when the client is created with a token and after each sign-in.
   * @default false
   */
  readonly connectOnSignIn?: boolean | undefined
  /**
   * Events that the API does not name, by their name on the wire; see `CustomEvents`. They are emitted by their `name`,
   * and like any event as `dispatch`. Default: none.
   */
  readonly events?: Readonly<Record<string, CustomEvent>> | undefined
  /** Waits between attempts to connect; each has a default. */
  readonly backoff?: GatewayBackoffOptions | undefined
}

/** Options of `stream`. */
export interface GatewayCallOptions {
  /** Aborts the call, which then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined
}

/** Options of `connect`. */
export interface GatewayConnectOptions extends GatewayCallOptions {
  /**
   * Maximum time until the session starts, in milliseconds. Then `connect` rejects with TimeoutError, which says why the
   * last attempt failed, and the gateway stops retrying unless another `connect` is pending.
   * @default none: retries until it succeeds
   */
  readonly timeout?: number | undefined
}

/** Options of `waitFor`. */
export interface WaitForOptions<T> extends GatewayCallOptions {
  /** Returns whether to resolve with an event. Default: the first event. */
  readonly filter?: ((event: T) => boolean) | undefined
  /**
   * Maximum time to wait, in milliseconds.
   * @default none
   */
  readonly timeout?: number | undefined
}

/** Valid options of a gateway with all defaults filled in. */
export type GatewayConfig = NonNullable<ReturnType<typeof readGatewayOptions>> & {
  /** Absent also if mismatches are ignored. */
  readonly userSchema?: StandardSchema | undefined
}

const validateWait = createCheck(
  'a finite number of at least 0',
  (value) => Number.isFinite(value) && Number(value) >= 0,
)

const BACKOFF_OPTIONS: Checks<GatewayBackoffOptions> = {
  initialDelay: validateWait,
  baseDelay: validateWait,
  maxDelay: validateWait,
  resetAfter: validateWait,
}

const GATEWAY_OPTIONS: Checks<GatewayOptions> = {
  url: anyValue,
  WebSocket: functionOption,
  protocol: objectOption,
  connectOnSignIn: booleanOption,
  events: (name, value) => [...objectOption(name, value), ...validateCustomEvents(name, value)],
  backoff: anyValue,
}

/** Validates the options of a gateway, adds to `issues`, and fills in defaults. Returns `undefined` if they are invalid. */
export function readGatewayOptions(options: GatewayOptions, allowInsecure: boolean, issues: Issue[]) {
  const found: Issue[] = []
  const fields = readOptions(options, GATEWAY_OPTIONS, found, ['gateway'])
  const { backoff = {}, url, protocol = defaultGatewayProtocol, events = {}, ...rest } = fields
  const waits = readOptions(backoff, BACKOFF_OPTIONS, found, ['gateway', 'backoff'])
  // If the options are not an object, that is the only issue.
  const problem = isObject(options) ? validateGatewayUrl(url, allowInsecure) : undefined
  if (problem !== undefined) found.push(createIssue(['gateway', 'url'], 'invalid_value', problem))
  for (const wireName of Object.keys(Object(events))) {
    if (Object.hasOwn(Object(protocol.eventMap), wireName))
      found.push(createIssue(['gateway', 'events', wireName], 'conflict', 'the API has this event'))
  }
  issues.push(...found)
  if (found.length > 0) return undefined
  const { initialDelay = 100, baseDelay = 1_000, maxDelay = 60_000, resetAfter = 30_000 } = waits
  return {
    url: new URL(url),
    allowInsecure,
    WebSocket: rest.WebSocket,
    protocol,
    connectOnSignIn: rest.connectOnSignIn ?? false,
    events: new Map<string, DeclaredEvent>(Object.entries(events)),
    backoff: { initialDelay, baseDelay, maxDelay, resetAfter },
  }
}

export const CONNECT_OPTIONS: Checks<GatewayConnectOptions> = { timeout: positiveNumber, signal: signalOption }
export const CALL_OPTIONS: Checks<GatewayCallOptions> = { signal: signalOption }
export const WAIT_FOR_OPTIONS: Checks<WaitForOptions<unknown>> = {
  filter: functionOption,
  timeout: positiveNumber,
  signal: signalOption,
}

/**
 * Validates the options of a gateway method and returns a copy; see {@link readOptions}.
 * @throws RequestValidationError with every invalid option.
 */
export function readCallOptions<T>(name: string, input: T, checks: Parameters<typeof readOptions>[1]): NonNullable<T> {
  const issues: Issue[] = []
  const options = readOptions(input, checks, issues)
  if (issues.length > 0) throw new RequestValidationError(name, issues)
  return options
}

/**
 * Returns the URL at which the service wants a session to be resumed, or `undefined` if it is invalid or less secure than
 * the URL of the options.
 */
export function resolveResumeUrl(resumeUrl: unknown, { url, allowInsecure }: GatewayConfig): string | undefined {
  if (typeof resumeUrl !== 'string' || validateGatewayUrl(resumeUrl, allowInsecure) !== undefined) return undefined
  const resolved = new URL(resumeUrl)
  if (url.protocol === 'wss:' && resolved.protocol !== 'wss:') return undefined
  // The query, such as a version, applies to every URL.
  if (resolved.search === '') resolved.search = url.search
  return resolved.href
}
