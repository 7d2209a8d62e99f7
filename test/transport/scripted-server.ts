import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

/** A request as it came over the wire. */
export interface RecordedRequest {
  readonly method: string
  /** Path and query, as sent. */
  readonly url: string
  readonly headers: IncomingHttpHeaders
  readonly rawHeaders: readonly string[]
  readonly body: Buffer
  /** The body read as JSON. */
  json(): unknown
}

/** What a server does with one request. */
export type Answer = (response: ServerResponse, request: RecordedRequest) => void | Promise<void>

/** A real server that gives the answers of its script in order, and keeps what it was asked. */
export class ScriptedServer {
  readonly requests: RecordedRequest[] = []
  readonly unexpected: string[] = []
  readonly #queue: Answer[] = []
  readonly #waiting: { count: number; resolve: () => void }[] = []
  #fallback: ((request: RecordedRequest) => Answer) | undefined
  readonly #server = createServer(async (incoming, response) => {
    const { method = '', url = '', headers, rawHeaders } = incoming
    const chunks: Buffer[] = []
    try {
      for await (const chunk of incoming) chunks.push(chunk)
    } catch {
      return
    }
    const body = Buffer.concat(chunks)
    const request = { method, url, headers, rawHeaders, body, json: () => JSON.parse(body.toString()) }
    this.requests.push(request)
    for (const { count, resolve } of this.#waiting) if (this.requests.length >= count) resolve()
    const answer = this.#queue.shift() ?? this.#fallback?.(request)
    if (answer !== undefined) return answer(response, request)
    this.unexpected.push(`${method} ${url}`)
    response.writeHead(418).end()
  })

  /** Appends answers to the script. */
  answer(...answers: Answer[]): this {
    this.#queue.push(...answers)
    return this
  }

  /** Says what to do once the script is over. */
  otherwise(choose: (request: RecordedRequest) => Answer): this {
    this.#fallback = choose
    return this
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  /** The nth request, from 0. */
  request(index = 0): RecordedRequest {
    const request = this.requests.at(index)
    if (request === undefined) throw new Error(`there was no request ${index}, only ${this.requests.length}`)
    return request
  }

  /** Resolves when so many requests have come. */
  received(count: number): Promise<void> {
    if (this.requests.length >= count) return Promise.resolve()
    return new Promise((resolve) => this.#waiting.push({ count, resolve }))
  }

  /** Listens until the test is over, which fails if a request had no answer. */
  listen(): Promise<this> {
    // Not `afterEach`: files of a worker share this module, which would add the hook to the first of them only.
    onTestFinished(async () => {
      await this.close()
      if (this.unexpected.length > 0) throw new Error(`the script had no answer for: ${this.unexpected.join(', ')}`)
    })
    return new Promise((resolve) => this.#server.listen(0, '127.0.0.1', () => resolve(this)))
  }

  close(): Promise<unknown> {
    const closed = new Promise((resolve) => this.#server.close(resolve))
    this.#server.closeAllConnections()
    return closed
  }
}

/** A server that listens until the test is over. */
export function serve(...answers: Answer[]): Promise<ScriptedServer> {
  return new ScriptedServer().answer(...answers).listen()
}
