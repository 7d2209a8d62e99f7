import type { MockService } from './service'

/** An account of the demo, with what signs in to it. */
export interface DemoAccount {
  readonly login: string
  readonly password: string
  readonly username: string
  /** What the account shows. */
  readonly about: string
  /** TOTP secret in base32, where the account has a second factor. */
  readonly totpSecret?: string
  readonly backupCodes?: readonly string[]
}

const password = 'correct horse battery staple'

/** Fills a service with a handful of people, an application and what they are to each other. */
export function seedDemo(service: MockService): DemoAccount[] {
  const { users, relationships } = service
  const create = (username: string, global_name: string, mfa: readonly ('totp' | 'backup')[] = []) =>
    users.create({ login: `${username}@example.com`, username, global_name, password, mfa })
  const ada = create('ada', 'Ada', ['totp', 'backup'])
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

  const account = { password }
  return [
    {
      ...account,
      login: 'ada@example.com',
      username: 'ada',
      about: 'signs in with a second factor, has a friend, two requests and a suggestion',
      totpSecret: users.totpSecret(ada),
      backupCodes: users.backupCodes(ada),
    },
    { ...account, login: 'grace@example.com', username: 'grace', about: `owns the application ${game.id}` },
    { ...account, login: 'linus@example.com', username: 'linus', about: 'waits for Ada to accept' },
    { ...account, login: 'edsger@example.com', username: 'edsger', about: 'disabled: log in with undelete' },
  ]
}
