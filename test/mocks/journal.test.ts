import { createMockService } from 'rapport-sdk/mocks'
import { expect, it } from 'vitest'
import { overSockets, setUpGateway, setUpSession, transports } from './gateway-client'
import { baseUrl, password, setUp, start } from './set-up'

const MIB = 2 ** 20

it('the journal records the endpoint, user, parameters, status and time of each request', async () => {
  const { service, ada, as, send } = setUp()
  await as(ada)('GET /users/1/application-identities?with_profiles=true')
  await send('GET /nowhere')
  const headers = { 'content-type': 'application/json' }
  expect(service.journal.requests).toEqual([
    {
      id: 1,
      endpoint: 'Get User Application Identities',
      method: 'GET',
      path: '/users/1/application-identities',
      status: 404,
      user: ada.id,
      params: { with_profiles: 'true' },
      query: { with_profiles: 'true' },
      headers: { authorization: '[redacted]', 'content-type': 'application/json' },
      answer: { headers, body: { code: 10013, message: 'Unknown User' } },
      reason: { source: 'service', code: 10013, message: 'Unknown User', fields: [] },
      fault: null,
      at: start,
      durationMs: 0,
    },
    {
      id: 2,
      endpoint: null,
      method: 'GET',
      path: '/nowhere',
      status: 404,
      user: null,
      params: null,
      query: {},
      headers: { 'content-type': 'application/json' },
      answer: { headers, body: { code: 0, message: expect.stringMatching(/^404: Not Found/) } },
      reason: { source: 'service', code: 0, message: expect.stringMatching(/^404: Not Found/), fields: [] },
      fault: null,
      at: start,
      durationMs: 0,
    },
  ])
})

it('the journal shows each answer without its secrets, and none if there was none', async () => {
  const { service, send } = setUp()
  const { token } = (await send('POST /auth/login', { login: 'ada@example.com', password })).body
  service.faults.on('Get Location Metadata', { html: true, times: 1 })
  await expect(send('GET /auth/location-metadata')).rejects.toThrow()
  service.faults.on('Get Location Metadata', { loseResponse: 'reset' })
  await expect(send('GET /auth/location-metadata')).rejects.toThrow()
  const answers = service.journal.requests.map(({ answer }) => answer)
  expect(answers.map((answer) => answer?.body)).toEqual([
    expect.objectContaining({ token: '[redacted]' }),
    '[not JSON]',
    undefined,
  ])
  expect(JSON.stringify(answers)).not.toContain(token)
})

it('the journal truncates a long answer, and does not parse one of more than 100,000 characters', async () => {
  const { service, send } = setUp()
  const item = { text: 'x'.repeat(600) }
  service.stubs.on('GET /long', { body: Array.from({ length: 100 }, () => item) })
  service.stubs.on('GET /longer', { body: Array.from({ length: 200 }, () => item) })
  await send('GET /long')
  await send('GET /longer')
  const [long, longer] = service.journal.requests.map(({ answer }) => answer?.body)
  expect(long).toEqual([...Array(20).fill({ text: `${'x'.repeat(500)}…` }), '[truncated]'])
  expect(longer).toBe('[truncated]')
})

it('the journal measures a request by the clock of the service', async () => {
  const { service, send } = setUp()
  service.stubs.on('GET /slow', () => {
    service.clock.advance('2s')
    return { body: {} }
  })
  await send('GET /slow')
  expect(service.journal.requests[0]).toMatchObject({ at: start, durationMs: 2000 })
})

it('requests keep the order of their receipt in their numbers, also after a restore', async () => {
  const { service, send } = setUp()
  await send('GET /1')
  const snapshot = service.snapshot()
  service.journal.clear()
  await send('GET /2')
  service.restore(snapshot)
  await send('GET /3')
  expect(service.journal.requests.map(({ id, path }) => [id, path])).toEqual([
    [1, '/1'],
    [2, '/3'],
  ])
})

it('the journal names the fields and the fault because of which a request was refused', async () => {
  const { service, send } = setUp()
  await send('GET /auth/location-metadata')
  await send('POST /auth/login', { login: 'ada@example.com', password: 'wrong password' })
  service.faults.on('Get Location Metadata', { status: 503, body: { errors: { x: { _errors: [null] } } }, times: 1 })
  service.faults.on('Get Location Metadata', { network: true })
  await send('GET /auth/location-metadata')
  await expect(send('GET /auth/location-metadata')).rejects.toThrow()
  const invalid = { code: 'INVALID_LOGIN', message: 'Login or password is invalid.' }
  const undefinedField = { path: 'x', code: 'undefined', message: 'undefined' }
  expect(service.journal.requests.map(({ reason }) => reason)).toEqual([
    null,
    {
      source: 'service',
      code: 50035,
      message: 'Invalid Form Body',
      fields: [
        { path: 'login', ...invalid },
        { path: 'password', ...invalid },
      ],
    },
    { source: 'fault', code: null, message: 'HTTP status 503', fields: [undefinedField] },
    { source: 'fault', code: null, message: 'The service could not be reached.', fields: [] },
  ])
})

