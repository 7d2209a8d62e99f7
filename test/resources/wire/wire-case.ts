import { Client, type ClientOptions } from 'rapport-sdk'

/** A call with all its optional fields, and what the document says of its request and its answer. */
export interface WireCase {
  /** The document's name of the call. */
  readonly name: string
  /** Makes the call, with everything that it takes. */
  readonly send: (client: Client) => Promise<unknown>
  readonly method: string
  /** Below the base address, with the query. */
  readonly url: string
  /** Absent where no body is due. */
  readonly body?: unknown
  /** Whether the token travels in `Authorization`. */
  readonly authorization: boolean
  /** What the service answers: every field of the document. 204 where absent. */
  readonly answer?: unknown
  /** What the call resolves with, where that is not the answer as it is. */
  readonly result?: unknown
}

/** A request, as it left the client. */
export interface SentRequest {
  readonly method: string
  readonly url: string
  readonly headers: Headers
  readonly text: string
}

export const BASE_URL = 'https://service.example/api/v1'
export const TOKEN = 'the-token-of-ada'

/** A client whose requests are kept, and which the service answers one thing. */
export function recordingClient(
  answer: unknown,
  options: Partial<ClientOptions> = {},
): { client: Client; sent: SentRequest[] } {
  const sent: SentRequest[] = []
  const record = async (input: RequestInfo | URL, init?: RequestInit): Promise<Response> => {
    const request = new Request(input, init)
    const { method, url, headers } = request
    sent.push({ method, url, headers, text: await request.text() })
    return answer === undefined ? new Response(null, { status: 204 }) : Response.json(answer)
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
