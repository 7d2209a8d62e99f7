import { request as send } from 'node:http'
import type { ClientOptions } from 'rapport-sdk'

// Deletes the globals that jest-environment-jsdom and React Native lack, loads the entries of the package and makes
// calls. ky needs Request, Headers and TextEncoder. Prints the entries that failed to load and the results of the calls.
const [, , baseUrl = ''] = process.argv
const MISSING = [
  ...['fetch', 'Response', 'FormData', 'Blob', 'File', 'TextDecoder'],
  ...['ReadableStream', 'WritableStream', 'TransformStream', 'CompressionStream', 'DecompressionStream'],
  ...['ReadableStreamDefaultReader', 'TextDecoderStream', 'TextEncoderStream', 'ByteLengthQueuingStrategy'],
  ...['WebSocket', 'MessageEvent', 'CloseEvent', 'MessageChannel', 'BroadcastChannel', 'EventSource'],
  ...['structuredClone', 'crypto', 'Crypto', 'CryptoKey', 'SubtleCrypto', 'navigator', 'localStorage'],
]
// Node loads Request on first use and needs globals that are deleted next.
new Request('https://service.invalid')
for (const name of MISSING) Reflect.deleteProperty(globalThis, name)
Reflect.deleteProperty(AbortSignal.prototype, 'throwIfAborted')

const failures: string[] = []
/** All entries except `mocks/msw`: msw needs `Response` when it is loaded. */
const ENTRIES: Readonly<Record<string, () => Promise<object>>> = {
  index: () => import('rapport-sdk'),
  components: () => import('rapport-sdk/components'),
  webauthn: () => import('rapport-sdk/webauthn'),
  preview: () => import('rapport-sdk/preview'),
  storage: () => import('rapport-sdk/storage'),
  mocks: () => import('rapport-sdk/mocks'),
  'mocks/node': () => import('rapport-sdk/mocks/node'),
}
for (const [name, load] of Object.entries(ENTRIES))
  await load().catch((error) => failures.push(`${name}: ${error?.stack ?? error}`))

/** A `fetch` of the shape that XHR polyfills have. */
const fetch: NonNullable<ClientOptions['fetch']> = (url, { method, headers, body }) =>
  new Promise((resolve, reject) => {
    const request = send(url, { method, headers }, async (incoming) => {
      const chunks: Buffer[] = []
      for await (const chunk of incoming) chunks.push(chunk)
      const { buffer, byteOffset, byteLength } = Buffer.concat(chunks)
      // The minimal interface of headers that a polyfill has.
      const all = new Map(Object.entries(incoming.headers).map(([name, value]) => [name, String(value)]))
      const responseHeaders = {
        get: (name: string) => all.get(name) ?? null,
        forEach: (callback: (value: string, name: string) => void) => all.forEach(callback),
      }
      resolve({
        status: incoming.statusCode ?? 0,
        headers: responseHeaders,
        arrayBuffer: async () => buffer.slice(byteOffset, byteOffset + byteLength) as ArrayBuffer,
      })
    })
    request.on('error', reject)
    request.end(typeof body === 'object' ? Buffer.from(body) : body)
  })

const outcomes: unknown[] = []
if (failures.length === 0) {
  const { Client } = await import('rapport-sdk')
  const onMfaRequired = () => ({ type: 'totp', code: '123456' })
  const logger = { debug: () => {}, warn: () => {} }
  const client = new Client({ baseUrl, token: 'ada', fetch, onMfaRequired, logger })
  const message = (error: unknown) => String(error).split('\n')[0]
  outcomes.push(await client.relationships.list().catch(message))
  outcomes.push(await client.relationships.sendRequest({ username: 'grace', discriminator: null }).catch(message))
  outcomes.push(await client.request({ method: 'POST', path: '/x', body: { a: 'é' } }).catch(message))
  outcomes.push(
    await client.request({ method: 'POST', path: '/x', body: new URLSearchParams({ a: 'é' }) }).catch(message),
  )
  outcomes.push(await client.request({ method: 'POST', path: '/x', body: Uint8Array.of(1, 2) }).catch(message))
  outcomes.push(await client.relationships.list().catch(message))
  outcomes.push(await client.relationships.list().catch(message))
}
process.stdout.write(JSON.stringify({ failures, outcomes }))