it('the journal contains no secret of a request', async () => {
  const { service, ada, as, send } = setUp()
  const secrets = ['s3cret-password', 's3cret-ticket', 's3cret-code', 's3cret-key', 's3cret-print']
  await send('POST /auth/login', { login: 'ada@example.com', password: 's3cret-password' })
  await send('POST /auth/mfa/totp', { ticket: 's3cret-ticket', code: 's3cret-code' })
  await send('POST /auth/register', { username: 'x', fingerprint: 's3cret-print', phone_token: ['s3cret-key'] })
  await send('POST /mfa/finish', { ticket: { nested: 's3cret-ticket' }, mfa_type: 'totp', data: 's3cret-code' })
  await as(ada)('POST /auth/handoff', { key: 's3cret-key' })
  await as(ada)('POST /auth/handoff', '{"key": "s3cret-key"')
  await send('POST /auth/one-time-login?ticket=s3cret-ticket', {})
  const text = JSON.stringify(service.journal.requests)
  for (const secret of secrets) expect(text).not.toContain(secret)
  expect(service.journal.find('Login Account')[0]?.params).toEqual({
    login: 'ada@example.com',
    password: '[redacted]',
  })
})

it('the journal records the headers of a request without their secrets', async () => {
  const { service, send } = setUp()
  const secrets = {
    Authorization: 'Bearer s3cret',
    Cookie: '__Secure-recent_mfa=s3cret',
    'X-Fingerprint': 's3cret',
    'X-Client-Secret': 's3cret',
    'X-Api-Key': 's3cret',
  }
  const others = { 'User-Agent': 'app/1.0', 'Accept-Language': 'de', 'X-Long': 'x'.repeat(1000) }
  const links = { Referer: 'https://app.example/reset?token=s3cret', 'X-Original-URL': '/reset?token=s3cret#s3cret' }
  await send('GET /auth/location-metadata?ticket=s3cret&page=1', undefined, { ...secrets, ...others, ...links })
  const [entry] = service.journal.requests
  expect(JSON.stringify(entry)).not.toContain('s3cret')
  expect(entry?.query).toEqual({ ticket: '[redacted]', page: '1' })
  expect(entry?.headers).toMatchObject({
    authorization: '[redacted]',
    'user-agent': 'app/1.0',
    'accept-language': 'de',
    'x-long': `${'x'.repeat(500)}…`,
    referer: 'https://app.example/reset?[redacted]',
  })
})

it('the journal is empty after clear()', async () => {
  const { service, send } = setUp()
  await send('GET /auth/location-metadata')
  service.journal.clear()
  expect(service.journal.requests).toEqual([])
})

it('the journal keeps the last 1,000 requests', async () => {
  const { service, send } = setUp()
  for (let count = 0; count < 1003; count++) await send(`GET /nowhere/${count}`)
  const { requests, dropped } = service.journal
  expect([requests.length, dropped]).toEqual([1000, 3])
  expect([requests[0]?.path, requests.at(-1)?.path]).toEqual(['/nowhere/3', '/nowhere/1002'])
  expect(service.journal.find('GET /nowhere/2')).toEqual([])
  service.restore(service.snapshot())
  expect(service.journal).toMatchObject({ requests, dropped: 3 })
  service.journal.clear()
  expect(service.journal).toMatchObject({ requests: [], dropped: 0 })
})

it('the journal keeps maxJournalEntries requests, also of a restored snapshot', async () => {
  const { service, send } = setUp({ maxJournalEntries: 2 })
  const all = setUp({ maxJournalEntries: Number.POSITIVE_INFINITY })
  for (const path of ['/1', '/2', '/3'] as const) {
    await send(`GET ${path}`)
    await all.send(`GET ${path}`)
  }
  expect(service.journal.requests.map(({ path }) => path)).toEqual(['/2', '/3'])
  expect(all.service.journal.requests).toHaveLength(3)
  service.restore(all.service.snapshot())
  expect(service.journal.requests.map(({ path }) => path)).toEqual(['/2', '/3'])
  expect(() => createMockService({ maxJournalEntries: 0 })).toThrow('maxJournalEntries: expected an integer')
  expect(() => createMockService({ maxJournalEntries: 1.5 })).toThrow('maxJournalEntries: expected an integer')
})

it('the journal truncates long strings and long requests', async () => {
  const { service, send } = setUp({ strict: false })
  const sent = {
    login: 'ada@example.com',
    password,
    note: 'x'.repeat(1000),
    ['k'.repeat(1000)]: 1,
    list: Array.from({ length: 5000 }, (_, index) => index),
    last: 'last',
  }
  await send('POST /auth/login?q=1', sent)
  const params = service.journal.requests[0]?.params as Record<string, unknown>
  expect(params).toMatchObject({ login: 'ada@example.com', password: '[redacted]', note: `${'x'.repeat(500)}…` })
  expect((params.list as unknown[]).slice(0, 3)).toEqual([0, 1, 2])
  expect((params.list as unknown[]).at(-1)).toBe('[truncated]')
  expect(Object.keys(params).at(-1)).toBe('[truncated]')
  expect(params).not.toHaveProperty('last')
})

