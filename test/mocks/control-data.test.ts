import { expect, it } from 'vitest'
import { cpuTimeOf } from '../cpu-time'
import { startControl } from './control'

it('`DELETE /users` takes as long for all accounts at once as for a few at a time', async () => {
  const { control, service } = await startControl()
  const removeAll = async (size: number) => {
    let last = service.users.create({ login: 'first@example.com' })
    for (let index = 1; index < size; index += 1) {
      const user = service.users.create({ login: `${index}@example.com`, username: `user_${index}` })
      service.relationships.befriend(user, last)
      last = user
    }
    expect((await control('DELETE /users')).status).toBe(204)
    expect(service.users.all()).toEqual([])
  }
  const total = 6000
  const inBatchesOf = (size: number) =>
    cpuTimeOf(async () => {
      for (let rest = total; rest > 0; rest -= size) await removeAll(size)
    })
  await inBatchesOf(60)
  // Linear is at most 1, quadratic about 5.
  const growth = async () => (await inBatchesOf(total)) / (await inBatchesOf(60))
  const measured: number[] = []
  while (measured.length < 3 && !measured.some((one) => one < 2)) measured.push(await growth())
  expect(Math.min(...measured)).toBeLessThan(2)
})

it('an account is removed with all that refers to it, and nothing else', async () => {
  const { control, service, ada } = await startControl()
  const [grace, linus] = ['grace', 'linus'].map((username) =>
    service.users.create({ login: `${username}@example.com`, username }),
  )
  if (grace === undefined || linus === undefined) throw new Error('two accounts were created')
  const application = service.applications.create({ owner: grace })
  service.identities.create({ application, user: linus, externalUserId: 'linus' })
  service.relationships.befriend(grace, ada)
  service.relationships.befriend(linus, ada)
  service.users.suggest(linus, grace)
  service.users.suggest(linus, ada)
  service.users.suspend(grace)
  service.token(linus, { oauth2: application })
  service.token(linus)
  expect((await control('DELETE /users/grace')).status).toBe(204)
  const { database } = service.snapshot()
  expect(JSON.stringify({ ...database, mail: [] })).not.toContain(grace.id)
  expect(JSON.stringify(database)).not.toContain(application.id)
  expect(service.users.all().map(({ username }) => username)).toEqual(['ada', 'linus'])
  expect(service.relationships.between(linus, ada)).toBe(1)
  expect(database.sessions).toHaveLength(1)
  expect(database.suggestions).toMatchObject([[linus.id, [{ suggestedId: ada.id }]]])
})
