import { RequestValidationError } from '../errors/client-errors'
import { createIssue, type Issue } from '../internal/issue'
import {
  anyValue,
  booleanOption,
  type Checks,
  functionOption,
  objectOption,
  positiveNumber,
  readOptions,
  signalOption,
  validateOptions,
} from '../internal/options'
import { validateGatewayUrl } from '../internal/url'
import { eventMapIssues } from './events'
import { defaultGatewayProtocol, type GatewayProtocol } from './protocol'
import type { GatewaySocketClass } from './socket'

/** How long to wait between attempts to connect. Each wait is random, up to the limits given here. */
export interface GatewayBackoffOptions {
  /**
   * The most before the first attempt after a connection was lost, in milliseconds.
   * @default 100
   */
  readonly firstMs?: number | undefined
  /**
   * The most before the second, in milliseconds; it doubles with each further attempt.
   * @default 1_000
   */
  readonly baseMs?: number | undefined
  /**
   * The most before any, in milliseconds.
   * @default 60_000
   */
  readonly maxMs?: number | undefined
  /**
   * How long a connection must have been ready for the waits to start over when it is lost, in milliseconds.
   * @default 30_000
   */
  readonly stableMs?: number | undefined
}

/** How a client receives events. `url` is the one that must be given. */
export interface GatewayOptions {
  /**
   * Where the Gateway is: wss, or ws on loopback, or ws with `allowInsecureHttp`. May carry a path and a query. The
   * interface does not show it.
   */
  readonly url: string | URL
  /**
   * The class to open sockets with.
   * @default globalThis.WebSocket, looked up when connecting; that of the package `ws` where there is none, and in Node,
   * whose own cannot end a connection whose other end has vanished
   */
  readonly WebSocket?: GatewaySocketClass | undefined
  /**
   * How the gateway speaks.
   * @default defaultGatewayProtocol, a convention
   */
  readonly protocol?: GatewayProtocol | undefined
  /**
   * Whether to connect by itself whenever the session has a token: at once, or when someone signs in.
   * @default false
   */
  readonly connectOnSignIn?: boolean | undefined
  /** How long to wait between attempts. */
  readonly backoff?: GatewayBackoffOptions | undefined
  /**
   * The largest frame that is read, in bytes. A larger one is dropped with a `warning` (`frame_too_large`), and the
   * connection goes on. `Infinity` for no limit.
   * @default 8_388_608, 8 MiB
   */
  readonly maxFrameBytes?: number | undefined
}

/** Options of `stream`. */
export interface GatewayCallOptions {
  /** Ends it; it rejects with the signal's own reason. */
  readonly signal?: AbortSignal | undefined
}

/** Options of `connect`. */
export interface GatewayConnectOptions extends GatewayCallOptions {
  /**
   * How long to wait for the session to start, in milliseconds. Then `connect` rejects with TimeoutError, which says why
   * the last attempt failed, and the gateway stops trying unless another `connect` waits.
   * @default none: it tries until it succeeds
   */
  readonly timeout?: number | undefined
}

/** Options of `waitFor`. */
export interface WaitForOptions<T> extends GatewayCallOptions {
  /** Which event to take; the first unless given. */
  readonly filter?: ((event: T) => boolean) | undefined
  /**
   * How long to wait, in milliseconds.
   * @default none
   */
  readonly timeout?: number | undefined
}

/** The options of a gateway, checked, with their defaults. */
export type GatewayConfig = NonNullable<ReturnType<typeof readGatewayOptions>>

/** What a protocol is made of. */
const PROTOCOL: Checks<GatewayProtocol> = {
  encode: functionOption,
  decode: functionOption,
  identify: functionOption,
  resume: functionOption,
  heartbeat: functionOption,
  classifyClose: functionOption,
  eventMap: (name, given) => [...objectOption(name, given), ...eventMapIssues(name, given)],
}

