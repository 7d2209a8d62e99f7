import { readFileSync, writeFileSync } from 'node:fs'
import { createMockService, type PolicyChanges } from 'rapport-sdk/mocks'
import { compareRecording, listen } from 'rapport-sdk/mocks/node'
import { expect, it, onTestFinished } from 'vitest'
import { WebSocket } from 'ws'
import { mockCommand, newFile, startRecording } from './command'
import { createFrameClient, identify } from './gateway-client'
import { password, sender } from './set-up'

const { startMock } = mockCommand()

/** Records a journey of two accounts at a service with a policy; returns the file. */
async function record(policy: PolicyChanges, ...args: string[]): Promise<string> {
  const service = createMockService({ baseUrl: 'http://localhost', policy })
  const ada = service.users.create({ login: 'ada@example.com', username: 'ada', password, mfa: ['totp', 'backup'] })
  const grace = service.users.create({ login: 'grace@example.com', username: 'grace', password })
  const hedy = service.users.create({ login: 'hedy@example.com', username: 'hedy', password })
  service.users.disable(hedy)
  service.relationships.befriend(ada, grace)
  const server = await listen(service)
  onTestFinished(() => service.close())
  const recording = await startRecording(startMock, server.url, ...args)
  const send = sender(fetch, recording.url)
  await send('POST /auth/login', { login: 'nobody@example.com', password })
  await send('POST /auth/login', { login: 'hedy@example.com', password })
  const { ticket } = (await send('POST /auth/login', { login: 'ada@example.com', password })).body
  await send('POST /auth/mfa/totp', { ticket, code: 'wrong' })
  const { token } = (await send('POST /auth/mfa/totp', { ticket, code: service.users.totp(ada) })).body
  const scheme = policy.authorization?.scheme ?? null
  const asAda = sender(fetch, recording.url, scheme === null ? String(token) : `${scheme} ${token}`)
  await asAda('GET /users/@me/relationships')
  const client = createFrameClient(new WebSocket(recording.gatewayUrl))
  await identify(client, String(token))
  await asAda(`PATCH /users/@me/relationships/${grace.id}`, { nickname: 'Amazing Grace' })
  await client.next()
  client.socket.close()
  await client.closed
  await asAda(`PUT /users/@me/relationships/${grace.id}/ignore`)
  const { user_sessions } = (await asAda<{ user_sessions: { id_hash: string }[] }>('GET /auth/sessions')).body
  const hashes = { session_id_hashes: [user_sessions[0]?.id_hash] }
  type Refusal = { mfa?: { ticket: string }; failure?: { mfa?: { ticket: string } } }
  const refusal = (await asAda<Refusal>('POST /auth/sessions/logout', hashes)).body ?? {}
  const mfa = refusal.mfa ?? refusal.failure?.mfa
  if (mfa !== undefined) {
    const data = service.users.backupCodes(ada)[0]
    const { body } = await asAda('POST /mfa/finish', { ticket: mfa.ticket, mfa_type: 'backup', data })
    await asAda('POST /auth/sessions/logout', hashes, { 'x-service-mfa-authorization': String(body.token) })
  }
  await send('POST /auth/login', { login: 'grace@example.com', password })
  await send('POST /auth/forgot', { login: 'grace@example.com' })
  await send('POST /auth/reset', { token: service.mail.last('grace@example.com').token, password })
  await send('GET /unique-username/username-suggestions-unauthed?global_name=Grace')
  await sender(fetch, recording.url, 'invalid')('GET /auth/sessions')
  await recording.stop()
  return recording.file
}

it('a recording of a mock with the same policy has no differences, and says what cannot be compared', async () => {
  const file = await record({})
  const { compared, differences, notComparable } = await compareRecording(file)
  expect(differences).toEqual([])
  expect(notComparable.map(({ endpoint, reason }) => [endpoint, reason])).toEqual([
    ['Reset Password', expect.stringMatching(/^only a mail, an SMS or another program has its token-\d$/)],
  ])
  expect(compared).toBeGreaterThan(17)
})

