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

async function clientFor(responders: Responder[], options: Partial<ClientOptions> = {}) {
  const server = await serve(...responders)
  return { server, client: new Client({ baseUrl: server.url, token: 'ada', retry: 0, ...options }) }
}

describe('the message of a transport error', () => {
  it.each<[string, Responder, string]>([
    ['is empty', text(200, ''), 'it is empty, expected JSON'],
    ['is HTML', text(200, ' \n<html>'), 'it is HTML or XML, not JSON'],
    ['is cut off', text(200, '[{'), 'it is not valid JSON, or truncated'],
    ['is not UTF-8', text(200, Buffer.from([0x22, 0xff, 0x22])), 'it is not valid UTF-8'],
    ['is too large', text(200, `"${'x'.repeat(100)}"`), 'it is larger than 100 bytes (`maxResponseBytes`)'],
  ])('the error of a successful response that %s names the reason', async (_, responder, reason) => {
    const { client } = await clientFor([responder], { maxResponseBytes: 100 })
    const error = await rejectionOf(client.relationships.list(), isResponseParseError)
    expect(error.message).toBe(
      `Get Relationships succeeded with status 200, but its response cannot be parsed: ${reason}`,
    )
    expect(error).toMatchObject({ status: 200, endpoint: 'Get Relationships' })
  })

  it('the error of a successful response that is cut off names the bytes received', async () => {
    const cut: Responder = (response) => {
      response.writeHead(200, { 'content-length': '100' }).write('[{"id":')
      setTimeout(() => response.destroy(), 20)
    }
    const { client } = await clientFor([cut])
    const error = await rejectionOf(client.relationships.list(), isResponseParseError)
    expect(error.message).toMatch(/: the connection broke after 7 bytes$/)
    expect(error.cause).toBeInstanceOf(Error)
  })

  it('the error of a redirect says to check baseUrl', async () => {
    const { client } = await clientFor([text(307, '', { location: 'https://elsewhere.example' })])
    const error = await rejectionOf(client.relationships.list(), isConnectionError)
    expect(error.message).toBe(
      'Get Relationships: the response is a redirect, which is not followed: it could send secrets to another origin. Check `baseUrl`.',
    )
  })

  it('the error of an unreachable service names its origin', async () => {
    const { server, client } = await clientFor([resetConnection])
    const error = await rejectionOf(client.relationships.list(), isConnectionError)
    expect(error.message).toBe(
      `Get Relationships: no response to GET from ${new URL(server.url).origin}. Check the connection and \`baseUrl\`.`,
    )
    expect(error.cause).toBeInstanceOf(Error)
  })

  it('the error of a call that a known rate limit blocks says which options to raise', async () => {
    const { client, server } = await clientFor([json(429, {}, { 'retry-after': '30' })], { retry: 1 })
    const control = new AbortController()
    const rateLimited = new Promise((resolve) => client.on('rateLimited', resolve))
    const patient = reasonOf(client.relationships.list({ signal: control.signal }))
    await rateLimited
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

  it('the error of a second factor that cannot be obtained names the reason', async () => {
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
    const advice = async (call: Promise<unknown>) =>
      (await rejectionOf(call, isMfaRequiredError)).message.split('\n')[1]

    expect(await advice(client.relationships.list())).toBe('The service named nothing to verify.')
    expect(await advice(client.relationships.list())).toBe(
      'The service asks again although a second factor was verified. Check that nothing on the way, such as a proxy, ' +
        'removes the header x-service-mfa-authorization (`mfaHeader`). Prompts stop for 5 minutes.',
    )
    const body = new Blob(['x']).stream()
    expect(await advice(client.request({ method: 'POST', path: '/upload', body }))).toBe(
      'A stream can be sent once: verify `error.challenge`, then call with a new stream.',
    )
    expect(handler).toHaveBeenCalledTimes(2)
  })

  it('the error of a pending call and of a later one names the disposed client', async () => {
    const { client, server } = await clientFor([noResponse])
    const open = reasonOf(client.relationships.list())
    await server.waitForRequests(1)
    client.dispose()

    const ended = await open
    const later = await rejectionOf(client.relationships.list(), isRapportError)
    expect(String(ended)).toBe('RapportError: The client was disposed.')
    expect(later.message).toBe('Get Relationships: the client was disposed.')
  })
})
