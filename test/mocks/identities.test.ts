import { describe, expect, it } from 'vitest'
import { baseUrl, problems, sender, setUp } from './set-up'

function setUpIdentity() {
  const { service, ada, grace, as, send } = setUp()
  const application = service.applications.create({ owner: grace, name: 'Game' })
  service.identities.create({ application, user: ada, externalUserId: 'ada/1815', username: 'ada_plays' })
  const profile = `/applications/${application.id}/users/${ada.id}/identities/ada%2F1815/profile` as const
  const bot = sender(service.fetch, baseUrl, service.applications.botToken(application))
  return { service, ada, grace, as, send, application, profile, bot }
}

describe('an application profile', () => {
  it('can be read with a percent-encoded external ID', async () => {
    const { as, grace, profile } = setUpIdentity()
    const { status, body } = await as(grace)(`GET ${profile}`)
    expect(status).toBe(200)
    expect(body).toEqual({ username: 'ada_plays', metadata: null, connection_visible: true })
  })

  it('one that is missing responds with 404', async () => {
    const { as, grace, ada, profile, application } = setUpIdentity()
    const asGrace = as(grace)
    expect((await asGrace(`GET ${profile.replace('1815', '1816') as typeof profile}`)).status).toBe(404)
    expect((await asGrace(`GET /applications/1/users/${ada.id}/identities/x/profile`)).status).toBe(404)
    expect((await asGrace(`PATCH /applications/${application.id}/users/1/identities/x/profile`, {})).status).toBe(404)
  })

  it('metadata is sent as an object and returned as a string', async () => {
    const { bot, profile } = setUpIdentity()
    const { body } = await bot(`PATCH ${profile}`, { metadata: { guild: 'Turing', level: '7' } })
    expect(body).toMatchObject({ metadata: '{"guild":"Turing","level":"7"}', username: 'ada_plays' })
  })

  it('has data that is trusted if the bot or the owner sets it, not if the user does', async () => {
    const { as, ada, grace, bot, profile } = setUpIdentity()
    const data = {
      primary: { rank_name: 'Gold', playtime_hours: 12.5, total_wins: 3 },
      dynamic: [
        { name: 'Motto', type: 1, value: 'Onwards' },
        { name: 'Score', type: 2, value: 7 },
        { name: 'Badge', type: 3, value: { url: 'https://cdn.example/badge.png' } },
      ],
    }
    for (const trusted of [bot, as(grace)]) {
      expect((await trusted(`PATCH ${profile}`, { data })).body).toMatchObject({ data, data_trusted: true })
    }
    expect((await as(ada)(`PATCH ${profile}`, { data })).body).toMatchObject({ data_trusted: false })
  })

  it('accepts only the types of dynamic data that the API lists', async () => {
    const { bot, profile } = setUpIdentity()
    const dynamic = [1, 4].map((type) => ({ name: 'Motto', type, value: 'Onwards' }))
    const { body } = await bot(`PATCH ${profile}`, { username: 'changed', data: { dynamic } })
    expect(problems(body)).toEqual(['data.dynamic.1.type: INVALID_VALUE'])
    expect((await bot(`GET ${profile}`)).body).toMatchObject({ username: 'ada_plays' })
    const value = { url: 'https://cdn.example/badge.png', loading_state: 99, content_scan_metadata: { type: 'none' } }
    const received = { dynamic: [{ name: 'Badge', type: 3, value }] }
    expect((await bot(`PATCH ${profile}`, { data: received })).body).toMatchObject({ data: received })
  })

  it('can be changed only by the user and the application', async () => {
    const { service, as, ada, profile } = setUpIdentity()
    const stranger = service.users.create({ login: 'x@example.com' })
    const other = service.applications.create({ owner: stranger })
    for (const token of [service.token(stranger), service.applications.botToken(other)]) {
      const theirs = sender(service.fetch, baseUrl, token)
      expect((await theirs(`PATCH ${profile}`, { username: 'x' })).status).toBe(403)
    }
    expect((await as(ada, { oauth2: other })(`PATCH ${profile}`, { username: 'x' })).status).toBe(403)
    expect((await as(ada)(`PATCH ${profile}`, { username: 'x' })).status).toBe(200)
  })

  it('accepts 1,024 characters of username and 25 metadata keys of 1,024 characters', async () => {
    const { bot, profile } = setUpIdentity()
    const codes = async (body: object) => problems((await bot(`PATCH ${profile}`, body)).body)
    const keys = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, key) => [`k${key}`, 'v']))
    const long = (length: number) => 'x'.repeat(length)
    expect(await codes({ username: long(1024), metadata: keys(25) })).toEqual([])
    expect(await codes({ username: long(1025) })).toEqual(['username: TOO_LONG'])
    expect(await codes({ metadata: keys(26) })).toEqual(['metadata: TOO_MANY'])
    expect(await codes({ metadata: { [long(1024)]: long(1024) } })).toEqual([])
    expect(await codes({ metadata: { k: long(1025) } })).toEqual(['metadata.k: TOO_LONG'])
    expect(await codes({ metadata: { [long(1025)]: 'v' } })).toEqual([`metadata.${long(1025)}: TOO_LONG`])
    expect(await codes({ username: 7 })).toEqual(['username: INVALID_TYPE'])
  })

  it('it is hidden by the string "false" in the config', async () => {
    const { as, ada, grace, application, profile } = setUpIdentity()
    const config = `/users/@me/application-identities/${application.id}/ada%2F1815/config` as const
    const asAda = as(ada)
    expect((await asAda(`PATCH ${config}`, { connection_visible: 'false' })).status).toBe(204)
    expect((await asAda(`GET ${profile}`)).body).toMatchObject({ connection_visible: false })
    expect((await asAda(`PATCH ${config}`, {})).status).toBe(204)
    expect(problems((await asAda(`PATCH ${config}`, { connection_visible: false })).body)).toEqual([
      'connection_visible: INVALID_TYPE',
    ])
    expect((await as(grace)(`PATCH ${config}`, { connection_visible: 'true' })).status).toBe(404)
  })
})

