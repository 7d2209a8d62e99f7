import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { gzipSync } from 'node:zlib'
import { Client, type ClientOptions, isConnectionError, isResponseParseError } from 'rapport-sdk'
import { type UndiciDispatcher, undiciFetch } from 'rapport-sdk/node'
import { Agent, MockAgent, Pool } from 'undici'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import {
  type HttpServer,
  hold,
  json,
  noContent,
  noResponse,
  type Responder,
  serve,
  stallDuringBody,
  text,
} from '../servers/http-server'
import { bundledScript } from '../temporary-files'
import { rejectionOf } from '../transport/rejection'

const exitingProcess = bundledScript('test/exiting-process.ts')

function clientFor({ url }: HttpServer, options: Partial<ClientOptions> = {}): Client {
  return new Client({ baseUrl: url, token: 'ada', retry: 0, fetch: undiciFetch(), ...options })
}

/** Responds like `responder` and adds the port of the client's socket to `ports`. */
const recordPort =
  (ports: (number | undefined)[], responder: Responder): Responder =>
  (response, request) => {
    ports.push(response.socket?.remotePort)
    return responder(response, request)
  }

describe('a request of undiciFetch', () => {
  test('has every kind of body as that of fetch', async () => {
    const server = await serve()
    server.fallback(() => noContent)
    const form = new FormData()
    form.set('name', 'Ada')
    form.set('file', new Blob(['content'], { type: 'text/plain' }), 'file.txt')
    const bodies = (): [string, unknown][] => [
      ['POST', undefined],
      ['POST', { text: 'é 日' }],
      ['POST', form],
      ['POST', new URLSearchParams({ a: 'b c' })],
      ['PUT', new Blob(['blob'], { type: 'text/plain' })],
      ['PATCH', new Uint8Array([0, 1, 2, 255])],
      ['PUT', new Blob(['streamed ', 'content']).stream()],
      ['DELETE', undefined],
      ['DELETE', { reason: 'old' }],
    ]
    const names = [
      'content-type',
      'content-length',
      'transfer-encoding',
      'authorization',
      'accept',
      'user-agent',
      'host',
    ]
    const sentWith = async (options: Partial<ClientOptions>) => {
      const client = clientFor(server, options)
      const first = server.requests.length
      for (const [method, body] of bodies()) {
        await client.request({ method: method as 'POST', path: '/upload', query: { a: ['1', '2'] }, body })
      }
      return server.requests.slice(first).map(({ method, url, headers, body }) => {
        const text = names.map((name) => `${name}: ${headers[name]}`).join('\n')
        return {
          method,
          url,
          sent: `${text}\n\n${body.toString('latin1')}`.replaceAll(/formdata-undici-\d+/g, 'boundary'),
        }
      })
    }

    const sent = await sentWith({})
    expect(sent).toHaveLength(9)
    expect(sent).toEqual(await sentWith({ fetch: globalThis.fetch }))
  })

  test('asks for brotli or gzip, unless a header of the client says otherwise', async () => {
    const server = await serve(json(200, []), json(200, []))
    await clientFor(server).relationships.list()
    await clientFor(server).relationships.list({ headers: { 'accept-encoding': 'identity', 'user-agent': 'app/1' } })
    expect(server.request(0).headers).toMatchObject({ 'accept-encoding': 'br, gzip', 'user-agent': 'node' })
    expect(server.request(1).headers).toMatchObject({ 'accept-encoding': 'identity', 'user-agent': 'app/1' })
  })

  test('a stream that fails rejects the call and closes the connection', async () => {
    const server = await serve()
    const body = new ReadableStream({
      start: (stream) => stream.enqueue(new TextEncoder().encode('first')),
      pull: (stream) => stream.error(new Error('the file was removed')),
    })
    const call = clientFor(server).request({ method: 'PUT', path: '/upload', body })
    expect(await rejectionOf(call, isConnectionError)).toMatchObject({ cause: { message: 'the file was removed' } })
    expect(server.requests).toEqual([])
  })
})

