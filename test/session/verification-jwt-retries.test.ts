import { Client, isApiError, isMfaCancelledError, type MfaHandler, type RetryOptions } from 'rapport-sdk'
import { describe, expect, it } from 'vitest'
import { json, mfaRequired, noContent, type Responder, serve } from '../servers/http-server'
import { CODE, MFA_HEADER } from '../servers/step-up-service'
import { rejectionOf } from '../transport/rejection'

const unavailable = json(503, {})
const limited = json(429, { message: 'slow down' }, { 'retry-after': '0.3' })
const verified = (jwt: string) => json(200, { token: jwt })
const factor = { ticket: 'ticket', mfa_type: 'totp', data: CODE }
const answer: MfaHandler = () => ({ type: 'totp', code: CODE })

/** Returns a client that holds a verification JWT. `sent` returns the tokens of the requests since then. */
async function elevatedClient(...responders: Responder[]) {
  const server = await serve(verified('jwt-of-ada'), ...responders)
  const client = new Client({ baseUrl: server.url, token: 'ada', retry: { limit: 2 } satisfies RetryOptions })
  await client.mfa.finish(factor)
  const sent = () => server.requests.slice(1).map(({ headers }) => [headers.authorization, headers[MFA_HEADER]])
  return { server, client, sent }
}

describe('the verification JWT of a retried request', () => {
  it.each<[string, 'retry' | 'rateLimited', Responder, string | null]>([
    ['a retry after a sign-out', 'retry', unavailable, null],
    ['a retry after a change of account', 'retry', unavailable, 'grace'],
    ['a request after a rate limit and a sign-out', 'rateLimited', limited, null],
    ['a request after a rate limit and a change of account', 'rateLimited', limited, 'grace'],
  ])('it is not sent once it is stale by %s, which keeps its token', async (_, event, wait, next) => {
    const { client, sent } = await elevatedClient(wait, json(200, []))
    client.on(event, () => client.session.setToken(next))

    const { response } = await client.relationships.list().withResponse()

    expect(sent()).toEqual([
      ['ada', 'jwt-of-ada'],
      ['ada', undefined],
    ])
    expect(response).toMatchObject({ attempts: 2, elevated: false })
  })

  it('it is not sent after a rate limit if the session ended meanwhile', async () => {
    const { client, sent } = await elevatedClient(limited, json(200, []), json(200, []))
    const signedOut = new Promise<void>((resolve) => {
      client.on('rateLimited', () => {
        waiting.push(client.relationships.list())
        setImmediate(() => resolve(client.session.setToken(null)))
      })
    })
    const waiting: Promise<unknown>[] = [client.relationships.list()]

    await signedOut
    await Promise.all(waiting)

    expect(sent()).toEqual([
      ['ada', 'jwt-of-ada'],
      ['ada', undefined],
      ['ada', undefined],
    ])
  })

  it('it is not sent by the retry of a replay once the session has ended', async () => {
    const server = await serve(mfaRequired(), verified('jwt-of-ada'), unavailable, json(200, []))
    const client = new Client({ baseUrl: server.url, token: 'ada', onMfaRequired: answer })
    client.on('retry', () => client.session.setToken(null))

    await client.relationships.list()

    expect(server.requests.map(({ headers }) => headers[MFA_HEADER])).toEqual([
      undefined,
      undefined,
      'jwt-of-ada',
      undefined,
    ])
  })

  it('a call opens no prompt for a new verification after the session has ended', async () => {
    const server = await serve(mfaRequired(), verified('jwt-of-ada'), unavailable, mfaRequired())
    const client = new Client({ baseUrl: server.url, token: 'ada', onMfaRequired: answer })
    client.on('retry', () => client.session.setToken('grace'))

    await rejectionOf(client.relationships.list(), isMfaCancelledError)

    expect(server.requests).toHaveLength(4)
  })

  it('it is sent if another call obtained it while the request waited', async () => {
    const server = await serve(limited, verified('fresh'), json(200, []))
    const client = new Client({ baseUrl: server.url, token: 'ada' })
    client.on('rateLimited', () => client.mfa.finish(factor))

    const { response } = await client.relationships.list().withResponse()

    expect(server.requests.map(({ headers }) => headers[MFA_HEADER])).toEqual([undefined, undefined, 'fresh'])
    expect(response.elevated).toBe(true)
  })

  it('it is not shown by an error that echoes that of an earlier attempt', async () => {
    const { client } = await elevatedClient(limited, json(400, { message: 'the JWT was jwt-of-ada' }))
    client.on('rateLimited', () => client.session.setToken(null))

    const error = await rejectionOf(client.relationships.list(), isApiError)

    expect(error.serviceMessage).not.toContain('jwt-of-ada')
  })

  it('it is sent with every attempt of a form, which keeps its content type', async () => {
    const { server, client } = await elevatedClient(unavailable, noContent)
    const body = new FormData()
    body.set('name', 'value')

    await client.request({ method: 'POST', path: '/upload', body }, { retry: { methods: ['POST'] } })

    for (const { headers } of server.requests.slice(1)) {
      expect(headers[MFA_HEADER]).toBe('jwt-of-ada')
      expect(headers['content-type']).toMatch(/^multipart\/form-data; boundary=/)
    }
  })
})

it('a retry carries no fingerprint after a sign-in', async () => {
  const server = await serve(unavailable, json(200, { country_code: 'US' }))
  const client = new Client({ baseUrl: server.url, fingerprint: 'fingerprint-one' })
  client.on('retry', () => client.session.setToken('ada'))

  await client.auth.getLocationMetadata()

  expect(server.requests.map(({ headers }) => headers['x-fingerprint'])).toEqual(['fingerprint-one', undefined])
  expect(server.requests.map(({ headers }) => headers.authorization)).toEqual([undefined, undefined])
})
