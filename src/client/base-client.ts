import { RapportError } from '../errors/base'
import { RequestValidationError } from '../errors/client-errors'
import { bindMembers } from '../internal/bind-members'
import { createIssue, type Issue } from '../internal/issue'
import { withoutPrototype } from '../internal/json'
import { checkUrl, readHeaders, readOptions } from '../internal/options'
import type { ResumableFlows } from '../mfa/saved-challenge'
import type { CookieSession } from '../session/cookie-session'
import { type Session, SessionManager } from '../session/session'
import { type ClientEvents, createFollowers, Events, type Followers } from '../transport/events'
import { RateLimiter } from '../transport/rate-limit'
import { readRetry } from '../transport/request'
import { plainRetryLoop, type RetryLoop } from '../transport/retry'
import { type StepUp, Transport } from '../transport/transport'
import type { Fetch, TokenStore } from '../types/options'
import { type ClientOptions, CORE_CHECKS, type CoreOptions, requireToken } from './options'
import type { Part, PartContext, PartMembers, PartName } from './parts'

/** A part of any name. */
type AnyPart = Pick<Part<never>, 'checks' | 'defaults' | 'prepare'>

/** Valid options and parts of a client, which clients of other accounts share. */
export interface PreparedClient {
  readonly config: Config
  readonly members: Readonly<Record<string, (context: PartContext) => unknown>>
  /** Names of the members that are created with the client. */
  readonly eager: readonly string[]
  readonly stepUp: StepUp | undefined
  readonly flows: ResumableFlows
  readonly rateLimiter: RateLimiter
  readonly followers: Followers
}

/**
 * Validates the options of a client and prepares its parts.
 * @param retryLoop Loop of clients without a `fetch` of their own.
 * @throws RequestValidationError naming every invalid option.
 */
export function prepareClient(
  name: string,
  input: ClientOptions,
  parts: readonly AnyPart[],
  retryLoop: RetryLoop,
): PreparedClient {
  const issues: Issue[] = []
  const checks = Object.assign({ ...CORE_CHECKS }, ...parts.map((part) => part.checks?.()))
  const options = readOptions(input, checks, issues)
  for (const [option, value] of parts.flatMap(({ defaults }) => Object.entries(defaults ?? {})))
    if (Reflect.get(options, option) === undefined) Reflect.set(options, option, value)
  // The input is not an object: skip the checks below.
  if (issues.some(({ path }) => path.length === 0)) throw new RequestValidationError(name, issues)
  const config = readConfig(options, retryLoop, issues)
  const prepared = parts.map((part) => part.prepare(options, issues))
  if (issues.length > 0) throw new RequestValidationError(name, issues)
  return {
    config,
    members: Object.assign({}, ...prepared.map(({ members }) => members)),
    eager: prepared.flatMap(({ members, isEager }) => (isEager ? Object.keys(members) : [])),
    stepUp: prepared.find(({ stepUp }) => stepUp)?.stepUp,
    flows: Object.assign({}, ...prepared.map(({ flows }) => flows)),
    rateLimiter: new RateLimiter(),
    followers: createFollowers(),
  }
}

const REQUEST_ID_HEADERS = ['x-request-id', 'x-correlation-id', 'x-amzn-requestid', 'cf-ray']

/** Valid options that every client has, with defaults filled in. */
type Config = ReturnType<typeof readConfig>

/** Adds the issues of options that {@link CORE_CHECKS} leave to this function, and fills in defaults. */
function readConfig(options: ClientOptions, retryLoop: RetryLoop, issues: Issue[]) {
  const { timeout = 30_000, deadline = Infinity, maxResponseBytes = 8 * 1024 * 1024, maxConcurrency = 10 } = options
  const { onResponseMismatch = 'report', mfaHeader: header = 'x-service-mfa-authorization' } = options
  const requestIdHeaders = Array.from(options.requestIdHeaders ?? REQUEST_ID_HEADERS)
  const mfaHeader = typeof header === 'string' ? header.toLowerCase() : ''
  const baseUrl = readBaseUrl(options, issues)
  const isCookie = options.session === 'cookie'
  for (const name of isCookie ? (['token', 'tokenStore', 'authorize'] as const) : [])
    if (options[name] !== undefined)
      issues.push(createIssue([name], 'invalid_value', 'the token is in a cookie: omit this option'))
  const cookieSession = isCookie && loadCookieSession(baseUrl.href.replace(/\/$/, ''), mfaHeader, options.fetch)
  return withoutPrototype({
    ...options,
    ...cookieSession,
    userSchema: onResponseMismatch === 'ignore' ? undefined : options.userSchema,
    ...{ timeout, deadline, maxResponseBytes, maxConcurrency, onResponseMismatch, mfaHeader, requestIdHeaders },
    // ky creates `Request` objects and abort signals, which may cost more than the `fetch` of an app.
    retryLoop: options.fetch ? plainRetryLoop : retryLoop,
    retry: readRetry(options.retry, { limit: 2, methods: ['GET'], maxRateLimitWaitMs: 60_000 }, issues),
    baseUrl,
    headers: readHeaders(options.headers, mfaHeader, issues),
  })
}