describe('a response to undiciFetch', () => {
  test('has every header, also repeated and Latin-1 ones', async () => {
    const server = await serve((response) => {
      response.setHeader('set-cookie', ['a=1; Path=/', 'b=2'])
      response.setHeader('x-many', ['one', 'two'])
      response.setHeader('x-latin', 'café ÿ')
      response.end(Buffer.from('[]'))
    })
    const { response } = await clientFor(server).relationships.list().withResponse()
    expect(response.headers).toBeInstanceOf(Headers)
    expect(response.headers.getSetCookie()).toEqual(['a=1; Path=/', 'b=2'])
    expect(response.headers.get('X-Many')).toBe('one, two')
    expect(response.headers.get('x-latin')).toBe('café ÿ')
  })

  test('it is not an informational one', async () => {
    const server = await serve((response) => {
      response.writeEarlyHints({ link: '</style.css>; rel=preload' })
      response.end('[]')
    })
    expect(await clientFor(server).relationships.list()).toEqual([])
  })

  test('maxResponseBytes limits the decompressed body, and closes the socket', async () => {
    let closed: Promise<unknown> | undefined
    const bomb: Responder = (response) => {
      closed = once(response, 'close')
      response.writeHead(200, { 'content-encoding': 'gzip' }).write(gzipSync(Buffer.alloc(50_000_000, ' ')))
    }
    const server = await serve(bomb)
    const client = clientFor(server, { maxResponseBytes: 100_000 })
    const { message } = await rejectionOf(client.relationships.list(), isResponseParseError)
    expect(message).toContain('maxResponseBytes')
    await closed
  })

  test('a body that is announced as too large is not read, and its socket closes', async () => {
    let closed: Promise<unknown> | undefined
    const announced: Responder = (response) => {
      closed = once(response, 'close')
      response.writeHead(200, { 'content-length': 1_000_000 }).write('[')
    }
    const server = await serve(announced)
    const { message } = await rejectionOf(
      clientFor(server, { maxResponseBytes: 100_000 }).relationships.list(),
      isResponseParseError,
    )
    expect(message).toContain('maxResponseBytes')
    await closed
  })

  test('the socket of a redirect, which is not followed, closes', async () => {
    let closed: Promise<unknown> | undefined
    const redirect: Responder = (response) => {
      closed = once(response, 'close')
      response.writeHead(302, { location: '/elsewhere' }).write('moved')
    }
    const server = await serve(redirect)
    await rejectionOf(clientFor(server).relationships.list(), isConnectionError)
    await closed
  })

  test('a large body arrives complete, although undici pauses the socket', async () => {
    const rows = Array.from({ length: 40_000 }, (_, index) => ({ id: String(index), text: 'x'.repeat(100) }))
    const server = await serve(json(200, rows))
    expect(await clientFor(server).request({ path: '/rows' })).toEqual(rows)
  })

  test('a response can be read as a whole by a wrapper of undiciFetch', async () => {
    const server = await serve(json(200, ['é']))
    const fetch = undiciFetch()
    const client = clientFor(server, {
      fetch: async (url, init) => {
        const { status, headers, arrayBuffer } = await fetch(url, init)
        return { status, headers, arrayBuffer }
      },
    })
    expect(await client.request({ path: '/x' })).toEqual(['é'])
  })
})

/** Requests a URL with undiciFetch, without a client. */
function get(url: string) {
  const { signal } = new AbortController()
  return undiciFetch()(url, { method: 'GET', headers: {}, redirect: 'manual', signal })
}

describe('undiciFetch without a client', () => {
  test('a body that is left before its end cannot be read further', async () => {
    const server = await serve(text(200, 'x'.repeat(1_000_000)))
    const body = (await get(server.url)).body as AsyncIterable<Uint8Array>
    const reader = body[Symbol.asyncIterator]()
    expect(await reader.next()).toMatchObject({ done: false })
    expect(await reader.return?.()).toEqual({ done: true, value: undefined })
    const readOn = async () => {
      for await (const _ of body);
    }
    await expect(readOn).rejects.toThrow('The operation was aborted')
  })

  test('a body that is read slowly is sent slowly', async () => {
    const size = 64 * 1024 * 1024
    const sent: number[] = []
    const server = await serve()
    server.fallback(() => (response) => {
      const number = server.requests.length
      response.end(Buffer.alloc(size), () => sent.push(number))
    })
    let received = 0
    for await (const chunk of (await get(server.url)).body as AsyncIterable<Uint8Array>) {
      if (received === 0) {
        // Meanwhile another one of this size is sent and received.
        expect((await (await get(server.url)).arrayBuffer()).byteLength).toBe(size)
        await vi.waitFor(() => expect(sent).toEqual([2]))
      }
      received += chunk.byteLength
    }
    expect(received).toBe(size)
  })

  test('an error says which undici to install, one that every supported Node loads', async () => {
    vi.doMock('undici', () => {
      throw new Error("Cannot find package 'undici'")
    })
    onTestFinished(() => vi.doUnmock('undici'))
    await expect(get('http://127.0.0.1:9')).rejects.toMatchObject({
      message: 'undiciFetch needs the package undici: run `npm install undici@7`.',
      cause: expect.any(Error),
    })
  })
})