describe('the identities of a user', () => {
  it('have profiles only if with_profiles is true', async () => {
    const { as, ada, grace, application } = setUpIdentity()
    const identity = { application_id: application.id, provider_issued_user_id: 'ada/1815' }
    const profile = { username: 'ada_plays', metadata: null, connection_visible: true }
    const path = `GET /users/${ada.id}/application-identities` as const
    expect((await as(grace)(path)).body).toEqual({ identities: [identity] })
    expect((await as(grace)(`${path}?with_profiles=false`)).body).toEqual({ identities: [identity] })
    expect((await as(grace)(`${path}?with_profiles=true`)).body).toEqual({
      identities: [{ ...identity, profile, profiles: [profile] }],
    })
    expect(problems((await as(grace)(`${path}?with_profiles=maybe`)).body)).toEqual(['with_profiles: INVALID_TYPE'])
    expect((await as(grace)('GET /users/1/application-identities')).status).toBe(404)
  })

  it('they are looked up in bulk for the authorized application, without invalid IDs', async () => {
    const { service, as, ada, grace, bot, application } = setUpIdentity()
    const other = service.applications.create({ owner: grace })
    service.identities.create({ application: other, user: ada, externalUserId: 'elsewhere' })
    const params = { user_ids: [ada.id, grace.id, 'no-such-user'] }
    const found = [{ user_id: ada.id, external_user_id: 'ada/1815' }]
    expect((await bot('POST /application-identities', params)).body).toEqual(found)
    expect((await as(ada, { oauth2: application })('POST /application-identities', params)).body).toEqual(found)
    expect((await as(ada)('POST /application-identities', params)).status).toBe(403)
  })

  it('they are looked up in bulk for 1 to 100 user IDs', async () => {
    const { bot } = setUpIdentity()
    const codes = async (count: number) =>
      problems((await bot('POST /application-identities', { user_ids: Array(count).fill('1') })).body)
    expect(await codes(0)).toEqual(['user_ids: TOO_FEW'])
    expect(await codes(1)).toEqual([])
    expect(await codes(100)).toEqual([])
    expect(await codes(101)).toEqual(['user_ids: TOO_MANY'])
  })
})
