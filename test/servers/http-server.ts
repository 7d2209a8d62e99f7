import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { onTestFinished } from 'vitest'

/** A request that the server received. */
export interface RecordedRequest {
  readonly method: string
  /** Path and query, as sent. */
  readonly url: string
  readonly headers: IncomingHttpHeaders
  readonly rawHeaders: readonly string[]
  readonly body: Buffer
  /** Parses the body as JSON. */
  json(): unknown
}

/** Responds to one request. */
export type Responder = (response: ServerResponse, request: RecordedRequest) => void | Promise<void>

/** An HTTP server that sends the responses of its script in order and records the requests. */
export class HttpServer {
  readonly requests: RecordedRequest[] = []
  readonly unexpected: string[] = []
  readonly #script: Responder[] = []
  readonly #waiting: { count: number; resolve: () => void }[] = []
  #fallback: ((request: RecordedRequest) => Responder) | undefined
  // No idle connection closes by itself: what waits for that never ends.
  readonly #server = createServer({ keepAliveTimeout: 0 }, async (incoming, response) => {
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
    const respond = this.#script.shift() ?? this.#fallback?.(request)
    if (respond !== undefined) return respond(response, request)
    this.unexpected.push(`${method} ${url}`)
    response.writeHead(418).end()
  })

  /** Appends responses to the script. */
  respondWith(...responders: Responder[]): this {
    this.#script.push(...responders)
    return this
  }

  /** Chooses the response to every request after the end of the script. */
  fallback(choose: (request: RecordedRequest) => Responder): this {
    this.#fallback = choose
    return this
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  /** Returns the request at `index`, from 0; a negative index counts from the end. */
  request(index = 0): RecordedRequest {
    const request = this.requests.at(index)
    if (request === undefined) throw new Error(`there was no request ${index}, only ${this.requests.length}`)
    return request
  }

  /** Resolves when the server has received `count` requests in all. */
  waitForRequests(count: number): Promise<void> {
    if (this.requests.length >= count) return Promise.resolve()
    return new Promise((resolve) => this.#waiting.push({ count, resolve }))
  }

  /** Listens until the end of the test, which fails if the script had no response for a request. */
  listen(): Promise<this> {
    // Not `afterEach`: files of a worker share this module, which would add the hook to the first of them only.
    onTestFinished(async () => {
      await this.close()
      if (this.unexpected.length > 0) throw new Error(`the script has no response for: ${this.unexpected.join(', ')}`)
    })
    return new Promise((resolve) => this.#server.listen(0, '127.0.0.1', () => resolve(this)))
  }

  close(): Promise<unknown> {
    const closed = new Promise((resolve) => this.#server.close(resolve))
    this.#server.closeAllConnections()
    return closed
  }
}

/** Starts a server that listens until the end of the test. */
export function serve(...responders: Responder[]): Promise<HttpServer> {
  return new HttpServer().respondWith(...responders).listen()
}

/** Responds with JSON. */
export function json(status: number, body: unknown, headers: Record<string, string> = {}): Responder {
  return text(status, JSON.stringify(body), { 'content-type': 'application/json', ...headers })
}

/** Responds with a body as it is. */
export function text(status: number, body: string | Buffer, headers: Record<string, string> = {}): Responder {
  return (response) => {
    response.writeHead(status, headers).end(body)
  }
}

/** Responds with 204. */
export const noContent: Responder = (response) => {
  response.writeHead(204).end()
}

/** Never responds. */
export const noResponse: Responder = () => {}

/** Sends headers and the first byte of a body, and nothing more. */
export const stallDuringBody: Responder = (response) => {
  response.writeHead(200, { 'content-type': 'application/json' }).write('[')
}

/** Closes the connection without a response. */
export const resetConnection: Responder = (response) => {
  response.destroy()
}

/** Closes the connection in the middle of a body, of which 7 bytes are sent. */
export function cutOff(status: number): Responder {
  return (response) => {
    response.writeHead(status, { 'content-length': '100' }).write('[{"id":', () => response.destroy())
  }
}

/** Closes the connection in the middle of the body of a success. */
export const resetDuringBody = cutOff(200)

/** Redirects. */
export function redirect(status: number, location: string): Responder {
  return text(status, '', { location })
}

/** Responds after `ms` milliseconds. */
export function delay(ms: number, responder: Responder): Responder {
  return async (response, request) => {
    await wait(ms)
    await responder(response, request)
  }
}

/** Responds once `release` is called. */
export function hold(responder: Responder): { responder: Responder; release: () => void } {
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  return {
    responder: async (response, request) => {
      await released
      await responder(response, request)
    },
    release,
  }
}

/** Responds with the 60003 that requires a second factor, in the words of the API document. */
export function mfaRequired(
  ticket = 'ticket-one',
  methods: readonly object[] = [{ type: 'totp', backup_codes_allowed: true }],
): Responder {
  const message = 'Two factor is required for this operation'
  return json(401, { message, code: 60003, mfa: { ticket, methods } })
}