const BACKOFF: Checks<GatewayBackoffOptions> = {
  firstMs: waitIssues,
  baseMs: waitIssues,
  maxMs: waitIssues,
  stableMs: waitIssues,
}

/** What the options must be, the address aside. */
const CHECKS: Checks<GatewayOptions> = {
  url: anyValue,
  WebSocket: functionOption,
  protocol: protocolIssues,
  connectOnSignIn: booleanOption,
  backoff: anyValue,
  maxFrameBytes: positiveNumber,
}

/** Checks the options of a gateway and fills in defaults. */
export function readGatewayOptions(options: GatewayOptions | undefined, allowInsecure: boolean, issues: Issue[]) {
  if (options === undefined) return undefined
  const found: Issue[] = []
  const { backoff = {}, url, protocol = defaultGatewayProtocol, ...rest } = readOptions(options, CHECKS, found)
  // Of what is no object there is nothing else to tell.
  const problem = found[0]?.path.length === 0 ? undefined : validateGatewayUrl(url, allowInsecure)
  const waits = readOptions(backoff, BACKOFF, found, ['backoff'])
  if (problem !== undefined) found.push(createIssue(['url'], 'invalid_value', problem))
  issues.push(...below('gateway', found))
  if (found.length > 0) return undefined
  const { firstMs = 100, baseMs = 1_000, maxMs = 60_000, stableMs = 30_000 } = waits
  return {
    url: new URL(url),
    allowInsecure,
    WebSocket: rest.WebSocket,
    protocol,
    connectOnSignIn: rest.connectOnSignIn ?? false,
    maxFrameBytes: rest.maxFrameBytes ?? 8 * 1024 * 1024,
    backoff: { firstMs, baseMs, maxMs, stableMs },
  }
}

/** What a protocol lacks. It may be an instance of a class, so what else it has is its own affair. */
function protocolIssues(name: string, given: unknown): Issue[] {
  const isObject = typeof given === 'object' && given !== null
  const parts = Object.keys(PROTOCOL).map((part) => [part, Reflect.get(Object(given), part) ?? null])
  return below(name, validateOptions(isObject ? Object.fromEntries(parts) : given, PROTOCOL))
}

function waitIssues(name: string, given: unknown): Issue[] {
  const isWait = Number.isFinite(given) && Number(given) >= 0
  return isWait ? [] : [createIssue([name], 'invalid_value', 'expected a finite number, 0 or more')]
}

function below(name: string, issues: readonly Issue[]): Issue[] {
  return issues.map((issue) => ({ ...issue, path: [name, ...issue.path] }))
}

export const CONNECT_OPTIONS: Checks<GatewayConnectOptions> = { timeout: positiveNumber, signal: signalOption }

export const CALL_OPTIONS: Checks<GatewayCallOptions> = { signal: signalOption }

export const WAITING_OPTIONS: Checks<WaitForOptions<unknown>> = {
  filter: functionOption,
  timeout: positiveNumber,
  signal: signalOption,
}

/**
 * Checks what a call of the gateway is given.
 * @throws RequestValidationError naming every option that cannot be used.
 */
export function checkCallOptions(name: string, options: unknown, checks: Parameters<typeof validateOptions>[1]): void {
  const issues = validateOptions(options, checks)
  if (issues.length > 0) throw new RequestValidationError(name, issues)
}

/**
 * The address at which the service wants a session to be resumed, or `undefined` where it cannot be used: it may not be
 * less safe than the one that was given.
 */
export function resumeAddress(given: unknown, { url, allowInsecure }: GatewayConfig): string | undefined {
  if (typeof given !== 'string' || validateGatewayUrl(given, allowInsecure) !== undefined) return undefined
  const address = new URL(given)
  if (url.protocol === 'wss:' && address.protocol !== 'wss:') return undefined
  // What the query says, such as a version, holds for every address.
  if (address.search === '') address.search = url.search
  return address.href
}