it('a step-up is followed with the envelope of the policy, whose names the recording keeps', async () => {
  const policy: PolicyChanges = {
    errorEnvelope: { wrapper: 'failure', errors: 'fields' },
    errors: { mfaRequired: { status: 403, code: 60003, message: 'Second factor needed' } },
  }
  const file = await record(policy, '--keep-names', 'failure,fields')
  expect(readFileSync(file, 'utf8')).toMatch(
    /"failure":\{"code":60003,"message":"text-\d+","mfa":\{"ticket":"ticket-\d+","methods":\[\{"type":"totp"/,
  )
  const { compared, differences, notComparable } = await compareRecording(file, { policy })
  expect(differences).toEqual([])
  expect(notComparable.map(({ endpoint }) => endpoint)).toEqual(['Reset Password'])
  expect(compared).toBeGreaterThan(17)
  const other = { ...policy, errors: { ...policy.errors, invalidCode: { status: 400, code: 7, message: 'No' } } }
  const changed = await compareRecording(file, { policy: other })
  expect(changed.differences).toMatchObject([{ endpoint: 'Verify MFA Login', path: 'failure.code', mock: '7' }])
})

it('what the mock lacks is named with the code and the message of the envelope', async () => {
  const file = newFile()
  const request = { path: '/users/@me/relationships/id-1', query: {}, headers: { authorization: 'token-1' }, body: {} }
  const response = { status: 204, headers: {} }
  const entry = { kind: 'call', order: 1, account: 'account-1', endpoint: 'Modify Relationship', request, response }
  writeFileSync(file, JSON.stringify({ version: 1, entries: [entry] }))
  const errorEnvelope = { wrapper: 'failure', code: 'number', message: 'reason' }
  const { notComparable } = await compareRecording(file, { policy: { errorEnvelope } })
  expect(notComparable.map(({ reason }) => reason)).toEqual([
    expect.stringMatching(/^the mock lacks what the service had: [A-Z].* \(\d+\)$/),
  ])
})

it('the differences between a recorded service and the mock are listed, and the policy removes them', async () => {
  const policy: PolicyChanges = {
    authorization: { scheme: 'Bearer' },
    requireMfa: { 'Logout Auth Sessions': false, 'Ignore User': true },
    errors: {
      invalidCode: { status: 403, code: 60008, message: 'Wrong' },
    },
    partialUser: ({ id, username }) => ({ id, username, bot: false }),
    gateway: { heartbeatInterval: '30s' },
  }
  const file = await record(policy, '--keep-names', 'bot, verified')
  const { differences } = await compareRecording(file)
  const shown = differences.map(({ endpoint, path, kind, recorded, mock }) => [endpoint, path, kind, recorded, mock])
  expect(shown).toEqual(
    expect.arrayContaining([
      ['Verify MFA Login', 'status', 'status', '403', '400'],
      ['Get Relationships', 'status', 'status', '200', '401'],
      ['gateway op 10', 'd.heartbeat_interval', 'value', '30000', '41250'],
      ['gateway READY', 'd.user.bot', 'missing', 'boolean', 'absent'],
      ['gateway READY', 'd.user.avatar', 'extra', 'absent', 'null'],
    ]),
  )
  const withScheme = await compareRecording(file, { policy: { authorization: { scheme: 'Bearer' } } })
  expect(withScheme.differences).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ endpoint: 'Get Relationships', path: '[].user.bot', kind: 'missing' }),
      expect.objectContaining({ endpoint: 'Ignore User', path: 'status', recorded: '401', mock: '204' }),
      expect.objectContaining({ endpoint: 'Logout Auth Sessions', path: 'status', recorded: '204', mock: '401' }),
    ]),
  )
  const same = await compareRecording(file, { policy })
  expect(same.differences).toEqual([])
})

it('fields whose names the recording has replaced are not compared, and the comparison says so', async () => {
  const policy: PolicyChanges = {
    partialUser: ({ id, username }) => ({ id, username, bot: false, devices: { phone: 1 } }),
  }
  const file = await record(policy)
  expect(readFileSync(file, 'utf8')).toContain('"key-1":false,"key-2":{"phone":"<number>"}')
  const { differences, notComparable } = await compareRecording(file, { policy })
  expect(differences).toEqual([])
  expect(notComparable.map(({ endpoint, reason }) => [endpoint, reason])).toEqual([
    ['Get Relationships', 'names of fields of [].user are not in the recording'],
    ['Reset Password', expect.any(String)],
    ['gateway READY', 'names of fields of d.user are not in the recording'],
  ])
  const byDefault = await compareRecording(file)
  const extra = ['[].user', 'd.user'].flatMap((user) =>
    ['global_name', 'discriminator', 'avatar'].map((name) => [`${user}.${name}`, 'extra']),
  )
  expect(byDefault.differences.map(({ path, kind }) => [path, kind])).toEqual(extra)
})

