import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { json, serve } from '../servers/http-server'
import { mockCommand, startRecording } from './command'
import { sender } from './set-up'

const { startMock } = mockCommand()

/** Secrets and names by where they are planted. Each occurs in the traffic at least once, some at several places. */
const planted = {
  token: 'mfa.Zx81-planted.token_AA9',
  otherToken: 'Bearer-planted.0123456789abcdef',
  fingerprint: '998877665544332211.planted-fingerprint',
  jwt: 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJwbGFudGVkIn0.c2lnbmF0dXJl',
  ticket: 'planted-ticket-0001',
  mfaTicket: 'planted-ticket-0002',
  password: 'correct planted horse/battery?',
  code: '918273',
  backupCode: 'pl4n-t3d0',
  login: 'planted.ada+sdk@example.com',
  email: 'planted.restored@example.com',
  phone: '+15550177123',
  username: 'planted_ada_1815',
  otherUsername: 'plantedgrace',
  globalName: 'Ada Lovelace (planted)',
  nickname: 'Countess planted ✓',
  note: 'Met you at the planted café & bar',
  userId: '118822334455667788',
  friendId: '118822334455667799',
  applicationId: '118822334455660011',
  externalId: 'planted/external id#7',
  idHash: 'cGxhbnRlZC1zZXNzaW9uLWhhc2g',
  sessionId: 'planted-gateway-session',
  location: 'Plantedville, Nowhere',
  numericId: 118822334455,
  birthday: '1815-12-10',
  lastUsed: '2026-02-03T04:05:06.789Z',
  challenge: 'cGxhbnRlZC1jaGFsbGVuZ2U',
  queryToken: 'planted-query-token',
  headerKey: 'planted-api-key-5f4e3d',
  mapKey: 'planted-key-of-a-map-77',
  errorText: 'The account planted.secret@example.com is locked',
  enumeration: 'planted_new_enum_value',
  handoffKey: 'planted-handoff-key',
  nested: 'planted deep inside',
  frameText: 'planted text, not JSON',
  reason: 'planted close reason',
}

/** Returns a secret as it could occur in a file: verbatim, encoded for URLs, JSON and HTML, in base64 and hex. */
function encodings(secret: string | number): string[] {
  const text = String(secret)
  const bytes = Buffer.from(text)
  // Base64 of a part depends on what precedes it: leave out the characters at both ends.
  const shifted = [0, 1, 2].map((offset) => {
    const encoded = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64')
    return encoded.slice(offset === 0 ? 0 : 4, -4)
  })
  const inForm = String(new URLSearchParams([['', text]])).slice(1)
  const all = [
    text,
    encodeURIComponent(text),
    inForm,
    JSON.stringify(text).slice(1, -1),
    bytes.toString('hex'),
    bytes.toString('base64url'),
    ...shifted,
    ...shifted.map((encoded) => encoded.replaceAll('+', '-').replaceAll('/', '_')),
    text.split('').reverse().join(''),
  ]
  return [...new Set(all)].filter(({ length }) => length >= 6)
}

/** Returns which secrets a recording contains, and how. */
function foundIn(recording: string, secrets: Readonly<Record<string, string | number>>): string[] {
  const file = recording.toLowerCase()
  return Object.entries({ ...secrets, output: 'planted' }).flatMap(([name, secret]) =>
    encodings(secret).flatMap((text) => (file.includes(text.toLowerCase()) ? [`${name}: ${text}`] : [])),
  )
}

/** Starts a gateway until the end of the test; returns its URL. */
async function startGateway(onConnection: (socket: WebSocket) => void): Promise<string> {
  const gateway = new WebSocketServer({ port: 0, host: '127.0.0.1' })
  onTestFinished(() => void gateway.close())
  await once(gateway, 'listening')
  gateway.on('connection', onConnection)
  return `ws://127.0.0.1:${(gateway.address() as AddressInfo).port}/planted`
}

