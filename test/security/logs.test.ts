import { Client, type Logger } from 'rapport-sdk'
import { expect, it } from 'vitest'
import { json, mfaRequired, serve } from '../servers/http-server'
import { expectNoSecret, PLANTED, SIGNATURE } from './hostile-values'

interface Details {
  readonly headers: Record<string, string>
  readonly body: unknown
}

/** Returns a logger that records debug lines. */
function recordLines() {
  const lines: { message: string; details: Details }[] = []
  const debug: Logger['debug'] = (message, details) => {
    if (/^rapport: (request|response) /.test(message)) lines.push({ message, details: details as Details })
  }
  return { lines, logger: { debug } }
}

it('debug logs show requests and responses with their secrets redacted', async () => {
  const server = await serve(
    json(
      200,
      { user_id: '100', token: PLANTED.token, user_settings: { locale: 'en', theme: 'dark' } },
      {
        'set-cookie': `__Secure-recent_mfa=${PLANTED.jwt}`,
        'x-trace': 'kept',
      },
    ),
  )
  const { lines, logger } = recordLines()
  const client = new Client({
    baseUrl: server.url,
    fingerprint: PLANTED.fingerprint,
    logger,
    headers: { 'X-Api-Key': PLANTED.ticket, 'X-App': 'kept' },
  })

  await client.auth.login({ login: 'ada@example.test', password: PLANTED.password })

  const [sent, received] = lines
  expect(sent?.message).toMatch(
    /^rapport: request callId=\d+ endpoint="Login Account" method=POST path=\/auth\/login attempt=1$/,
  )
  expect(sent?.details.headers).toMatchObject({
    'x-fingerprint': '[redacted]',
    'x-api-key': '[redacted]',
    'x-app': 'kept',
  })
  expect(sent?.details.body).toEqual({ login: 'ada@example.test', password: '[redacted]' })
  expect(received?.message).toMatch(/^rapport: response .* attempt=1 status=200 durationMs=\d+$/)
  expect(received?.details.headers).toMatchObject({ 'set-cookie': '[redacted]', 'x-trace': 'kept' })
  expect(received?.details.body).toMatchObject({ user_id: '100', token: '[redacted]' })
  expectNoSecret(lines)
})

it('debug logs redact fields of client.request that are named like secrets', async () => {
  const server = await serve(json(200, { access_token: PLANTED.jwt, next: 'kept' }))
  const { lines, logger } = recordLines()
  const client = new Client({ baseUrl: server.url, logger })
  const body = { refresh_token: PLANTED.token, new_password: PLANTED.password, name: 'kept' }
  await client.request({ method: 'POST', path: '/x', auth: 'none', body })
  expect(lines.map(({ details }) => details.body)).toEqual([
    { refresh_token: '[redacted]', new_password: '[redacted]', name: 'kept' },
    { access_token: '[redacted]', next: 'kept' },
  ])
})

it('debug logs redact Authorization, the MFA header under any name, and the bodies of step-up', async () => {
  const server = await serve(
    mfaRequired(PLANTED.ticket, [{ type: 'webauthn', challenge: SIGNATURE }]),
    json(200, { token: PLANTED.jwt }),
    json(200, []),
  )
  const { lines, logger } = recordLines()
  const client = new Client({
    baseUrl: server.url,
    token: PLANTED.token,
    mfaHeader: 'X-Step-Up',
    authorize: (token) => `Bearer ${token}`,
    logger,
    onMfaRequired: () => ({ type: 'password', code: PLANTED.password }),
  })

  await client.relationships.list()

  expect(lines).toHaveLength(6)
  expect(lines[4]?.details.headers).toMatchObject({ authorization: '[redacted]', 'x-step-up': '[redacted]' })
  expect(server.request(2).headers['x-step-up']).toBe(PLANTED.jwt)
  expect(lines[2]?.details.body).toEqual({ ticket: '[redacted]', mfa_type: 'password', data: '[redacted]' })
  expectNoSecret(lines)
})

it('debug logs show the type of a body that is not JSON, but not its content', async () => {
  const server = await serve()
  server.fallback(() => json(200, null))
  const { lines, logger } = recordLines()
  const client = new Client({ baseUrl: server.url, token: 'ada', logger })
  const form = new FormData()
  form.set('note', PLANTED.password)
  const bytes = new TextEncoder().encode(PLANTED.password)
  for (const body of [form, new URLSearchParams({ note: PLANTED.password }), bytes, new Blob([bytes]).stream()]) {
    await client.request({ method: 'POST', path: '/x', body })
  }
  expect(
    lines.filter(({ message }) => message.startsWith('rapport: request')).map(({ details }) => details.body),
  ).toEqual(['[object FormData]', '[object URLSearchParams]', '[object Uint8Array]', '[object ReadableStream]'])
  expectNoSecret(lines)
  expect(JSON.stringify(lines)).not.toContain(`${bytes[0]},${bytes[1]}`)
})

it('debug logs redact a credential that the service returns as an object', async () => {
  const echo = {
    credential: { response: { signature: SIGNATURE } },
    challenge: { challenge: SIGNATURE },
  }
  const server = await serve(json(200, echo))
  const { lines, logger } = recordLines()
  const client = new Client({ baseUrl: server.url, token: 'ada', logger })
  await client.request({ path: '/echo' })
  expectNoSecret(lines)
})

it('debug logs stop at a fixed depth of a body', async () => {
  const deep = `${'{"a":'.repeat(5000)}"${PLANTED.token}"${'}'.repeat(5000)}`
  const server = await serve((response) => {
    response.writeHead(200).end(deep)
  })
  const { lines, logger } = recordLines()
  const client = new Client({ baseUrl: server.url, token: 'ada', logger })
  await client.request({ path: '/deep' })
  expectNoSecret(lines)
})
