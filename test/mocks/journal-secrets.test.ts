import { expect, it } from 'vitest'
import { overSockets, setUpGateway } from './gateway-client'
import { password, setUp } from './set-up'

it('a token that was sent as the session of a Resume is not in the journal of the gateway', async () => {
  const { service, ada, open } = await setUpGateway(overSockets)
  const token = service.token(ada)
  const client = open()
  await client.next()
  client.send(6, { token, session_id: token, seq: 0 })
  await client.next()
  expect(service.gateway.journal.at(-1)).toMatchObject({ op: 'resume', user: ada.id, session: '[redacted]' })
  expect(JSON.stringify(service.gateway.frames)).not.toContain(token)
})

it('a secret in an answer of the service, a stub or a fault is not in the journal', async () => {
  const { service, ada, send } = setUp()
  const token = service.token(ada)
  service.stubs.on('GET /echo', () => ({ body: { note: `is ${token}`, [token]: 1 } }))
  const fault = { status: 503, body: { code: 7, note: token }, headers: { 'X-Note': token } }
  service.faults.on('Get Location Metadata', fault)
  await send('GET /echo')
  await send('GET /auth/location-metadata')
  await send('POST /auth/login', { login: 'ada@example.com', password, [token]: 1 })
  const { requests } = service.journal
  expect(requests.map(({ answer }) => answer)).toMatchObject([
    { body: { note: 'is [redacted]' } },
    { headers: { 'x-note': '[redacted]' }, body: { code: 7, note: '[redacted]' } },
    { body: { code: 50035 } },
  ])
  expect(JSON.stringify(requests)).not.toContain(token)
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

it.each(['correct horse battery', 'žluťoučký kůň č. 7', '密码密码密码密码', '🐎🐎🐎🐎🐎🐎🐎🐎'])(
  'the password %j is not in the journal, at any place of a text',
  async (secret) => {
    const { service, send } = setUp()
    service.users.create({ login: 'x@example.com', password: secret })
    for (const note of [secret, `${secret}.`, `x ${secret}`, `äöü 密 ${secret} 密`, `${secret} ${secret}`]) {
      await send('POST /auth/login', { login: 'x@example.com', note })
    }
    expect(JSON.stringify(service.journal.requests)).not.toContain(secret)
    expect(JSON.stringify(service.journal.requests)).toContain('äöü 密 [redacted] 密')
  },
)

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

it.each(['Correct"Ümlaut\\pw', '密码 密码密码密码', 'a\\u00e4\\"b\\\\c-long-enough'])(
  'the password %j is not in the journal when the path has it percent-encoded',
  async (secret) => {
    const { service, ada, as } = setUp()
    service.users.create({ login: 'x@example.com', password: secret })
    const inUrl = encodeURIComponent(secret)
    const bytes = [...new TextEncoder().encode(secret)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('')
    for (const path of [inUrl, bytes, `x-${inUrl}`, encodeURIComponent(inUrl)]) {
      await as(ada)(`DELETE /users/@me/relationships/${path}`)
    }
    expect(service.journal.requests).toHaveLength(4)
    for (const { path } of service.journal.requests) {
      expect(decodeURIComponent(decodeURIComponent(path))).not.toContain(secret)
    }
  },
)
