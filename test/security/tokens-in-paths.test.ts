import { Client, type CustomRequest, isRapportError, type RequestOptions } from 'rapport-sdk'
import { expect, it } from 'vitest'

it.each<[string, Partial<CustomRequest>, RequestOptions, number]>([
  ['valid', {}, { token: 'token-of-ada' }, 500],
  ['valid, of the session', { path: '/t/token-of-client' }, {}, 500],
  ['percent-encoded', { path: '/t/token%2Dof%2Dada' }, { token: 'token-of-ada' }, 500],
  ['invalid', { path: '/t/../token-of-ada' }, { token: 'token-of-ada' }, 200],
  ['of a request with an invalid option', {}, { token: 'token-of-ada', timeout: -1 }, 200],
  ['of a request with an invalid query', { query: 5 as never }, { token: 'token-of-ada' }, 200],
])('a token in a path is in no error, event or `inspect`: %s', async (_, request, options, status) => {
  for (const isObserved of [true, false]) {
    const shown: unknown[] = []
    const client = new Client({
      baseUrl: 'https://service.example',
      token: 'token-of-client',
      retry: 0,
      fetch: async () => {
        shown.push(client.inspect())
        return Response.json({}, { status })
      },
    })
    if (isObserved) client.on('callEnd', (event) => shown.push(event))
    const error: unknown = await client
      .request({ path: '/t/token-of-ada', ...request }, options)
      .catch((thrown) => thrown)
    expect(isRapportError(error)).toBe(true)
    shown.push(error, String(error))
    expect(JSON.stringify(shown)).not.toMatch(/token.*-of-|token%2D/)
    expect(String(error)).toContain('[redacted]')
  }
})
