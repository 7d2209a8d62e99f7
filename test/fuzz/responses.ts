import fc from 'fast-check'
import { Client, type ClientOptions } from 'rapport-sdk'
import { anyJsonText, anyString } from './arbitraries'

/** A response of a service, valid or not. */
export interface FuzzResponse {
  readonly status: number
  readonly headers: [string, string][]
  readonly chunks: readonly Uint8Array[]
  /** Whether the connection is closed after the last chunk. */
  readonly isTruncated: boolean
}

const BODILESS: ReadonlySet<number> = new Set([204, 205, 304])
const encoder = new TextEncoder()

const headerName = fc.oneof(
  fc.constantFrom('content-type', 'retry-after', 'x-ratelimit-global', 'location', 'set-cookie', 'content-encoding'),
  fc.stringMatching(/^[!#$%&'*+\-.^_`|~0-9A-Za-z]{1,12}$/),
)
const headerValue = fc.oneof(
  fc.constantFrom('application/json', 'text/html', 'true', '0', '1e999', 'Infinity', '-1', 'gzip', ''),
  fc.stringMatching(/^[\t\x20-\x7e\x80-\xff]{0,30}$/),
)

/** Any bytes: empty, random, HTML or JSON. */
export const anyBytes: fc.Arbitrary<Uint8Array> = fc.oneof(
  { weight: 1, arbitrary: fc.constant(new Uint8Array()) },
  { weight: 2, arbitrary: fc.uint8Array({ maxLength: 200 }) },
  { weight: 1, arbitrary: anyString().map((text) => encoder.encode(`<!doctype html>${text}`)) },
  { weight: 6, arbitrary: anyJsonText.map((text) => encoder.encode(text)) },
)

/** Splits bytes into chunks, of which some may be empty. */
export function splitBytes(bytes: Uint8Array, cuts: readonly number[]): Uint8Array[] {
  const ends = [...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length].sort((one, other) => one - other)
  return ends.map((end, index) => bytes.slice(index === 0 ? 0 : ends[index - 1], end))
}

/** Any response. */
export const anyResponse: fc.Arbitrary<FuzzResponse> = fc
  .record({
    status: fc.oneof(fc.integer({ min: 200, max: 599 }), fc.constantFrom(200, 201, 204, 304, 307, 400, 401, 429, 503)),
    headers: fc.array(fc.tuple(headerName, headerValue), { maxLength: 4 }),
    bytes: anyBytes,
    cuts: fc.array(fc.nat(300), { maxLength: 5 }),
    isTruncated: fc.integer({ min: 0, max: 7 }).map((draw) => draw === 0),
  })
  .map(({ bytes, cuts, ...rest }) => ({ ...rest, chunks: splitBytes(bytes, cuts) }))

/** Returns a `Response` whose body arrives in chunks. */
function toResponse({ status, headers, chunks, isTruncated }: FuzzResponse): Response {
  if (BODILESS.has(status)) return new Response(null, { status, headers })
  const rest = [...chunks]
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      const chunk = rest.shift()
      if (chunk !== undefined) controller.enqueue(chunk)
      else if (isTruncated) controller.error(new TypeError('terminated'))
      else controller.close()
    },
  })
  return new Response(body, { status, headers })
}

/** Returns a client without retries that receives this response to every request. */
export function clientFor(response: FuzzResponse, options: Partial<ClientOptions> = {}): Client {
  const fetch = async () => toResponse(response)
  return new Client({ baseUrl: 'https://service.example', token: 'the-token-of-ada', fetch, retry: 0, ...options })
}

/** The result of a settled promise. */
export type Outcome = { readonly data: unknown } | { readonly error: unknown }

/** Waits until a promise settles. */
export function outcomeOf(promise: Promise<unknown>): Promise<Outcome> {
  return promise.then(
    (data) => ({ data }),
    (error: unknown) => ({ error }),
  )
}
