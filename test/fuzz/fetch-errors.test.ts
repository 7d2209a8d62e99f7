import fc from 'fast-check'
import { expect, test } from 'vitest'
import { runs } from './arbitraries'
import { LeakDetector } from './leak-detector'

const SECRETS = { token: 'planted-token-1f0c', password: 'planted-"password"-2f0c', ticket: 'planted-ticket-3f0c' }

/** Errors that a wrapped fetch may reject with; each contains a text in another place. */
const ERRORS: Readonly<Record<string, (request: Request, text: string) => unknown>> = {
  'a message': (_, text) => new TypeError(`fetch failed: ${text}`),
  'a string instead of an error': (_, text) => `fetch failed: ${text}`,
  'an object instead of an error': (_, text) => ({ code: 'ECONNRESET', sent: { text } }),
  undefined: () => undefined,
  'a name': (_, text) => Object.assign(new Error('failed'), { name: text }),
  'a code': (_, text) => Object.assign(new Error('failed'), { code: text }),
  'a property': (_, text) => Object.assign(new Error('failed'), { config: { data: [text] } }),
  'a property name': (_, text) => Object.assign(new Error('failed'), { [text]: true }),
  'a non-enumerable property': (_, text) => Object.defineProperty(new Error('failed'), 'sent', { value: text }),
  'a symbol property': (_, text) => Object.assign(new Error('failed'), { [Symbol('sent')]: text }),
  'a symbol description': (_, text) => Object.assign(new Error('failed'), { [Symbol(text)]: 1 }),
  'a symbol value': (_, text) => Object.assign(new Error('failed'), { sent: Symbol(text) }),
  'a request': (request) => Object.assign(new Error('failed'), { request }),
  headers: (request) => Object.assign(new Error('failed'), { headers: request.headers }),
  'a map': (_, text) => Object.assign(new Error('failed'), { sent: new Map([['body', text]]) }),
  'a set': (_, text) => Object.assign(new Error('failed'), { sent: new Set([text]) }),
  'a URL': (_, text) =>
    Object.assign(new Error('failed'), { url: new URL(`https://a.example/?${encodeURIComponent(text)}`) }),
  'an AggregateError': (_, text) => new AggregateError([new Error(text)], 'failed'),
  'a stack': (_, text) => Object.assign(new Error('failed'), { stack: `Error: ${text}\n    at fetch` }),
  'a function': (_, text) => Object.assign(new Error('failed'), { retry: Object.assign(() => {}, { text }) }),
  'an error of a subclass': (_, text) =>
    new (class FetchError extends Error {
      readonly request = { body: text }
    })('failed'),
}

test.each(Object.entries(ERRORS))('the error of a failed fetch shows no secret from %s', async (_, fail) => {
  const place = fc.record({
    causes: fc.nat(4),
    inBody: fc.boolean(),
    status: fc.constantFrom(200, 400, 500),
    prefix: fc.string({ maxLength: 5 }),
    secrets: fc.subarray(Object.values(SECRETS), { minLength: 1 }),
  })
  await fc.assert(
    fc.asyncProperty(place, async ({ causes, inBody, status, prefix, secrets }) => {
      const detector = new LeakDetector()
      const reasonFor = (request: Request): unknown => {
        let reason = fail(request, prefix + secrets.join(prefix))
        for (let depth = 0; depth < causes; depth++) reason = new Error('failed', { cause: reason })
        return reason
      }
      const fetch: typeof globalThis.fetch = async (input, init) => {
        const reason = reasonFor(new Request(input, init))
        if (!inBody) throw reason
        const pull = (controller: ReadableStreamDefaultController) => controller.error(reason)
        return new Response(new ReadableStream({ pull }), { status })
      }
      const { token, password, ticket } = SECRETS
      const client = detector.createClient({ baseUrl: 'https://service.example', token, fetch, retry: 0 })
      const body = { password, ticket }
      await client
        .request({ method: 'POST', path: '/anything', body })
        .catch((error: unknown) => detector.record('an error', error))
      expect(detector.findLeaks(SECRETS)).toEqual([])
    }),
    runs(0.2),
  )
})
