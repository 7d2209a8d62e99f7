import type { AbortScope } from '../abort'
import { RapportError } from '../errors/base'
import { bindMembers } from '../internal/bind-members'
import { compileSecrets, issuedSecrets, type Secrets } from '../internal/redact'
import type { Elevation } from '../session/elevation'
import type { SessionManager } from '../session/session'
import type { Fetch } from '../types/fetch'
import type { MfaFailureKind, MfaHandler } from '../types/mfa'
import type { RequestOptions } from '../types/options'
import type { WebAuthnAdapter } from '../webauthn/adapter'
import type { CallInfo, Events } from './events'
import type { RateLimiter } from './rate-limit'
import type { CallDefaults, PreparedCall, readRequestOptions } from './request'
import { type BufferedResponse, decodeFailure } from './response'

/** Options of a client that its calls use. */
export interface TransportConfig extends CallDefaults {
  readonly baseUrl: URL
  /** Headers of every request, names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly authorize: (token: string) => string
  readonly fetch?: Fetch | undefined
  readonly credentials?: 'omit' | 'same-origin' | 'include' | undefined
  readonly maxResponseBytes: number
  readonly onResponseMismatch: 'report' | 'throw' | 'ignore'
  readonly onMfaRequired?: MfaHandler | undefined
  readonly mfaTimeout: number
  readonly classifyMfaFailure: (error: Error) => MfaFailureKind
  readonly webauthn: WebAuthnAdapter
}

/** State of a client that its calls share. */
export interface CallContext {
  readonly config: TransportConfig
  readonly session: SessionManager
  readonly events: Events
  readonly rateLimiter: RateLimiter
}

/** A call on its way. */
export interface Call {
  readonly prepared: PreparedCall
  readonly options: RequestOptions
  readonly limits: Omit<ReturnType<typeof readRequestOptions>, 'options'>
  readonly scope: AbortScope
  /** The token it was made with; it keeps it, whatever becomes of the session meanwhile. */
  readonly token: string | null
  readonly elevation: Elevation
  /** Requests sent so far. */
  attempts: number
  /** How many prompts had failed when the first of them was sent. */
  failuresBefore: number
  /** The verification JWT that the last of them carried. */
  jwt: string | undefined
  /** Secrets in the headers of all of them. */
  readonly sent: Set<string>
}

/** What events say of a call. */
export function callInfo({ prepared, attempts }: Call): CallInfo {
  return { endpoint: prepared.name, method: prepared.method, path: prepared.path, attempt: attempts }
}

/** By answer, or by what the call has sent, with how much that was. */
const compiled = /*@__PURE__*/ new WeakMap<object, { readonly secrets: Secrets; readonly size: number }>()

/** What a call has carried, and what its answer issues, that must not be shown. */
export function secretsOf(call: Call, answer?: BufferedResponse): Secrets {
  const { sent } = call
  const known = compiled.get(answer ?? sent)
  if (known?.size === sent.size) return known.secrets
  const issued = answer ? issuedSecrets(decodeFailure(answer)) : []
  const secrets = answer && issued.length === 0 ? secretsOf(call) : compileSecrets(listSecrets(call), issued)
  compiled.set(answer ?? sent, { secrets, size: sent.size })
  return secrets
}

/** The secrets of {@link secretsOf}, for those who know of others. */
export function listSecrets({ prepared, token, sent }: Call, answer?: BufferedResponse): string[] {
  const issued = answer ? issuedSecrets(decodeFailure(answer)) : []
  return [...sent, ...prepared.secrets, ...(token === null ? [] : [token]), ...issued]
}

/** What callers are told of the answer that a call ended with. */
export function responseInfo({ attempts, jwt }: Call, { status, headers, url }: BufferedResponse): ResponseInfo {
  return { status, headers, url, attempts, elevated: jwt !== undefined }
}

/** The facts of the answer that a call ended with. */
export interface ResponseInfo {
  /** HTTP status. */
  readonly status: number
  /** Headers of the answer. */
  readonly headers: Headers
  /** URL that was asked. */
  readonly url: string
  /** How many requests the call took: retries, waits and replays included. */
  readonly attempts: number
  /** Whether the request carried the verification JWT of a second factor. */
  readonly elevated: boolean
}

/** The data of a call with the facts of its answer. */
export interface WithResponse<T> {
  /** What the promise itself resolves with. */
  data: T
  /** The facts of the answer. */
  response: ResponseInfo
}

/** A promise of a call's data, which also gives the facts of the answer when asked for. */
export class ApiPromise<T> extends Promise<T> {
  readonly #outcome: Promise<WithResponse<T>> | undefined

  /** @internal `then` and the like give plain promises: they have no answer of their own. */
  static override get [Symbol.species](): PromiseConstructor {
    return Promise
  }

  /** @internal Takes an executor like any promise, which `ApiPromise.resolve`, `all` and the like rely on. */
  constructor(executor: ConstructorParameters<typeof Promise<T>>[0], outcome?: Promise<WithResponse<T>>) {
    super(executor)
    this.#outcome = outcome
    bindMembers(this, Promise.prototype)
  }

  /**
   * The data with the facts of the answer. Rejects with a `RapportError` if the promise was not returned by a call.
   *
   * @example
   * import { Client } from 'rapport-sdk'
   *
   * const client = new Client({ baseUrl: 'https://service.example', token: 'a token' })
   * const { data, response } = await client.relationships.list().withResponse()
   * console.log(data.length, response.status, response.attempts)
   */
  withResponse(): Promise<WithResponse<T>> {
    const outcome = this.#outcome
    // Also marks the rejection of this promise as handled: its caller takes the other one.
    const own = this.then(() => {
      throw new RapportError('This promise was not returned by a call, so there is no response.')
    })
    if (!outcome) return own
    own.catch(() => {})
    return outcome
  }
}

/** Returns the promise of a call. */
export function callPromise<T>(outcome: Promise<WithResponse<T>>): ApiPromise<T> {
  return new ApiPromise((resolve, reject) => {
    outcome.then(({ data }) => resolve(data), reject)
  }, outcome)
}
