import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Witness } from './leaks'
import { runs } from './runs'

const SECRETS = { token: 'planted-token-1f0c', password: 'planted-"password"-2f0c', ticket: 'planted-ticket-3f0c' }

/** What a fetch that is wrapped by others may reject with, each with the request in another place. */
const HIDING_PLACES: Readonly<Record<string, (request: Request, text: string) => unknown>> = {
  'a message': (_, text) => new TypeError(`fetch failed: ${text}`),
  'a text instead of an error': (_, text) => `fetch failed: ${text}`,
  'an object instead of an error': (_, text) => ({ code: 'ECONNRESET', sent: { text } }),
  'nothing at all': () => undefined,
  'a name': (_, text) => Object.assign(new Error('failed'), { name: text }),
  'a code': (_, text) => Object.assign(new Error('failed'), { code: text }),
  'a property': (_, text) => Object.assign(new Error('failed'), { config: { data: [text] } }),
  'the name of a property': (_, text) => Object.assign(new Error('failed'), { [text]: true }),
  'a hidden property': (_, text) => Object.defineProperty(new Error('failed'), 'sent', { value: text }),
  'a symbol’s property': (_, text) => Object.assign(new Error('failed'), { [Symbol('sent')]: text }),
  'the description of a symbol': (_, text) => Object.assign(new Error('failed'), { [Symbol(text)]: 1 }),
  'a value that is a symbol': (_, text) => Object.assign(new Error('failed'), { sent: Symbol(text) }),
  'a request': (request) => Object.assign(new Error('failed'), { request }),
  headers: (request) => Object.assign(new Error('failed'), { headers: request.headers }),
  'a map': (_, text) => Object.assign(new Error('failed'), { sent: new Map([['body', text]]) }),
  'a set': (_, text) => Object.assign(new Error('failed'), { sent: new Set([text]) }),
  'an address': (_, text) =>
    Object.assign(new Error('failed'), { url: new URL(`https://a.example/?${encodeURIComponent(text)}`) }),
  'several errors': (_, text) => new AggregateError([new Error(text)], 'failed'),
  'a stack': (_, text) => Object.assign(new Error('failed'), { stack: `Error: ${text}\n    at fetch` }),
  'a function': (_, text) => Object.assign(new Error('failed'), { retry: Object.assign(() => {}, { text }) }),
  'an error of a class': (_, text) =>
    new (class FetchError extends Error {
      readonly request = { body: text }
    })('failed'),
}

test.each(Object.entries(HIDING_PLACES))('a fetch that fails shows no secret in %s', async (_, fail) => {
  const place = fc.record({
    causes: fc.nat(4),
    inBody: fc.boolean(),
    status: fc.constantFrom(200, 400, 500),
    prefix: fc.string({ maxLength: 5 }),
    secrets: fc.subarray(Object.values(SECRETS), { minLength: 1 }),
  })
  await fc.assert(
    fc.asyncProperty(place, async ({ causes, inBody, status, prefix, secrets }) => {
      const witness = new Witness()
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
      const client = witness.client({ baseUrl: 'https://service.example', token, fetch, retry: 0 })
      const body = { password, ticket }
      await client
        .request({ method: 'POST', path: '/anything', body })
        .catch((error: unknown) => witness.look('an error', error))
      expect(witness.leaksOf(SECRETS)).toEqual([])
    }),
    runs(0.2),
  )
})
