import { Client, type ClientOptions } from 'rapport-sdk'

/** A call with all its optional fields, and its request and response in the API document. */
export interface WireCase {
  /** The name of the endpoint in the API document. */
  readonly name: string
  /** Makes the call with all its parameters. */
  readonly send: (client: Client) => Promise<unknown>
  readonly method: string
  /** The path and query below the base URL. */
  readonly url: string
  /** Absent if the request has no body. */
  readonly body?: unknown
  /** Whether the token is sent in `Authorization`. */
  readonly authorization: boolean
  /** The body of the response with every field of the document; absent for a 204. */
  readonly response?: unknown
  /** What the call resolves to; absent if it is the response unchanged. */
  readonly result?: unknown
}

/** A request that the client has sent. */
export interface SentRequest {
  readonly method: string
  readonly url: string
  readonly headers: Headers
  readonly text: string
}

export const BASE_URL = 'https://service.example/api/v1'
export const TOKEN = 'the-token-of-ada'

/** Returns a client that receives this response to every request, and the requests. */
export function recordingClient(
  body: unknown,
  options: Partial<ClientOptions> = {},
): { client: Client; sent: SentRequest[] } {
  const sent: SentRequest[] = []
  const record = async (input: RequestInfo | URL, init?: RequestInit): Promise<Response> => {
    const request = new Request(input, init)
    const { method, url, headers } = request
    sent.push({ method, url, headers, text: await request.text() })
    return body === undefined ? new Response(null, { status: 204 }) : Response.json(body)
  }
  const client = new Client({
    baseUrl: BASE_URL,
    token: TOKEN,
    fetch: record,
    onResponseMismatch: 'throw',
    ...options,
  })
  return { client, sent }
}