it.each<readonly [string, (letters: number) => string]>([
  ['one string', (letters) => JSON.stringify({ login: 'x'.repeat(letters) })],
  ['one name', (letters) => JSON.stringify({ ['x'.repeat(letters)]: 1 })],
  ['empty lists', (letters) => `{"x": [${'[],'.repeat(letters / 3)}[]]}`],
  ['empty objects', (letters) => `{"x": [${'{},'.repeat(letters / 3)}{}]}`],
  ['numbers', (letters) => `[${'1,'.repeat(letters / 2)}1]`],
  ['short names', (letters) => `{${Array.from({ length: letters / 12 }, (_, i) => `"k${i}": 1`).join(',')}}`],
])('the journal stays small if a request has 1 MiB of %s', async (_, make) => {
  const { service, send } = setUp({ strict: false })
  const body = make(MIB - 100)
  expect(Buffer.byteLength(body)).toBeLessThanOrEqual(MIB)
  await send('POST /auth/login', body)
  expect(service.journal.requests).toHaveLength(1)
  expect(JSON.stringify(service.journal.requests).length).toBeLessThan(20_000)
})

it('a token in the path or the query of an unknown route is not in the journal, events or the response', async () => {
  const { service, ada, send } = setUp()
  await send('POST /auth/forgot', { login: 'ada@example.com' })
  service.journal.clear()
  const shown: unknown[] = []
  service.onEvent((event) => shown.push(event))
  for (const token of [service.token(ada), service.mail.last('ada@example.com').token, service.fingerprint()]) {
    shown.push((await send(`GET /reset/${token}?t=${token}&lang=de`)).body)
    shown.push((await send(`GET /login-token/${token.slice(0, 5)}7`)).body)
    expect(JSON.stringify([shown, service.journal.requests])).not.toContain(token.slice(0, 5))
  }
  expect(service.journal.requests[0]).toMatchObject({
    path: '/reset/[redacted]',
    query: { t: '[redacted]', lang: 'de' },
    params: { t: '[redacted]', lang: 'de' },
  })
})

it('words, IDs and the literal path of a stub stay in the journal', async () => {
  const { service, send } = setUp()
  const literal = '/files/2026-report-final-version'
  service.stubs.on(`GET ${literal}`, {})
  const paths = [literal, '/location-metadata/@me/1234567890123456789', '/tokens/refresh']
  for (const path of paths) await send(`GET ${path}?from=2026-01-01T00:00:00.000Z` as 'GET /')
  expect(service.journal.requests.map(({ path }) => path)).toEqual(paths)
  expect(service.journal.requests[0]?.query).toEqual({ from: '2026-01-01T00:00:00.000Z' })
})

it('the journal stays small if a request has a long path, method or query', async () => {
  const { service } = setUp()
  const long = 'x'.repeat(100_000)
  await service.fetch(`${baseUrl}/${long}?${long}=${long}`, { method: long })
  expect(JSON.stringify(service.journal.requests).length).toBeLessThan(10_000)
})

it('the gateway journal keeps maxJournalEntries attempts', async () => {
  const { service, open } = await setUpGateway(overSockets, { maxJournalEntries: 3 })
  for (let count = 0; count < 5; count++) {
    const client = open()
    await client.next()
    client.send(2, { token: 'wrong' })
    await client.closed
  }
  expect(service.gateway.journal).toHaveLength(3)
})

it.each(transports)('the gateway records the frames of each session without tokens, $name', async (transport) => {
  const { service, client, token, ready, emit, connectGrace } = await setUpSession(transport)
  await connectGrace()
  emit(1)
  client.send(1)
  await client.nextEvents()
  const { frames } = service.gateway
  const own = frames.filter(({ session }) => session === ready.session_id)
  expect(own.map(({ from, frame }) => [from, frame])).toEqual([
    ['service', expect.objectContaining({ op: 10 })],
    ['client', { op: 2, d: expect.objectContaining({ token: '[redacted]' }) }],
    ['service', expect.objectContaining({ op: 0, t: 'READY' })],
    ['service', { op: 0, d: { id: '1' }, s: 2, t: 'RELATIONSHIP_ADD' }],
    ['client', expect.objectContaining({ op: 1 })],
    ['service', expect.objectContaining({ op: 11 })],
    ...Array(own.length - 6).fill(expect.anything()),
  ])
  expect(frames.length).toBeGreaterThan(own.length)
  expect(JSON.stringify(frames)).not.toContain(token)
})

it('the gateway shows a frame that is not JSON, bytes, and a long frame without their contents', async () => {
  const { service, open } = await setUpSession(overSockets)
  for (const frame of ['token=0123456789', new Uint8Array(3), `"${'x'.repeat(20_000)}"`]) {
    const client = open()
    await client.next()
    client.socket.send(frame as string)
    await client.closed
  }
  const shown = service.gateway.frames.filter(({ frame }) => typeof frame === 'string')
  expect(shown.map(({ from, session, frame }) => [from, session, frame])).toEqual([
    ['client', null, '[not JSON]'],
    ['client', null, '[not JSON]'],
    ['client', null, '[truncated]'],
  ])
})
