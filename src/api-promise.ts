import { RapportError } from './errors/base'
import { bindMembers } from './internal/bind-members'

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