describe('the sockets of undiciFetch', () => {
  test('calls one after the other reuse their sockets, also after errors and empty responses', async () => {
    const ports: (number | undefined)[] = []
    const kinds = [json(200, []), noContent, json(404, { message: 'nobody' })]
    const responders = [...kinds, ...kinds, ...kinds, ...kinds]
    const server = await serve(...responders.map((responder) => recordPort(ports, responder)))
    const client = clientFor(server)
    for (const _ of responders) await client.request({ path: '/x' }).catch(() => {})
    expect(ports).toHaveLength(12)
    // undici uses a socket again one turn of the event loop after the end of its response, so a call may need a second one.
    expect(new Set(ports).size).toBeLessThanOrEqual(2)
  })

  test('calls at the same time use a socket each', async () => {
    const ports: (number | undefined)[] = []
    const { responder, release } = hold(json(200, []))
    const server = await serve(recordPort(ports, responder), recordPort(ports, responder))
    const client = clientFor(server)
    const calls = [client.relationships.list(), client.relationships.list()]
    await server.waitForRequests(2)
    release()
    await Promise.all(calls)
    expect(new Set(ports).size).toBe(2)
  })

  test.each([
    ['before its response', noResponse],
    ['during its body', stallDuringBody],
  ])('a call that is aborted %s frees its socket, and the next call succeeds', async (_, responder) => {
    const server = await serve(responder, json(200, []))
    const dispatcher = new Pool(server.url, { connections: 1 })
    onTestFinished(() => dispatcher.destroy())
    const client = clientFor(server, { fetch: undiciFetch({ dispatcher }) })
    const control = new AbortController()
    const outcome = client.relationships.list({ signal: control.signal }).catch((reason) => reason)
    await server.waitForRequests(1)
    control.abort('enough')
    expect(await outcome).toBe('enough')
    expect(await client.relationships.list()).toEqual([])
  })

  test('a call that is aborted while it waits for a socket is not sent', async () => {
    const { responder, release } = hold(json(200, []))
    const server = await serve(responder, json(200, []))
    const pool = new Pool(server.url, { connections: 1 })
    onTestFinished(() => pool.destroy())
    const dispatch = vi.fn(pool.dispatch.bind(pool) as UndiciDispatcher['dispatch'])
    const client = clientFor(server, { fetch: undiciFetch({ dispatcher: { dispatch } }) })
    const first = client.relationships.list()
    await server.waitForRequests(1)
    const control = new AbortController()
    const waiting = client.friendSuggestions.list({ signal: control.signal }).catch((reason) => reason)
    await vi.waitFor(() => expect(dispatch).toHaveBeenCalledTimes(2))
    control.abort('enough')
    expect(await waiting).toBe('enough')
    release()
    await first
    await client.relationships.list()
    expect(server.requests.map(({ url }) => url)).toEqual(['/users/@me/relationships', '/users/@me/relationships'])
  })

  test('undiciFetch does not send a request whose signal has aborted', async () => {
    const server = await serve()
    const init = { method: 'GET', headers: {}, redirect: 'manual', signal: AbortSignal.abort('before') } as const
    await expect(undiciFetch()(server.url, init)).rejects.toBe('before')
    expect(server.requests).toEqual([])
  })

  test('calls with a closed dispatcher reject with its error as the cause', async () => {
    const server = await serve(json(200, []))
    const dispatcher = new Agent()
    const client = clientFor(server, { fetch: undiciFetch({ dispatcher }) })
    await client.relationships.list()
    await dispatcher.close()
    const { cause } = await rejectionOf(client.relationships.list(), isConnectionError)
    expect(cause).toMatchObject({ code: 'UND_ERR_DESTROYED' })
  })

  test('a refused connection and a broken one are ConnectionErrors with the code of their cause', async () => {
    const closed = createServer((socket) => socket.destroy())
    await new Promise<void>((resolve) => closed.listen(0, '127.0.0.1', resolve))
    const address = closed.address()
    const port = typeof address === 'object' ? address?.port : undefined
    const client = new Client({ baseUrl: `http://127.0.0.1:${port}`, retry: 0, fetch: undiciFetch() })
    const broken = await rejectionOf(client.relationships.list(), isConnectionError)
    expect(broken.cause).toMatchObject({ code: 'UND_ERR_SOCKET' })
    expect(broken.message).toContain(`no response to GET from http://127.0.0.1:${port}`)
    await new Promise((resolve) => closed.close(resolve))
    const refused = await rejectionOf(client.relationships.list(), isConnectionError)
    expect(refused.cause).toMatchObject({ code: 'ECONNREFUSED' })
  })

  test('idle sockets do not keep a process running', async () => {
    const server = await serve(json(200, []))
    const child = spawn(process.execPath, [exitingProcess(), 'undici', server.url])
    const output = once(child.stdout, 'data')
    const exited = once(child, 'exit')
    expect(String(await output)).toBe('[]\n')
    expect(await exited).toEqual([0, null])
  })
})

test('undiciFetch works with the mocks of undici', async () => {
  const dispatcher = new MockAgent()
  onTestFinished(() => dispatcher.close())
  dispatcher.disableNetConnect()
  dispatcher.get('https://service.example').intercept({ path: '/users/@me/relationships' }).reply(200, [])
  const fetch = undiciFetch({ dispatcher })
  const client = new Client({ baseUrl: 'https://service.example', token: 'ada', retry: 0, fetch })
  expect(await client.relationships.list()).toEqual([])
})