/** Returns options of a client whose session is a cookie. What they do is loaded on first use: most clients have a token. */
function loadCookieSession(...given: [baseUrl: string, mfaHeader: string, fetch: Fetch | undefined]) {
  let loading: Promise<CookieSession> | undefined
  const load = () => {
    loading ??= import('../session/cookie-session').then(({ CookieSession }) => new CookieSession(...given))
    return loading
  }
  const fetch: Fetch = async (url, init) => (await load()).fetch(url, init)
  const tokenStore: TokenStore = {
    get: async () => (await load()).get(),
    set: async (...records) => (await load()).set(...records),
    subscribe(listener) {
      const subscribed = load().then((session) => session.subscribe(listener))
      return () => void subscribed.then((unsubscribe) => unsubscribe())
    },
  }
  return { fetch, tokenStore }
}

function readBaseUrl({ baseUrl, allowInsecureHttp = false, session }: CoreOptions, issues: Issue[]): URL {
  const addIssue = (problem: string) => issues.push(createIssue(['baseUrl'], 'invalid_value', problem))
  let url: URL
  try {
    // Only a page has a location; a path with two slashes would be another host.
    const isPath = session === 'cookie' && /^\/(?!\/)/.test(String(baseUrl))
    url = new URL(baseUrl, isPath ? globalThis.location?.origin : undefined)
  } catch {
    addIssue('expected the absolute URL of the service, such as "https://service.example/api"')
    return new URL('https://invalid.example')
  }
  checkUrl(url, 'http', allowInsecureHttp, addIssue)
  // Also an empty query or fragment: it would contain the paths that are appended.
  if (/[?#]/.test(url.href)) addIssue('must not contain a query or a fragment')
  return url
}

/**
 * Names the method of a client that returns its {@link ClientCore}. Registered, because an app may load a client and another
 * entry from different builds.
 */
const CORE: unique symbol = Symbol.for('rapport-sdk.core')

/** The state of a client, and the members that its parts add. */
export class ClientCore {
  readonly session: SessionManager
  readonly transport: Transport
  readonly members: PartMembers
  readonly #prepared: PreparedClient
  /** Callbacks of the members created so far. */
  readonly #disposers: (() => void)[] = []
  #isDisposed = false

  constructor(prepared: PreparedClient) {
    const { config, members, eager, stepUp, flows, rateLimiter, followers } = prepared
    const events = new Events(config.logger, followers)
    const session = new SessionManager(config, events.report, events.warn, stepUp?.elevations)
    const transport = new Transport(config, session, events, rateLimiter, stepUp)
    // The clients of `as` share that of their parent, and are often not disposed.
    if (config.rateLimits && !rateLimiter.follower) {
      const follower = config.rateLimits.follow(events.warn)
      rateLimiter.follower = follower
      this.#disposers.push(() => follower.close())
    }
    // A cast, because the members are added by name; the types of parts tie each to its name.
    const created = {} as PartMembers
    const onDispose = (callback: () => void) => {
      if (this.#isDisposed) callback()
      else this.#disposers.unshift(callback)
    }
    for (const [name, create] of Object.entries(members)) {
      const get = () => {
        const value = create({ session, transport, members: created, flows, onDispose })
        Object.defineProperty(created, name, { value })
        return value
      }
      Object.defineProperty(created, name, { get, configurable: true })
    }
    this.#prepared = prepared
    this.session = session
    this.transport = transport
    this.members = created
    for (const name of eager) Reflect.get(created, name)
  }

  /** Returns what a client with another token and the same options is created from. All its members are created on first use. */
  prepareWithToken(token: string, userId: string | undefined): PreparedClient {
    if (this.#prepared.config.session === 'cookie')
      throw new RapportError('client.as: the token of this client is in a cookie, so there is no other one.')
    const changed = { token, userId, tokenStore: undefined, fingerprint: undefined }
    const config = withoutPrototype({ ...this.#prepared.config, ...changed })
    return { ...this.#prepared, config, eager: [] }
  }

  /** Disposes the members, latest first, and then what they use. */
  dispose(): void {
    this.#isDisposed = true
    for (const dispose of this.#disposers) dispose()
    this.transport.dispose()
    this.session.dispose()
  }
}

/**
 * Returns the core of a client.
 * @throws RequestValidationError, of the function `name`, with `issues` of its options, and if it is no client.
 */
export function coreOf(client: BaseClient, name: string, issues: readonly Issue[] = []): ClientCore {
  const core: ClientCore | undefined = Object(client)[CORE]?.()
  const missing = core ? [] : [createIssue(['client'], 'invalid_type', 'expected a client of this package')]
  if (!core || issues.length > 0) throw new RequestValidationError(name, [...issues, ...missing])
  return core
}

/** Parts that add methods to the members of another part, with that part. */
export const NEEDED = {
  live: 'gateway',
  passkeys: 'auth',
  registration: 'auth',
  recovery: 'auth',
} as const satisfies { readonly [Name in PartName]?: PartName }

/** Members of every client, whatever its parts. `Self` is the type of what `as` creates. */
export class BaseClient<Self = unknown> {
  /** The signed-in user's session. */
  readonly session: Session
  readonly #core: ClientCore

  readonly #create: (prepared: PreparedClient) => Self

  /** @internal The members of its parts are created on first use. */
  constructor(prepared: PreparedClient, create: (prepared: PreparedClient) => Self) {
    const core = new ClientCore(prepared)
    this.#core = core
    this.#create = create
    this.session = core.session
    bindMembers(this)
    // A function, so that no console shows the state.
    Object.defineProperty(this, CORE, { value: () => core })
    for (const name of Object.keys(prepared.members)) {
      if (Object.hasOwn(NEEDED, name)) continue
      // Tests of apps replace members by assignment.
      const set = (value: unknown) => Object.defineProperty(this, name, { value, writable: true })
      const get = () => Reflect.get(core.members, name)
      // Enumerable, so that a spread includes them.
      Object.defineProperty(this, name, { get, set, enumerable: true, configurable: true })
    }
  }

  /**
   * Resolves when the stored token is loaded. Calls wait for it automatically. Rejects if the token store fails, or does
   * not return it within the client's `timeout`; calls that need the session's token then reject too, without a request.
   */
  get ready(): Promise<void> {
    return this.#core.session.ready ?? Promise.resolve()
  }

  /**
   * Calls `listener` for each event of a type. An error thrown by the listener does not affect the call: it is passed
   * to `logger.error`, or else becomes an uncaught exception.
   *
   * @returns An unsubscribe function.
   */
  on<K extends keyof ClientEvents>(type: K, listener: (event: ClientEvents[K]) => void): () => void {
    return this.#core.transport.events.on(type, listener)
  }

  /**
   * Creates a client for another account with the same options. It has its own session and never
   * writes to this client's token store. Clients with the same token share rate limits, prompts and verification. With
   * `gateway.connectOnSignIn`, it connects when its `gateway` or a live store is first used; then dispose of it.
   *
   * @param userId ID of the token's user, if you know it: `session.user` is otherwise `null` until the gateway's Ready.
   * @throws RequestValidationError if the token is not a valid header value.
   *
   * @example
   * import { Client } from 'rapport-sdk'
   *
   * const ada = new Client({ baseUrl: 'https://service.example', token: 'the token of Ada' })
   * const grace = ada.as('the token of Grace')
   * await Promise.all([ada.relationships.list(), grace.relationships.list()])
   */
  as(token: string, userId?: string): Self {
    return this.#create(this.#core.prepareWithToken(requireToken('as', token), userId))
  }

  /**
   * Aborts pending requests, closes live stores and disconnects the gateway, whose listeners it removes. No handle keeps the
   * process alive. The client cannot be used again: its calls reject, each with a last `callEnd`.
   */
  dispose(): void {
    this.#core.dispose()
  }

  /** Calls {@link BaseClient.dispose}, for `await using`. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.dispose()
  }
}
