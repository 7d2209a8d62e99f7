import type { AddressInfo } from 'node:net'
import { createServer, type Server } from 'node:net'
import fc from 'fast-check'
import { Client, isRapportError } from 'rapport-sdk'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runs } from './arbitraries'
import { anyBytes, outcomeOf } from './responses'

const encoder = new TextEncoder()
let response: readonly Uint8Array[] = []
let server: Server

beforeAll(async () => {
  server = createServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', () => {
      for (const chunk of response) socket.write(chunk)
      socket.end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
})
afterAll(() => new Promise((resolve) => server.close(resolve)))

const line = fc.oneof(
  fc.constantFrom('content-type: application/json', 'content-length: 5', 'content-length: 0', 'content-length: -1'),
  fc.constantFrom('transfer-encoding: chunked', 'content-encoding: gzip', 'content-encoding: br', 'connection: close'),
  fc.constantFrom('retry-after: 9', 'location: /', 'set-cookie: a=b', ': no name', 'no colon', 'a: \u0000', 'é: é'),
)
const status = fc.oneof(fc.integer({ min: 0, max: 999 }), fc.constantFrom(100, 101, 200, 204, 302, 401, 429, 502))
const head = fc
  .tuple(fc.constantFrom('HTTP/1.1', 'HTTP/1.0', 'HTTP/2', 'ICY'), status, fc.array(line, { maxLength: 4 }))
  .map(([version, code, lines]) => encoder.encode([`${version} ${code} Words`, ...lines, '', ''].join('\r\n')))

test('any bytes of a socket resolve to data or throw an error of the package', async () => {
  const bytes = fc.oneof(
    { weight: 4, arbitrary: fc.tuple(head, anyBytes) },
    { weight: 1, arbitrary: fc.tuple(anyBytes) },
  )
  const { port } = server.address() as AddressInfo
  const client = new Client({ baseUrl: `http://127.0.0.1:${port}`, token: 'the-token-of-ada', retry: 0, timeout: 300 })
  await fc.assert(
    fc.asyncProperty(bytes, async (chunks) => {
      response = chunks
      const outcome = await outcomeOf(client.request({ path: '/anything' }))
      if ('error' in outcome) expect(outcome.error).toSatisfy(isRapportError)
    }),
    runs(2),
  )
})
