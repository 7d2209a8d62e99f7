import type { Fetch } from 'rapport-sdk'

/** Headers and body of a request or a response. */
export interface Message {
  readonly headers: Readonly<Record<string, string>>
  /** Empty without a body. */
  readonly body: string
}

/** A request and its outcome. */
export interface Exchange {
  readonly method: string
  /** Path and query. */
  readonly path: string
  readonly request: Message
  /** Absent until it arrives, and without one. */
  response?: Message & { readonly status: number }
  /** Why there is no response. */
  error?: string
  /** Time until the outcome, in milliseconds. */
  durationMs?: number
}

/** Wraps a `fetch`: calls `onStart` with each request, and the function that it returns with the same exchange, once settled. */
export function recordFetch(
  fetch: typeof globalThis.fetch,
  baseUrl: string,
  onStart: (exchange: Exchange) => () => void,
): Fetch {
  return async (url, { headers, body, ...init }) => {
    const exchange: Exchange = {
      method: init.method,
      path: url.replace(baseUrl, ''),
      request: { headers: { ...headers }, body: body ?? '' },
    }
    const onEnd = onStart(exchange)
    const start = performance.now()
    try {
      const response = await fetch(url, { headers, ...init, ...(body !== undefined && { body }) })
      const { status } = response
      // Read here, and again by the client: of this page, even if the mock is in another tab.
      const text = await response.text()
      exchange.response = { status, headers: Object.fromEntries(response.headers), body: text }
      return new Response(text === '' ? null : text, { status, headers: [...response.headers] })
    } catch (error) {
      exchange.error = init.signal?.aborted ? 'The client aborted the request.' : String(error)
      throw error
    } finally {
      exchange.durationMs = performance.now() - start
      onEnd()
    }
  }
}
