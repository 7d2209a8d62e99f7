import { once } from 'node:events'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { Client, type ClientOptions, isNotFoundError, isResponseParseError } from 'rapport-sdk'
import { undiciFetch } from 'rapport-sdk/node'
import { expect, test } from 'vitest'
import { type Responder, serve, text } from '../servers/http-server'
import { rejectionOf } from '../transport/rejection'

function clientFor(baseUrl: string, options: Partial<ClientOptions> = {}): Client {
  return new Client({ baseUrl, token: 'ada', retry: 0, fetch: undiciFetch(), ...options })
}

const list = JSON.stringify([{ id: '1', type: 1, nickname: 'x'.repeat(100_000) }])

test.each([
  ['gzip', gzipSync(list)],
  ['GZIP', gzipSync(list)],
  ['x-gzip', gzipSync(list)],
  ['identity', Buffer.from(list)],
  ['br', brotliCompressSync(list)],
])('a body in %s is decompressed', async (encoding, bytes) => {
  const inParts: Responder = (response) => {
    response.writeHead(200, { 'content-encoding': encoding }).write(bytes.subarray(0, 20))
    setTimeout(() => response.end(bytes.subarray(20)), 20)
  }
  const server = await serve(inParts)
  const client = clientFor(server.url, { onResponseMismatch: 'ignore' })
  expect(await client.relationships.list()).toEqual(JSON.parse(list))
})

test('an empty response in gzip has no body', async () => {
  const server = await serve(text(200, '', { 'content-encoding': 'gzip' }), (response) => {
    response.writeHead(204, { 'content-encoding': 'gzip' }).end()
  })
  const client = clientFor(server.url)
  expect(await client.request({ path: '/empty' })).toBeUndefined()
  expect(await client.request({ path: '/empty' })).toBeUndefined()
})

test('a body that does not decompress is a broken response', async () => {
  const server = await serve(text(200, 'not gzip', { 'content-encoding': 'gzip' }))
  await rejectionOf(clientFor(server.url).relationships.list(), isResponseParseError)
})

test.each([
  ['deflate', deflateSync(list)],
  ['gzip, gzip', gzipSync(gzipSync(list))],
  ['constructor', Buffer.from(list)],
])('the error of a body in the encoding %j names it, and the call is not retried', async (encoding, bytes) => {
  let closed: Promise<unknown> | undefined
  const server = await serve((response) => {
    closed = once(response, 'close')
    response.writeHead(200, { 'content-encoding': encoding }).write(bytes)
  })
  const { message } = await rejectionOf(clientFor(server.url, { retry: 2 }).relationships.list(), isResponseParseError)
  expect(message).toBe(
    `Get Relationships succeeded with status 200, but its response cannot be parsed: its Content-Encoding "${encoding}" is not supported; undiciFetch decodes br and gzip`,
  )
  await closed
})

test('a response without a body, or that is an error, may name any encoding', async () => {
  const encoded = { 'content-encoding': 'deflate' }
  const server = await serve(text(204, '', encoded), text(404, deflateSync('{}'), encoded))
  const client = clientFor(server.url)
  expect(await client.request({ path: '/empty' })).toBeUndefined()
  await rejectionOf(client.relationships.list(), isNotFoundError)
})