it('types, new values of enumerations and codes of errors that the mock does not have are differences', async () => {
  const call = (
    order: number,
    endpoint: string,
    path: string,
    status: number,
    body: unknown,
    account = 'account-1',
  ) => {
    const request = { path, query: {}, headers: { authorization: 'token-1' } }
    return { kind: 'call', order, account, endpoint, request, response: { status, headers: {}, body } }
  }
  const user = { id: 'id-1', username: '<string>', global_name: null, discriminator: '<string>', avatar: '<number>' }
  const friend = { id: 'id-1', type: 1, user, nickname: null, user_ignored: '<string>', more: [] }
  const configs = '/applications/id-9/widget-configs'
  const suggested = { suggested_games: '<string>', suggested_wishlist_games: [] }
  const other = { id: 'id-2', type: 9, user, nickname: null, user_ignored: false, more: [] }
  const entries = [
    call(1, 'Get Relationships', '/users/@me/relationships', 200, [friend, other]),
    call(2, 'Get Application Widget Configs', configs, 404, { code: 404, message: 'text-1' }),
    call(3, 'Get User Application Identities', '/users/account-1/application-identities', 200, {
      identities: [{ application_id: 'id-5' }],
    }),
    call(4, 'Get Auth Sessions', '/auth/sessions', 503, undefined),
    call(5, 'Get Suggested Games', '/users/@me/widgets/suggested-games', 200, suggested),
  ]
  const file = newFile()
  writeFileSync(file, JSON.stringify({ version: 1, entries }))
  const { compared, differences, notComparable } = await compareRecording(file)
  const unlisted = 'a value that the contract does not list'
  expect(differences.map(({ order, path, kind, recorded, mock }) => [order, path, kind, recorded, mock])).toEqual([
    [1, '[].user_ignored', 'type', 'string', 'boolean'],
    [1, '[].more', 'missing', 'array', 'absent'],
    [1, '[].type', 'value', unlisted, '1'],
    [2, 'code', 'value', '404', '10002'],
    [5, 'suggested_games', 'type', 'string', 'array'],
  ])
  expect(notComparable).toEqual([
    {
      order: 3,
      endpoint: 'Get User Application Identities',
      reason: 'the mock has no item of identities to compare',
    },
    { order: 4, endpoint: 'Get Auth Sessions', reason: 'failures and limits of the service depend on time' },
  ])
  expect(compared).toBe(3)
})

it('two IDs of a recording are two IDs of the mock, whatever their numbers are', async () => {
  const call = (
    order: number,
    account: string | null,
    endpoint: string,
    path: string,
    sent: object,
    answer: object,
  ) => {
    const headers = account === null ? {} : { authorization: 'token-1' }
    const request = { path, query: {}, headers, body: sent }
    return { kind: 'call', order, account, endpoint, request, response: { headers: {}, ...answer } }
  }
  const handoff_token = 'token-2'
  const created = { status: 200, body: { handoff_token } }
  const refused = { status: 400, body: { code: 50_057, message: 'text-1' } }
  const sent = { key: 'id-97', handoff_token }
  const entries = [
    call(1, 'account-1', 'Create Handoff Token', '/auth/handoff', { key: 'id-7' }, created),
    call(2, null, 'Exchange Handoff Token', '/auth/handoff/exchange', sent, refused),
  ]
  const file = newFile()
  writeFileSync(file, JSON.stringify({ version: 1, entries }))
  // The mock hands off with the same key only.
  const { compared, differences, notComparable } = await compareRecording(file)
  expect([compared, differences, notComparable]).toEqual([2, [], []])
})

it('a file that is not a recording, or an unknown option, is refused', async () => {
  const file = newFile()
  writeFileSync(file, '{"version": 1, "entries": [{"kind": "close"}]}')
  await expect(compareRecording(file)).rejects.toThrow(`${file}:\n  entries[0].order: required`)
  await expect(compareRecording('nowhere.json')).rejects.toThrow('ENOENT')
})
