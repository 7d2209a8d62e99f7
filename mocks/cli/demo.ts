import type { MockService } from '../service'
import type { Account } from './output'

const password = 'correct horse battery staple'

export function seedDemo(service: MockService): Account[] {
  const { users, relationships } = service
  const create = (username: string, global_name: string, mfa: readonly ('totp' | 'sms' | 'backup')[] = []) =>
    users.create({ login: `${username}@example.com`, username, global_name, password, mfa })
  const ada = create('ada', 'Ada', ['totp', 'sms', 'backup'])
  const grace = create('grace', 'Grace')
  const linus = create('linus', 'Linus')
  const edsger = create('edsger', 'Edsger')
  const barbara = create('barbara', 'Barbara')

  relationships.befriend(ada, grace)
  relationships.request(linus, ada, { note: 'Met you at the compiler meetup.' })
  relationships.request(edsger, ada, { spam: true })
  users.suggest(ada, barbara, { reasons: [{ type: 1, platform: 'chess', name: 'barbara_l' }] })

  const game = service.applications.create({ owner: grace, name: 'Bridge Builder', members: [ada] })
  service.identities.create({ application: game, user: ada, externalUserId: 'ada-1815', username: 'ada_plays' })
  users.suggestGames(ada, { games: [game.id] })
  users.disable(edsger)

  return [
    {
      id: ada.id,
      password,
      description: 'signs in with a second factor; has a friend, two requests and a suggestion',
    },
    { id: grace.id, password, description: `owns the application ${game.id}` },
    { id: linus.id, password, description: 'has sent a friend request to Ada' },
    { id: edsger.id, password, description: 'disabled; log in with undelete' },
  ]
}
