import type { FetchResponse } from './fetch'

/** An answer with its body read. */
export interface RawResponse {
  readonly status: number
  readonly headers: Headers
  readonly url: string
  readonly body: Uint8Array
  /** Why the body is not whole, if it is not. */
  readonly flaw?: { readonly reason: string; readonly cause?: unknown; readonly isConnection: boolean }
}

/** Reads a body, no more of it than `maxBytes`. A body that breaks off is a flaw of the answer, not an error yet. */
export async function read(
  response: FetchResponse,
  requestUrl: string,
  maxBytes: number,
  redactCause: (cause: unknown) => unknown,
): Promise<RawResponse> {
  const { status, headers, url } = response
  const chunks: Uint8Array[] = []
  let size = 0
  let flaw: RawResponse['flaw']
  const refuseSize = () => {
    flaw = { reason: `it is larger than ${maxBytes} bytes (\`maxResponseBytes\`)`, isConnection: false }
  }
  try {
    if (Number(headers.get('content-length')) > maxBytes) {
      refuseSize()
      discard(response)
    } else {
      for await (const chunk of chunksOf(response)) {
        size += chunk.byteLength
        if (size > maxBytes) {
          refuseSize()
          break
        }
        chunks.push(chunk)
      }
    }
  } catch (cause) {
    flaw = { reason: `the connection broke after ${size} bytes`, cause: redactCause(cause), isConnection: true }
  }
  return {
    status,
    // Typed by what the client uses of them: libraries have classes of their own.
    headers: headers as Headers,
    url: url || requestUrl,
    body: chunks.length === 1 && chunks[0] ? chunks[0] : join(chunks),
    ...(flaw && { flaw }),
  }
}

/** The body in pieces: of a web stream, of an async iterable (node-fetch), or whole (React Native, XHR polyfills). */
async function* chunksOf(response: FetchResponse): AsyncGenerator<Uint8Array> {
  const { body, status } = response
  if (isWebStream(body)) {
    const reader = body.getReader()
    try {
      // Not every platform iterates over its streams.
      for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value
    } finally {
      // Of a stream that failed or has ended there is nothing to cancel, which is no news.
      reader.cancel().catch(() => {})
    }
  } else if (isIterable(body)) yield* body
  else if (status !== 204) yield new Uint8Array(await response.arrayBuffer())
}

/** Gives up a body that nobody reads. */
export function discard({ body }: FetchResponse): void {
  if (isWebStream(body)) body.cancel().catch(() => {})
  else if (isNodeStream(body)) body.destroy()
}

const isWebStream = (body: unknown): body is ReadableStream<Uint8Array> => has(body, 'getReader')
const isNodeStream = (body: unknown): body is { destroy(): void } => has(body, 'destroy')
const isIterable = (body: unknown): body is AsyncIterable<Uint8Array> => has(body, Symbol.asyncIterator)
const has = (body: unknown, name: string | symbol) => typeof body === 'object' && body !== null && name in body

function join(chunks: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(chunks.reduce((size, { byteLength }) => size + byteLength, 0))
  let offset = 0
  for (const chunk of chunks) {
    whole.set(chunk, offset)
    offset += chunk.byteLength
  }
  return whole
}
