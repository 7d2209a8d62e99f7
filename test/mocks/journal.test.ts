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

it('the gateway shows a frame that is no JSON, bytes, and a long frame without their contents', async () => {
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

/** Sets up a service that holds or has issued a secret of each kind; some of them are no longer valid. */
async function setUpSecrets() {
  const { service, ada, grace, as, send } = setUp()
  const linusPassword = 'a "password" of Linus'
  const mfa = ['totp', 'backup', 'sms'] as const
  const login = 'linus@example.com'
  const linus = service.users.create({ login, username: 'linus', password: linusPassword, phone: '+12025550123', mfa })
  const asLinus = as(linus)
  await send('POST /auth/forgot', { login: 'ada@example.com' })
  await send('POST /auth/register/phone', { phone: '+12025550188' })
  const { ticket } = (await send<{ ticket: string }>('POST /auth/login', { login, password: linusPassword })).body
  await send('POST /auth/mfa/sms/send', { ticket })
  const required = await asLinus<{ mfa: { ticket: string } }>('POST /auth/sessions/logout', {
    session_id_hashes: ['x'],
  })
  const data = service.users.totp(linus)
  const step = { ticket: required.body.mfa.ticket, mfa_type: 'totp', data }
  const { token: jwt } = (await asLinus<{ token: string }>('POST /mfa/finish', step)).body
  const ended = service.token(grace)
  service.users.remove(grace)
  const [backup = '', used = ''] = service.users.backupCodes(linus)
  const again = (await send<{ ticket: string }>('POST /auth/login', { login, password: linusPassword })).body.ticket
  expect((await send('POST /auth/mfa/backup', { ticket: again, code: used })).status).toBe(200)
  const secrets = {
    'the token of a session': service.token(ada),
    'the token of an application': service.token(ada, { oauth2: service.applications.create({ owner: ada }) }),
    'the token of an account that was removed': ended,
    'a token in a mail': service.mail.last('ada@example.com').token,
    'a verification token': service.users.verificationToken(ada),
    'a fingerprint': service.fingerprint(),
    'a ticket': ticket,
    'a ticket that was used': again,
    'a verification JWT': jwt,
    'a password': linusPassword,
    'a backup code': backup,
    'a backup code that was used': used,
    'a TOTP code': data,
    'a TOTP secret': service.users.totpSecret(linus),
    'a code for a phone number': service.sms.last('+12025550188', 'phone_verification').code,
    'a code of a second factor': service.sms.last('+12025550123', 'mfa').code,
    'the token of a suspended account': service.users.suspend(linus),
  }
  service.journal.clear()
  return { service, ada, as, send, secrets }
}

it('a secret that the service holds or has issued is not in the journal and events, wherever it was sent', async () => {
  const { service, ada, as, send, secrets } = await setUpSecrets()
  const shown: unknown[] = []
  service.onEvent((event) => shown.push(event))
  const asAda = as(ada)
  service.stubs.on('POST /echo/{x}', ({ params }) => ({ status: 400, body: { code: 1, message: `no ${params.x}` } }))
  for (const [kind, secret] of Object.entries(secrets)) {
    const inUrl = encodeURIComponent(secret)
    const inHeader = JSON.stringify(secret).slice(1, -1)
    await send(`GET /auth/location-metadata?x=${inUrl}&${inUrl}&${inUrl}=1&y=<${inUrl}>`)
    await send('POST /auth/login', { login: secret, password, extra: [{ [secret]: `is ${secret}!` }], [secret]: 1 })
    await send('POST /auth/forgot', { login: JSON.stringify({ secret }) })
    await asAda(`PUT /users/@me/relationships/${inUrl}`, {})
    await asAda(`PUT /users/@me/relationships/${[...secret].map(percent).join('')}`, {})
    await send(`POST /echo/${inUrl}?lang=${inUrl}&${inUrl}`, { note: secret, [secret]: secret })
    const headers = { 'X-Custom': `is ${inHeader}`, 'User-Agent': inHeader, Accept: `text/html;q=${inHeader}` }
    await send('GET /auth/location-metadata', undefined, headers)
    await send('GET /auth/location-metadata', undefined, { 'X-Custom': inUrl, Referer: `https://app.example/${inUrl}` })
    const text = JSON.stringify([service.journal.requests, shown])
    expect([kind, service.journal.requests.length, text.length > 1000]).toEqual([kind, 8, true])
    for (const form of [secret, inUrl, inHeader, JSON.stringify(inHeader).slice(1, -1)]) {
      expect([kind, text.indexOf(form)]).toEqual([kind, -1])
    }
    service.journal.clear()
    shown.length = 0
  }
})

const percent = (letter: string) => `%${letter.charCodeAt(0).toString(16).padStart(2, '0')}`

it('a code that the service holds is redacted as a number and as a word, not as a part of another number', async () => {
  const { service, send } = setUp({ strict: false })
  await send('POST /auth/register/phone', { phone: '+12025550188' })
  const { code } = service.sms.last('+12025550188', 'phone_verification')
  await send('POST /auth/login', { login: `${code}0`, password, code: 1, number: Number(code), id: `1${code}` })
  expect(service.journal.find('Login Account')[0]?.params).toMatchObject({
    login: `${code}0`,
    number: '[redacted]',
    id: `1${code}`,
  })
})

it('secrets of a restored snapshot and of other namespaces are not in the journal', async () => {
  const { service, ada, send } = setUp()
  const token = service.token(ada)
  const forked = service.fork(JSON.parse(JSON.stringify(service.snapshot())))
  const inFork = forked.token(ada)
  const restored = setUp()
  restored.service.restore(service.snapshot())
  await send(`GET /auth/location-metadata?x=${inFork}&y=${token}`)
  await restored.send(`GET /auth/location-metadata?x=${token}`)
  expect(service.journal.requests[0]?.query).toEqual({ x: '[redacted]', y: '[redacted]' })
  expect(restored.service.journal.requests.at(-1)?.query).toEqual({ x: '[redacted]' })
  service.restore(service.snapshot())
  await forked.close()
  await send(`GET /auth/location-metadata?x=${inFork}&y=${token}`)
  expect(service.journal.requests.at(-1)?.query).toEqual({ x: '[redacted]', y: '[redacted]' })
})

it('names of fields, literal paths and endpoints stay in the journal, even if a password reads the same', async () => {
  const { service, send } = setUp()
  for (const word of ['location-metadata', 'username', 'metadata'])
    service.users.create({ login: `${word}@example.com`, password: word })
  await send('GET /auth/location-metadata?username=ada')
  const [entry] = service.journal.find('GET /auth/location-metadata')
  expect(entry).toMatchObject({ path: '/auth/location-metadata', query: { username: 'ada' } })
})

it.each([
  ['?ToKeN=s3cret', { query: { ToKeN: '[redacted]' } }],
  ['?a=1;token=s3cret', { query: { a: '1;token=[redacted]' } }],
  ['?session=s3cret&sig=s3cret&refresh=s3cret&PHPSESSID=s3cret', { query: { sig: '[redacted]' } }],
  [';token=s3cret', { path: '/unlisted/x;token=[redacted]' }],
  ['/user:s3cret@host', { path: '/unlisted/x/[redacted]@host' }],
  ['?to=user:s3cret@host', { query: { to: '[redacted]@host' } }],
  ['?to=https://user:s3cret@host/', { query: { to: 'https://[redacted]@host/' } }],
  ['/session/s3cret', { path: '/unlisted/x/session/[redacted]' }],
  ['?abcdefgh1s3cret2abcdefgh=1', { query: { '[redacted]': '1' } }],
  ['?maxTokens=3&tokenType=bearer&page=2', { query: { maxTokens: '3', tokenType: 'bearer', page: '2' } }],
] as const)(
  'on a path that the document does not list, the journal shows %s without its secret',
  async (rest, shown) => {
    const { service, send } = setUp()
    await send(`GET /unlisted/x${rest}`)
    expect(service.journal.requests[0]).toMatchObject(shown)
    expect(JSON.stringify(service.journal.requests)).not.toContain('s3cret')
  },
)

it('a parameter of the query that was sent more than once is an array in the journal, in faults and in templates', async () => {
  const { service, send } = setUp()
  service.stubs.on('GET /guilds', { body: { all: '{{query.a}}', one: '{{query.b}}' } })
  service.faults.on('GET /guilds', { status: 503, match: { params: { a: ['1', 2] } }, times: 1 })
  expect((await send('GET /guilds?a=1&a=2&b=3')).status).toBe(503)
  expect((await send('GET /guilds?a=1&a=2&b=3')).body).toEqual({ all: '["1","2"]', one: '3' })
  const [, { query, params } = { query: {}, params: {} }] = service.journal.requests
  expect([query, params]).toEqual([
    { a: ['1', '2'], b: '3' },
    { a: ['1', '2'], b: '3' },
  ])
  service.restore(JSON.parse(JSON.stringify(service.snapshot())))
  expect(service.journal.requests[1]?.query).toEqual(query)
})