it('a recording contains none of 37 secrets and names in any encoding, wherever they were sent', async () => {
  const {
    userId,
    friendId,
    applicationId,
    numericId,
    ticket,
    mfaTicket,
    token,
    jwt,
    nested,
    mapKey,
    username,
    otherUsername,
    globalName,
    ...texts
  } = planted
  const user = {
    id: friendId,
    username,
    global_name: globalName,
    profile: { bio: [nested, { token }], [mapKey]: nested },
  }
  const document = JSON.stringify({ challenge: planted.challenge, rpId: 'planted.example' })
  const friend = { id: friendId, type: 1, user, nickname: texts.nickname, user_ignored: false, since: texts.lastUsed }
  const service = await serve(
    json(200, {
      user_id: userId,
      ticket,
      mfa: true,
      totp: true,
      sms: numericId,
      webauthn: document,
      [username]: nested,
    }),
    json(200, { token, user_settings: { locale: texts.location, theme: texts.enumeration } }),
    json(401, { message: texts.errorText, code: 60003, mfa: { ticket: mfaTicket, methods: [{ type: 'totp' }] } }),
    json(200, { token: jwt }, { 'set-cookie': `__Secure-recent_mfa=${jwt}; Domain=${mapKey}`, 'x-request-id': token }),
    json(200, [{ ...friend, note: texts.note, extra: { [numericId]: numericId, list: [numericId, nested] } }]),
    json(
      200,
      { identities: [{ application_id: applicationId, provider_issued_user_id: texts.externalId }] },
      { 'ratelimit-reset': texts.code, [`ratelimit-${otherUsername}`]: '1' },
    ),
    json(400, {
      message: texts.errorText,
      code: numericId,
      errors: { username: { _errors: [{ code: texts.enumeration, message: `${texts.password} is wrong` }] } },
      retry_after: 918273,
    }),
    json(200, { user_sessions: [{ id_hash: texts.idHash, approx_last_used_time: texts.lastUsed, client_info: user }] }),
    json(200, { application_ids: [applicationId], configs: { [applicationId]: [], [mapKey]: [{ status: nested }] } }),
    json(200, { token: planted.otherToken }),
    json(200, { email: texts.email }),
    json(200, { handoff_token: planted.otherToken }),
    json(502, { [texts.email]: texts.errorText, note: null, deep: [[[{ text: nested, yes: true }]]] }),
    (response) => void response.writeHead(503, { 'content-type': `text/${nested}`, 'retry-after': nested }).end(nested),
  )
  const gateway = await startGateway((socket) => {
    socket.send(JSON.stringify({ op: 10, d: { heartbeat_interval: 41_250, trace: [nested] }, s: null, t: null }))
    socket.on('message', (data) => {
      if (!String(data).startsWith('{')) return
      const ready = { auth_session_id_hash: texts.idHash, session_id: texts.sessionId, user: { ...user, id: userId } }
      const resume_gateway_url = `wss://planted.example/${nested}`
      const add = { ...friend, [mapKey]: token }
      socket.send(JSON.stringify({ op: 0, s: 1, t: 'READY', d: { ...ready, resume_gateway_url } }))
      socket.send(JSON.stringify({ op: 0, s: 2, t: 'RELATIONSHIP_ADD', d: add }))
      socket.send(JSON.stringify({ op: 0, s: 3, t: nested, d: [user, texts.note] }))
      socket.send(JSON.stringify({ op: nested, d: nested, [mapKey]: numericId }))
      socket.send(texts.frameText)
      socket.send(Buffer.from(nested))
      socket.close(4000, texts.reason)
    })
  })

  const recording = await startRecording(startMock, service.url, '--gateway', gateway)
  const send = sender(fetch, recording.url, `Bearer ${token}`)
  const anonymous = sender(fetch, recording.url)
  const headers = { 'x-fingerprint': texts.fingerprint, 'x-api-key': texts.headerKey, 'user-agent': username }
  await anonymous('POST /auth/login', { login: texts.login, password: texts.password, [nested]: nested }, headers)
  await anonymous('POST /auth/mfa/totp', { ticket, code: texts.code, login_source: texts.enumeration })
  await send('POST /auth/sessions/logout', { session_id_hashes: [texts.idHash] })
  await send('POST /mfa/finish', { ticket: mfaTicket, mfa_type: texts.enumeration, data: texts.backupCode })
  await send('GET /users/@me/relationships', undefined, { 'x-service-mfa-authorization': jwt })
  const query = `with_profiles=${texts.queryToken}&${username}=${token}`
  await send(`GET /users/${userId}/application-identities?${query}`)
  await send('POST /users/@me/relationships', { username: otherUsername, discriminator: texts.code, note: texts.note })
  await send('GET /auth/sessions')
  await send('GET /widget-configs/featured')
  const account = { email: texts.login, date_of_birth: texts.birthday, phone_token: token, global_name: globalName }
  await anonymous('POST /auth/register', { ...account, fingerprint: texts.fingerprint, invite: nested })
  await anonymous('POST /auth/revert', { token: planted.otherToken, password: texts.password })
  await send('POST /auth/handoff', { key: texts.handoffKey, phone: texts.phone })
  const identity = `${userId}/identities/${encodeURIComponent(texts.externalId)}`
  const metadata = { [mapKey]: nested, deep: { [username]: [nested] } }
  await send(`PATCH /applications/${applicationId}/users/${identity}/profile`, {
    username,
    metadata,
    data: { primary: { user_id: userId, rank_name: nested } },
  })
  await send('POST /auth/register/phone', `{"phone": "${texts.phone}", not JSON`).catch(() => {})

  const client = new WebSocket(`${recording.gatewayUrl}?token=${token}&${nested.replaceAll(' ', '+')}`)
  await once(client, 'message')
  client.send(texts.frameText)
  const properties = { [username]: nested, os: texts.location }
  client.send(JSON.stringify({ op: 2, d: { token: planted.otherToken, properties } }))
  expect((await once(client, 'close'))[0]).toBe(4000)

  const kinds = recording.entries().map(({ kind }) => kind)
  expect([kinds.length, kinds.filter((kind) => kind === 'call').length]).toEqual([24, 14])
  expect(foundIn(recording.text(), planted)).toEqual([])
  // Nor does the command print them.
  const printed = recording.output.stdout + recording.output.stderr
  expect(printed.replaceAll(/.*\/planted.*/g, '')).not.toMatch(/planted|118822334455/i)
  expect(Object.keys(planted)).toHaveLength(37)
})

