import type { MockService, MockUser } from 'rapport-sdk/mocks'
import { describe, expect, it } from 'vitest'
import { setUp } from './set-up'

describe('invalid data of a test', () => {
  it.each<[string, (service: MockService, users: { ada: MockUser; grace: MockUser }) => unknown, string]>([
    [
      'an application with an unknown option',
      ({ applications }, { ada }) => applications.create({ owner: ada, nam: 'Chess' } as never),
      'applications.create: nam: unknown; expected one of owner, name, members, assets, featured',
    ],
    [
      'an application with a number as its name',
      ({ applications }, { ada }) => applications.create({ owner: ada, name: 5 as never }),
      'applications.create: name: expected a non-empty string, got 5',
    ],
    [
      'an application without an owner',
      ({ applications }) => applications.create({} as never),
      'applications.create: owner: required',
    ],
    [
      'an application without options',
      ({ applications }) => applications.create(null as never),
      'applications.create: (value): expected an object, got null',
    ],
    [
      'an application with one member that is no array',
      ({ applications }, { ada, grace }) => applications.create({ owner: ada, members: grace as never }),
      'applications.create: members: expected an array, got an object',
    ],
    [
      'an application with a member that is no user',
      ({ applications }, { ada }) => applications.create({ owner: ada, members: [7 as never] }),
      'applications.create: members[0]: expected a user or the ID of one, got 7',
    ],
    [
      'an application with an asset that JSON cannot represent',
      ({ applications }, { ada }) => applications.create({ owner: ada, assets: [{ id: '8', size: Number.NaN }] }),
      'applications.create: assets[0].size: expected a value that JSON can represent, got NaN',
    ],
    [
      'an asset that is no object',
      ({ applications }, { ada }) => applications.create({ owner: ada, assets: ['hero' as never] }),
      'applications.create: assets[0]: expected an object, got "hero"',
    ],
    [
      'an application that is featured by a string',
      ({ applications }, { ada }) => applications.create({ owner: ada, featured: 'no' as never }),
      'applications.create: featured: expected true or false, got "no"',
    ],
    [
      'a bot token of no application',
      ({ applications }) => applications.botToken(null as never),
      'the mock service has no application undefined',
    ],
    [
      'an identity with an unknown option',
      ({ identities, applications }, { ada }) =>
        identities.create({
          application: applications.create({ owner: ada }),
          user: ada,
          externalUserId: '1',
          usernam: 'x',
        } as never),
      'identities.create: usernam: unknown; expected one of application, user, externalUserId, username, ',
    ],
    [
      'an identity without an external ID',
      ({ identities, applications }, { ada }) =>
        identities.create({ application: applications.create({ owner: ada }), user: ada } as never),
      'identities.create: externalUserId: required',
    ],
    [
      'an identity with metadata that JSON cannot represent',
      ({ identities, applications }, { ada }) =>
        identities.create({
          application: applications.create({ owner: ada }),
          user: ada,
          externalUserId: '1',
          metadata: { rank: new Map() },
        }),
      'identities.create: metadata.rank: ',
    ],
    [
      'an identity with a username longer than the document allows',
      ({ identities, applications }, { ada }) =>
        identities.create({
          application: applications.create({ owner: ada }),
          user: ada,
          externalUserId: '1',
          username: 'x'.repeat(1025),
        }),
      'identities.create: username: 1025 characters, at most 1024',
    ],
    [
      'an identity with profile data of another form',
      ({ identities, applications }, { ada }) =>
        identities.create({
          application: applications.create({ owner: ada }),
          user: ada,
          externalUserId: '1',
          data: { dynamic: 5 } as never,
        }),
      'identities.create: data.dynamic: expected an array, got the number 5',
    ],
    ['no layout', ({ layouts }) => layouts.define(undefined as never), 'layouts.define: definition: required'],
    [
      'a layout without components',
      ({ layouts }) => layouts.define({ key: 'grid', surface: 'widget_top', display_name: 'Grid' } as never),
      'layouts.define: definition.components: required',
    ],
    [
      'a layout whose key no snapshot can have',
      ({ layouts }) =>
        layouts.define({ key: '__proto__', surface: 'widget_top', display_name: 'Grid', components: {} } as never),
      'layouts.define: definition.key: not a key',
    ],
    [
      'a friend request with an unknown option',
      ({ relationships }, { ada, grace }) => relationships.request(ada, grace, { notes: 'Hi' } as never),
      'relationships.request: notes: unknown; expected one of note, spam',
    ],
    [
      'a friend request with a note longer than the document allows',
      ({ relationships }, { ada, grace }) => relationships.request(ada, grace, { note: 'x'.repeat(121) }),
      'relationships.request: note: 121 characters, at most 120',
    ],
    [
      'a suggestion with null as its options',
      ({ users }, { ada, grace }) => users.suggest(ada, grace, null as never),
      'users.suggest: (value): expected an object, got null',
    ],
    [
      'a suggestion with a reason of another form',
      ({ users }, { ada, grace }) => users.suggest(ada, grace, { reasons: ['school' as never] }),
      'users.suggest: reasons[0]: expected an object, got "school"',
    ],
    [
      'suggested games with an unknown option',
      ({ users }, { ada }) => users.suggestGames(ada, { game: ['1'] } as never),
      'users.suggestGames: game: unknown; expected one of games, wishlist',
    ],
    [
      'suggested games that are no array',
      ({ users }, { ada }) => users.suggestGames(ada, { games: '1' as never }),
      'users.suggestGames: games: expected an array, got "1"',
    ],
    [
      'a token with an unknown option',
      (service, { ada }) => service.token(ada, { oauth: '1' } as never),
      'token: oauth: unknown; expected one of oauth2, userAgent, ip',
    ],
    [
      'a token of an IP address that is none',
      (service, { ada }) => service.token(ada, { ip: '' }),
      'token: ip: expected a non-empty string, got ""',
    ],
    [
      'a phone token of null',
      ({ users }) => users.phoneToken(null as never),
      'users.phoneToken: phone: expected a phone number in E.164 format, got null',
    ],
    [
      'a phone token of a word',
      ({ users }) => users.phoneToken('x'),
      'users.phoneToken: phone: expected a phone number in E.164 format, got "x"',
    ],
    [
      'a verification token of no address',
      ({ users }, { ada }) => users.verificationToken(ada, ''),
      'users.verificationToken: ip: expected a non-empty string, got ""',
    ],
    [
      'a client at no address',
      (service) => service.fetchFrom(''),
      'fetchFrom: ip: expected a non-empty string, got ""',
    ],
    ['a login that is a number', ({ users }) => users.find(5 as never), 'users.find: login: expected a string, got 5'],
    ['no login', ({ users }) => users.find(undefined as never), 'users.find: login: required'],
    [
      'a username that shows nothing',
      ({ users }) => users.create({ login: 'x@example.com', username: ' \u200b' }),
      'users.create: username: expected a name with a visible character, got " ',
    ],
    [
      'a clock that is frozen by a string',
      ({ clock }) => clock.freeze('no' as never),
      'clock.freeze: expected true or false, got "no"',
    ],
    [
      'a refused upgrade with a body that JSON cannot represent',
      ({ gateway }) => gateway.refuse({ status: 503, body: { at: Number.POSITIVE_INFINITY } }),
      'gateway.refuse: body.at: expected a value that JSON can represent, got Infinity',
    ],
    [
      'an event with data that JSON cannot represent',
      ({ gateway }) => gateway.emit('READY', new Set()),
      'gateway.emit: data: expected a value that JSON can represent, got an instance of Set',
    ],
    [
      'a frame that JSON cannot represent',
      ({ gateway }) => gateway.sendRaw(undefined),
      'gateway.sendRaw: frame: required',
    ],
    [
      'a stub with a body that JSON cannot represent',
      ({ stubs }) => stubs.on('GET /guilds', { body: { members: new Map() } }),
      'body.members: expected a value that JSON can represent, got an instance of Map',
    ],
  ])('%s is refused, and a snapshot is as before', (_, run, message) => {
    const { service, ada, grace } = setUp()
    const isFrozen = service.clock.isFrozen
    expect(() => run(service, { ada, grace })).toThrow(message)
    expect(service.clock.isFrozen).toBe(isFrozen)
    service.restore(JSON.parse(JSON.stringify(service.snapshot())))
    expect(
      service.users
        .all()
        .map(({ username }) => username)
        .slice(0, 2),
    ).toEqual(['ada', 'grace'])
  })

  it.each<[object, string]>([
    [{ too: 'ada@example.com' }, 'mail.waitFor: too: unknown; expected one of to, kind, after, timeout, signal'],
    [{ to: 5 }, 'mail.waitFor: to: expected a string, got 5'],
    [{ after: 'x' }, 'mail.waitFor: after: expected the ID of a message, got "x"'],
    [{ timeout: '5 s' }, 'mail.waitFor: timeout: expected milliseconds or a string such as "30s", "5m" or "2d"'],
  ])('mail.waitFor() rejects the options %j at once', async (options, message) => {
    const { service } = setUp()
    await expect(service.mail.waitFor(options)).rejects.toThrow(message)
    expect(() => service.sms.last(7 as never)).toThrow('sms.last: to: expected a string, got 7')
  })

  it('a username is of any length, as the API document limits none', () => {
    const { service } = setUp()
    const username = 'x'.repeat(5000)
    expect(service.users.create({ login: 'x@example.com', username }).username).toBe(username)
  })

  it('the body of a fault is the one that was set, whatever becomes of the object', async () => {
    const { service, send } = setUp()
    const body: Record<string, unknown> = { code: 1 }
    service.faults.on('Get Location Metadata', { status: 503, body })
    body.code = Number.NaN
    expect((await send('GET /auth/location-metadata')).body).toEqual({ code: 1 })
  })

  it.each<[string, (service: MockService) => unknown]>([
    ['service.onEvent', (service) => service.onEvent(null as never)],
    ['service.onClose', (service) => service.onClose(new Map() as never)],
  ])('%s refuses a listener that is not a function', (name, listen) => {
    expect(() => listen(setUp().service)).toThrow(`${name}: listener: expected a function, got `)
  })
})
