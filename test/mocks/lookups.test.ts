import { describe, expect, it } from 'vitest'
import { baseUrl, password, sender, setUp } from './calls'

const fresh = 'a brand new password'

describe('lookups', () => {
  it('finds an account by its new e-mail address and phone number, and no longer by the old ones', async () => {
    const { service, ada, send } = setUp()
    service.users.changePhone(ada, '+15550100')
    service.users.changePhone(ada, '+15550111')
    service.users.changeEmail(ada, 'Ada@Example.org')
    const login = async (name: string) => (await send('POST /auth/login', { login: name, password })).status
    expect(await login('ada@example.org')).toBe(200)
    expect(await login('+15550111')).toBe(200)
    expect(await login('ada@example.com')).toBe(400)
    expect(await login('+15550100')).toBe(400)
    expect((await send('POST /auth/register', { username: 'new', email: 'ada@example.com' })).status).toBe(200)
    expect(service.users.find('ADA@example.ORG')?.id).toBe(ada.id)
  })

  it('finds a reverted account by the restored e-mail address only', async () => {
    const { service, ada, send } = setUp()
    service.users.changePhone(ada, '+15550100')
    service.users.changeEmail(ada, 'thief@example.com')
    const { token } = service.mail.last('ada@example.com')
    await send('POST /auth/revert', { token, password: fresh })
    expect(service.users.find('ada@example.com')?.id).toBe(ada.id)
    expect(service.users.find('thief@example.com')).toBeUndefined()
    expect(service.users.find('+15550100')).toBeUndefined()
  })

  it('finds what was there at the snapshot after a restore, and nothing after a reset', async () => {
    const { service, ada, grace, send } = setUp()
    service.relationships.befriend(ada, grace)
    const token = service.token(ada)
    const mine = sender(service.fetch, baseUrl, token)
    const snapshot = service.snapshot()
    service.users.changeEmail(ada, 'ada@example.org')
    service.relationships.block(ada, grace)
    await mine('POST /auth/logout', {})

    service.restore(snapshot)
    expect(service.users.find('ada@example.org')).toBeUndefined()
    expect((await send('POST /auth/login', { login: 'ada@example.com', password })).status).toBe(200)
    expect((await mine<{ user_sessions: unknown[] }>('GET /auth/sessions')).body.user_sessions).toHaveLength(2)
    expect((await mine('GET /users/@me/relationships')).body).toMatchObject([{ id: grace.id, type: 1 }])
    service.users.changeEmail(ada, 'ada@example.net')
    expect(service.users.find('ada@example.com')).toBeUndefined()

    service.reset()
    expect(service.users.find('ada@example.com')).toBeUndefined()
    expect((await mine('GET /users/@me/relationships')).status).toBe(401)
    expect(() => service.users.create({ login: 'ada@example.com', username: 'ada' })).not.toThrow()
  })

  it('lists relationships in the order in which they began', async () => {
    const { service, ada, as } = setUp()
    const friends = ['c', 'a', 'b'].map((username) =>
      service.users.create({ login: `${username}@example.com`, username }),
    )
    for (const friend of friends) service.relationships.befriend(ada, friend)
    await as(ada)(`PATCH /users/@me/relationships/${friends[0]?.id}`, { nickname: 'C' })
    const { body } = await as(ada)<{ id: string }[]>('GET /users/@me/relationships')
    expect(body.map(({ id }) => id)).toEqual(friends.map(({ id }) => id))
  })

  it('finds a free username for more accounts of one display name than four digits can tell apart', () => {
    const { service } = setUp()
    const names = Array.from({ length: 10_020 }, (_, index) => {
      return service.users.create({ login: `${index}@example.com`, global_name: 'Linus' }).username
    })
    expect(new Set(names).size).toBe(10_020)
  })
})