/** Names, each of which reads like that of a field, a parameter, a header or an event, and secrets in further encodings. */
const disguised = {
  answerKey: 'plantedgrace',
  mapKey: 'plantedhopper',
  userKey: 'planted_katherine',
  camelKey: 'plantedDorothy',
  listKey: 'plantedmary',
  profileKey: 'plantedjoan',
  settingsKey: 'plantedannie',
  requestKey: 'plantedevelyn',
  nestedRequestKey: 'plantedkathleen',
  errorKey: 'plantedmargaret',
  fieldError: 'plantedbetty',
  envelopeKey: 'plantedjean',
  envelopeList: 'plantedmarlyn',
  parameter: 'plantedradia',
  parameterValue: '7719283',
  headerName: 'planted-hedy',
  limitName: 'plantedsophie',
  cookieName: 'plantedemmy',
  cookieAttribute: 'planted.example.org',
  event: 'PLANTED_LISE_JOINED',
  eventKey: 'plantedlise',
  opcodeKey: 'plantedchien',
  opcodeText: 'planted words of an opcode',
  frameField: 'plantedrosalind',
  identifyKey: 'plantedbarbara',
  hello: 'plantedvera',
  closeReason: 'planted goodbye of vera',
  kills: 7_361_942,
  playtime: 4813.0625,
  statistic: 6_152_837,
  errorNumber: 83_920_174,
  basic: 'planted:pass:word of basic',
  jwt: 'eyJhbGciOiJIUzI1NiJ9.eyJwbGFudGVkIjoxfQ.cGxhbnRlZC1zaWc/+=',
  inJson: 'planted text within JSON of a string',
  inUrl: 'planted-ticket-of-a-link',
  inForm: 'planted field of a form',
  inLocation: 'planted-redirect',
  date: '1906-12-09T01:02:03+05:45',
  dateText: 'planted on Sunday, 9 December 1906',
  epoch: 1_906_120_912,
  bytes: 'cGxhbnRlZCBpbiBiYXNlNjQ',
}

