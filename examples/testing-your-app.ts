// Testing an app with the mock, in memory and without a test runner: faults, the clock, the journal, and a snapshot that
// is restored before every case. The app under test is the class at the top.
import assert from 'node:assert/strict'
import { Client, isRateLimitError, type MfaHandler, RelationshipType } from 'rapport-sdk'
import { createMockService } from 'rapport-sdk/mocks'

/** The app: a list of friends, and a button that signs out everywhere else. */
class FriendList {
  constructor(private readonly client: Client) {}

  async names(): Promise<string[]> {
    const relationships = await this.client.relationships.list()
    const friends = relationships.filter(({ type }) => type === RelationshipType.FRIEND)
    return friends.map(({ nickname, user }) => nickname ?? String(user.username))
  }

  async signOutElsewhere(): Promise<number> {
    await this.client.gateway.connect() // its Ready says which session is this one
    const { user_sessions } = await this.client.auth.sessions.list()
    const hashes = user_sessions.map(({ id_hash }) => id_hash)
    const session_id_hashes = hashes.filter((hash) => hash !== this.client.gateway.sessionHash)
    if (session_id_hashes.length > 0) await this.client.auth.sessions.logout({ session_id_hashes })
    return session_id_hashes.length
  }
}

const service = createMockService({ seed: 7, now: '2030-01-01T12:00:00Z' })
const ada = service.users.create({ login: 'ada@example.com', username: 'ada', mfa: ['totp'] })
const grace = service.users.create({ login: 'grace@example.com', username: 'grace' })
service.relationships.befriend(ada, grace)
const token = service.token(ada)
const start = service.snapshot()

const typeCode: MfaHandler = () => ({ type: 'totp', code: service.users.totp(ada) })
const cases: Record<string, (app: FriendList, client: Client) => Promise<void>> = {
  'shows friends by nickname': async (app, client) => {
    await client.relationships.update(grace.id, { nickname: 'Amazing Grace' })
    assert.deepEqual(await app.names(), ['Amazing Grace'])
  },
  'starts from the snapshot in every case': async (app) => {
    assert.deepEqual(await app.names(), ['grace'])
  },
  'survives a bad gateway': async (app) => {
    service.faults.on('Get Relationships', { html: true, times: 1 })
    assert.deepEqual(await app.names(), ['grace'])
    assert.equal(service.journal.find('Get Relationships').length, 2)
  },
  'reports a long rate limit': async (app) => {
    service.faults.on('GET /users/@me/relationships', { status: 429, retryAfter: 3600 })
    await assert.rejects(app.names(), isRateLimitError)
  },
  'signs out elsewhere after one code': async (app) => {
    service.token(ada)
    service.clock.advance('1m')
    assert.equal(await app.signOutElsewhere(), 1)
    assert.equal(await app.signOutElsewhere(), 0)
    assert.equal(service.journal.find('Verify MFA').length, 1)
    const [refused, retried] = service.journal.find('Logout Auth Sessions')
    assert.deepEqual([refused?.status, retried?.status], [401, 204])
  },
  'prompts again after five minutes': async (app) => {
    for (const minutes of [0, 5] as const) {
      service.clock.advance(`${minutes}m`)
      service.token(ada)
      await app.signOutElsewhere()
    }
    assert.equal(service.journal.find('Verify MFA').length, 2)
  },
}

for (const [name, run] of Object.entries(cases)) {
  service.restore(start)
  const client = new Client({
    baseUrl: service.baseUrl,
    fetch: service.fetch,
    token,
    gateway: { url: service.gateway.url, WebSocket: service.WebSocket },
    onMfaRequired: typeCode,
  })
  await run(new FriendList(client), client)
  client.dispose()
  console.log(`ok - ${name}`)
}
