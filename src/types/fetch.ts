/** Sends one request: `globalThis.fetch`, a wrapper of it, or the `fetch` of another library. */
export type Fetch = (url: string, init: FetchInit) => Promise<FetchResponse>

/** Options of a request; a new object without a prototype for each attempt. Not every runtime's types have `RequestInit`. */
export interface FetchInit {
  /** HTTP method, in upper case. */
  method: string
  /** All headers, names in lower case: a plain object that may be spread or changed. */
  headers: Record<string, string>
  /**
   * JSON; absent if the request has no body. A form, blob, buffer or stream of `client.request` is passed on as an
   * ArrayBuffer, Blob or stream. Typed as JSON, the only type on which `fetch`, undici and node-fetch agree.
   */
  body?: string
  /** Aborts by the caller's signal, `timeout`, `deadline` or `client.dispose()`. */
  signal: AbortSignal
  /** The client's `credentials`; absent if it has none. */
  credentials?: 'omit' | 'same-origin' | 'include'
  /** The client refuses redirects: they could send secrets to another origin. */
  redirect: 'manual'
  /** A cache could give one account's response to the next; absent in Cloudflare's workers. */
  cache?: 'no-store'
  /** Present in `auth.logout`, which thus survives the page. */
  keepalive?: true
  /** Present if `body` is a stream, for which `fetch` requires it. */
  duplex?: 'half'
}

/** The properties of a response that the client reads. A `Response` has them all. */
export interface FetchResponse {
  /** HTTP status. */
  readonly status: number
  /** Headers of the response: a `Headers` of any library, whose type need not be iterable. */
  readonly headers: Pick<Headers, 'get'> & {
    /** Calls back with the value and the name of each header. */
    forEach(callback: (value: string, name: string) => void): void
  }
  /**
   * URL of the response.
   * @default the URL of the request
   */
  readonly url?: string
  /** `opaqueredirect` if the platform hides a redirect. */
  readonly type?: string
  /** Whether a redirect was followed; the client refuses such a response. */
  readonly redirected?: boolean
  /** A web stream or an async iterable of bytes. Without one, the body is read with `arrayBuffer`. */
  readonly body?: unknown
  /** Whether the body was read before; the client then rejects a call that needs it. */
  readonly bodyUsed?: boolean
  /** Reads the whole body. */
  arrayBuffer(): Promise<ArrayBuffer>
}
