import {
  Client,
  type ClientOptions,
  isConnectionError,
  isMfaRequiredError,
  isRapportError,
  isRateLimitError,
  isResponseParseError,
} from 'rapport-sdk'
import { describe, expect, it, vi } from 'vitest'
import { json, mfaRequired, noResponse, type Responder, resetConnection, serve, text } from '../servers/http-server'
import { reasonOf, rejectionOf } from './rejection'

async function clientFor(answers: Responder[], options: Partial<ClientOptions> = {}) {
  const server = await serve(...answers)
  return { server, client: new Client({ baseUrl: server.url, token: 'ada', retry: 0, ...options }) }
}

describe('a failure says why', () => {
  it.each<[string, Responder, string]>([
    ['is empty', text(200, ''), 'it is empty where JSON is due'],
    ['is HTML', text(200, ' \n<html>'), 'it is HTML or XML, not JSON'],
    ['is cut off', text(200, '[{'), 'it is no JSON, or breaks off'],
    ['is no text', text(200, Buffer.from([0x22, 0xff, 0x22])), 'it is no UTF-8 text'],
    ['is too large', text(200, `"${'x'.repeat(100)}"`), 'it is larger than 100 bytes (`maxResponseBytes`)'],
  ])('the error names a success that %s', async (_, answer, words) => {
    const { client } = await clientFor([answer], { maxResponseBytes: 100 })
    const error = await rejectionOf(client.relationships.list(), isResponseParseError)
    expect(error.message).toBe(`Get Relationships succeeded with status 200, but its answer cannot be read: ${words}`)
    expect(error).toMatchObject({ status: 200, endpoint: 'Get Relationships' })
  })

  it('the error names a success that breaks off', async () => {
    const cut: Responder = (response) => {
      response.writeHead(200, { 'content-length': '100' }).write('[{"id":')
      setTimeout(() => response.destroy(), 20)
    }
    const { client } = await clientFor([cut])
    const error = await rejectionOf(client.relationships.list(), isResponseParseError)
    expect(error.message).toMatch(/: the connection broke after 7 bytes$/)
    expect(error.cause).toBeInstanceOf(Error)
  })

  it('the error names a redirect', async () => {
    const { client } = await clientFor([text(307, '', { location: 'https://elsewhere.example' })])
    const error = await rejectionOf(client.relationships.list(), isConnectionError)
    expect(error.message).toBe(
      'Get Relationships: the answer is a redirect, which is not followed: it could carry secrets elsewhere. Check `baseUrl`.',
    )
  })

  it('the error names a service that cannot be reached', async () => {
    const { server, client } = await clientFor([resetConnection])
    const error = await rejectionOf(client.relationships.list(), isConnectionError)
    expect(error.message).toBe(
      `Get Relationships: no answer to GET from ${new URL(server.url).origin}. Check the connection and \`baseUrl\`.`,
    )
    expect(error.cause).toBeInstanceOf(Error)
  })

  it('the error names the rate limit that another call has met', async () => {
    const { client, server } = await clientFor([json(429, {}, { 'retry-after': '30' })], { retry: 1 })
    const control = new AbortController()
    const told = new Promise((resolve) => client.on('rateLimited', resolve))
    const patient = reasonOf(client.relationships.list({ signal: control.signal }))
    await told
    const impatient = client.relationships.list({ retry: { maxRateLimitWaitMs: 1000 } })
    const error = await rejectionOf(impatient, isRateLimitError)
    control.abort()
    await patient
    expect(error.message).toMatch(
      /^Get Relationships failed with status 429\nNo request was sent: the service has asked to wait, and `limit` or `maxRateLimitWaitMs` is too low\. Try again in \d+ ms\.$/,
    )
    expect(error).toMatchObject({ status: 429, global: false, fieldErrors: [], body: undefined })
    expect(server.requests).toHaveLength(1)
  })

  it('the error names a second factor that cannot be obtained', async () => {
    const handler = vi.fn(() => ({ type: 'totp', code: '123456' }) as const)
    const { client } = await clientFor(
      [
        json(401, { code: 60003, message: 'Two factor is required', mfa: { ticket: 5 } }),
        mfaRequired('one'),
        json(200, { token: 'jwt' }),
        mfaRequired('two'),
        json(200, { token: 'jwt-2' }),
        mfaRequired('three'),
        mfaRequired('four'),
      ],
      { onMfaRequired: handler },
    )
    const words = async (call: Promise<unknown>) => (await rejectionOf(call, isMfaRequiredError)).message.split('\n')[1]

    expect(await words(client.relationships.list())).toBe('The service named nothing to verify.')
    expect(await words(client.relationships.list())).toBe(
      'The service asks again although a second factor was verified. Check that nothing on the way, such as a proxy, ' +
        'removes the header x-service-mfa-authorization (`mfaHeader`). Prompts stop for 5 minutes.',
    )
    const body = new Blob(['x']).stream()
    expect(await words(client.request({ method: 'POST', path: '/upload', body }))).toBe(
      'A stream can be sent once: verify `error.challenge`, then call with a new stream.',
    )
    expect(handler).toHaveBeenCalledTimes(2)
  })

  it('the error names the disposed client, for a pending call and a later one', async () => {
    const { client, server } = await clientFor([noResponse])
    const open = reasonOf(client.relationships.list())
    await server.waitForRequests(1)
    client.dispose()

    const ended = await open
    const refused = await rejectionOf(client.relationships.list(), isRapportError)
    expect(String(ended)).toBe('RapportError: The client was disposed.')
    expect(refused.message).toBe('Get Relationships: the client was disposed.')
  })
})

describe('the logger', () => {
  it('the logger receives warnings under the name of their event, and the errors of listeners', async () => {
    const logger = { warn: vi.fn(), error: vi.fn() }
    const { client } = await clientFor([json(503, {}), json(200, [{ id: 5 }])], { retry: 1, logger })
    client.on('request', () => {
      throw new Error('mine')
    })
    await client.relationships.list()
    expect(logger.warn.mock.calls.map(([message]) => message)).toEqual(['rapport: retry', 'rapport: responseMismatch'])
    expect(logger.warn.mock.calls[0]?.[1]).toMatchObject({ endpoint: 'Get Relationships', status: 503, attempt: 1 })
    expect(logger.error.mock.calls).toEqual([
      ['rapport: a listener threw', new Error('mine')],
      ['rapport: a listener threw', new Error('mine')],
    ])
  })
})