it('names that are keys, parameters, headers and events are replaced, however much they look like those of the service', async () => {
  const { kills, playtime, statistic, errorNumber, epoch, date, ...texts } = disguised
  const link = `https://planted.example/reset?ticket=${texts.inUrl}#token=${texts.inUrl}`
  const inJson = JSON.stringify({ [texts.mapKey]: texts.inJson, token: texts.jwt })
  const friends = { friends_by_name: { [texts.mapKey]: { [texts.userKey]: { [texts.camelKey]: [texts.inJson] } } } }
  const user = { id: '1', username: texts.mapKey, avatar: link, [texts.userKey]: true }
  const data = {
    primary: { total_kills: kills, playtime_hours: playtime, [texts.profileKey]: statistic },
    dynamic: [{ type: 2, name: texts.mapKey, value: statistic }],
  }
  const service = await serve(
    json(200, [{ id: '1', type: 1, user, nickname: inJson, since: date, ...friends, [texts.listKey]: [[friends]] }]),
    json(200, { token: 'a token', user_settings: { locale: date, theme: 'dark', [texts.settingsKey]: epoch } }),
    json(400, {
      code: 50_035,
      message: texts.dateText,
      errors: {
        username: { _errors: [{ code: texts.errorKey, message: texts.dateText }] },
        [texts.fieldError]: { _errors: [{ [texts.errorKey]: errorNumber }] },
      },
    }),
    json(422, { error: { [texts.envelopeKey]: { code: errorNumber } }, [texts.envelopeList]: [{ global: 'no' }] }),
    json(
      200,
      { identities: [{ application_id: '5', profile: { username: texts.mapKey, data, metadata: friends } }] },
      {
        [`x-${texts.headerName}`]: texts.headerName,
        [`x-ratelimit-${texts.limitName}`]: '1',
        'x-ratelimit-bucket': texts.limitName,
        'retry-after': texts.dateText,
        'set-cookie': `${texts.cookieName}=${texts.bytes}; Domain=${texts.cookieAttribute}`,
      },
    ),
    json(307, { url: link }, { location: `/users/${texts.inLocation}`, link: `<${link}>` }),
    json(200, { [texts.answerKey]: { [texts.answerKey]: link }, user_sessions: [{ id_hash: texts.bytes }] }),
    json(200, { token: texts.jwt }, { 'set-cookie': `__Secure-recent_mfa=${encodeURIComponent(texts.jwt)}; Path=/` }),
  )
  const frames = [
    { op: 10, d: { heartbeat_interval: 41_250, [texts.hello]: { [texts.hello]: 1 } }, s: null, t: null },
    { op: 0, s: 1, t: 'RELATIONSHIP_UPDATE', d: { id: '1', type: 1, [texts.eventKey]: friends } },
    { op: 0, s: 2, t: texts.event, d: { [texts.eventKey]: { name: texts.event } } },
    { op: 41, d: { [texts.opcodeKey]: texts.opcodeText }, s: epoch, t: texts.opcodeKey },
    { op: epoch, [texts.frameField]: [{ [texts.frameField]: date }], t: { [texts.frameField]: 1 } },
    { op: 9, d: { [texts.opcodeKey]: true } },
    [{ [texts.frameField]: texts.frameField }],
  ]
  const gateway = await startGateway((socket) => {
    socket.on('message', () => {
      for (const frame of frames) socket.send(JSON.stringify(frame))
      socket.close(4999, texts.closeReason)
    })
  })

  const recording = await startRecording(startMock, service.url, '--gateway', gateway, '--log', 'json')
  const basic = sender(fetch, recording.url, `Basic ${btoa(texts.basic)}`)
  const anonymous = sender(fetch, recording.url)
  const headers = { [`x-${texts.headerName}`]: '1', 'x-fingerprint': texts.bytes, cookie: `${texts.cookieName}=1` }
  await basic('GET /users/@me/relationships', undefined, headers)
  const body = { login: inJson, password: texts.bytes, [texts.requestKey]: { [texts.nestedRequestKey]: epoch } }
  await anonymous('POST /auth/login', body)
  await anonymous('POST /auth/register', { username: texts.mapKey, date_of_birth: date, [texts.requestKey]: friends })
  await basic('POST /users/@me/relationships', { username: link, discriminator: Number(texts.parameterValue) })
  const query = `${texts.parameter}=1&with_profiles=${texts.parameterValue}`
  await basic(`GET /users/${encodeURIComponent(texts.bytes)}/application-identities?${query}`)
  const form = new FormData()
  form.append(texts.inForm, texts.inForm)
  await fetch(`${recording.url}/auth/forgot`, { method: 'POST', body: form, redirect: 'manual' })
  await basic('GET /auth/sessions')
  const finished = { ticket: link, mfa_type: texts.requestKey, data: { [texts.requestKey]: texts.bytes } }
  await basic('POST /mfa/finish', finished, { 'x-service-mfa-authorization': encodeURIComponent(texts.jwt) })

  const client = new WebSocket(`${recording.gatewayUrl}?${texts.parameter}=${texts.inUrl}`)
  await once(client, 'open')
  const properties = { client: 'rapport-sdk', [texts.identifyKey]: { [texts.identifyKey]: texts.bytes } }
  client.send(JSON.stringify({ op: 2, d: { token: texts.jwt, properties, [texts.identifyKey]: [] } }))
  expect((await once(client, 'close'))[0]).toBe(4999)

  expect(recording.entries()).toHaveLength(8 + 1 + frames.length + 1)
  expect(foundIn(recording.text(), disguised)).toEqual([])
  const printed = recording.output.stdout + recording.output.stderr
  expect(foundIn(printed.replaceAll(gateway, ''), disguised)).toEqual([])
  expect(Object.keys(disguised).length + Object.keys(planted).length).toBe(78)
  // What the contract and the conventions list is still there.
  const [list, , invalid] = recording.entries()
  expect(list?.response.body).toMatchObject([{ type: 1, user: { username: '<string>', avatar: '<string>' } }])
  expect(invalid?.response.body).toMatchObject({
    code: 50_035,
    errors: { username: { _errors: [{ code: '<string>', message: '<string>' }] } },
  })
})
