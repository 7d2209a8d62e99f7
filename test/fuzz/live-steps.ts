import fc from 'fast-check'
import { type Client, RelationshipType } from 'rapport-sdk'
import { vi } from 'vitest'
import { outcomeOf } from './answers'
import type { LiveWorld, Person } from './live-world'

/** What somebody does about somebody else. */
const ACTIONS = {
  request: (client: Client, whom: string) => client.relationships.create(whom, { note: `to ${whom}` }),
  accept: (client: Client, whom: string) => client.relationships.accept(whom),
  block: (client: Client, whom: string) => client.relationships.block(whom),
  part: (client: Client, whom: string) => client.relationships.delete(whom),
  ignore: (client: Client, whom: string) => client.relationships.ignore(whom),
  unignore: (client: Client, whom: string) => client.relationships.unignore(whom),
  name: (client: Client, whom: string) => client.relationships.update(whom, { nickname: `named ${++names}` }),
  clear: (client: Client) => client.relationships.deleteBulk(),
} as const
const GAME_ACTIONS = {
  play: (client: Client, whom: string) => client.gameRelationships.create(whom),
  stop: (client: Client, whom: string) => client.gameRelationships.delete(whom),
} as const
let names = 0

/** What goes wrong, with one of the two who have stores. */
const FAULTS = {
  drop: ({ service }: LiveWorld, { user }: Person) => service.gateway.drop(1006, { user }),
  reconnect: ({ service }: LiveWorld, { user }: Person) => service.gateway.reconnect({ user }),
  'invalid, resumable': ({ service }: LiveWorld, { user }: Person) => service.gateway.invalidSession(true, { user }),
  invalid: ({ service }: LiveWorld, { user }: Person) => service.gateway.invalidSession(false, { user }),
  duplicate: ({ service }: LiveWorld, { user }: Person) => service.gateway.duplicate({ user }),
  'duplicate the next': ({ service }: LiveWorld, { user }: Person) => service.gateway.duplicate({ user, times: 2 }),
  refuse: ({ service }: LiveWorld) => service.gateway.refuse({ times: 2 }),
  freeze: ({ service }: LiveWorld, { user }: Person) => service.gateway.freeze({ user }),
  thaw: ({ service }: LiveWorld) => service.gateway.clear(),
  lose: (_: LiveWorld, person: Person) => void person.losses++,
  'invalid payload': ({ service }: LiveWorld, { user }: Person) =>
    service.gateway.emit('Relationship Add', { id: '1' }, { to: user }),
  'malformed frame': ({ service }: LiveWorld, { user }: Person) => service.gateway.sendRaw('{"op":0', { user }),
  'sign out': (_: LiveWorld, { client }: Person) => void outcomeOf(client.session.setToken(null)),
  'sign in': (_: LiveWorld, { client, token }: Person) => void outcomeOf(client.session.setToken(token)),
  'an unknown update': ({ service }: LiveWorld, { user }: Person) =>
    service.gateway.emit('Relationship Update', { id: '1', nickname: 'who' }, { to: user }),
  disconnect: (_: LiveWorld, { client }: Person) => void client.gateway.disconnect(),
  connect: (_: LiveWorld, { client }: Person) => void outcomeOf(client.gateway.connect()),
  'hold requests': (_: LiveWorld, person: Person) => {
    person.holds = 'requests'
  },
  'hold answers': (_: LiveWorld, person: Person) => {
    person.holds = 'answers'
  },
  release: (_: LiveWorld, person: Person) => {
    person.holds = undefined
    for (const go of person.waiting.splice(0)) go()
  },
  'release the last': (_: LiveWorld, { waiting }: Person) => waiting.pop()?.(),
  'fail lists': ({ service }: LiveWorld) => service.faults.on('Get Relationships', { status: 500, times: 1 }),
} as const

/** One thing that happens. */
export type LiveStep =
  | { readonly what: 'act'; readonly how: keyof typeof ACTIONS; readonly who: number; readonly whom: number }
  | {
      readonly what: 'play'
      readonly how: keyof typeof GAME_ACTIONS
      readonly who: number
      readonly whom: number
      readonly game: number
    }
  | { readonly what: 'befriend' | 'imply'; readonly who: number; readonly whom: number }
  | { readonly what: 'fault'; readonly how: keyof typeof FAULTS; readonly who: number }
  | { readonly what: 'refresh'; readonly which: number }
  | { readonly what: 'pass'; readonly ms: number }
  /** What comes next comes at once, before anything has reached anybody. */
  | { readonly what: 'hurry' }

const user = fc.nat(2)
const keys = <T extends object>(of: T) => fc.constantFrom(...(Object.keys(of) as (keyof T)[]))
const step: fc.Arbitrary<LiveStep> = fc.oneof(
  {
    weight: 10,
    arbitrary: fc.record({ what: fc.constant('act' as const), how: keys(ACTIONS), who: user, whom: user }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      what: fc.constant('play' as const),
      how: keys(GAME_ACTIONS),
      who: user,
      whom: user,
      game: fc.nat(1),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ what: fc.constantFrom('befriend' as const, 'imply' as const), who: user, whom: user }),
  },
  { weight: 12, arbitrary: fc.record({ what: fc.constant('fault' as const), how: keys(FAULTS), who: fc.nat(1) }) },
  { weight: 3, arbitrary: fc.record({ what: fc.constant('refresh' as const), which: fc.nat(3) }) },
  {
    weight: 4,
    arbitrary: fc.record({ what: fc.constant('pass' as const), ms: fc.constantFrom(50, 260, 1_500, 6_000, 11_000) }),
  },
  { weight: 8, arbitrary: fc.constant({ what: 'hurry' as const }) },
)

/** Things that happen one after another, in any order. */
export const liveSteps: fc.Arbitrary<LiveStep[]> = fc.array(step, { maxLength: 50, size: 'max' })

/** Lets come what comes at once. */
export async function settle(): Promise<void> {
  for (let round = 0; round < 12; round++) await new Promise((resolve) => setImmediate(resolve))
}

/** Lets time pass. */
export async function pass(ms: number): Promise<void> {
  await settle()
  await vi.advanceTimersByTimeAsync(ms)
  await settle()
}

/** Does one step. */
export async function take(world: LiveWorld, step: LiveStep): Promise<void> {
  if (step.what === 'pass') return pass(step.ms)
  if (step.what === 'hurry') return
  if (step.what === 'refresh') return void outcomeOf(world.watched[step.which]?.store.refresh() ?? Promise.resolve())
  if (step.what === 'fault') {
    const person = world.people[step.who]
    if (person !== undefined) FAULTS[step.how](world, person)
    return
  }
  const [who, whom] = [world.users[step.who], world.users[step.whom]]
  if (who === undefined || whom === undefined || who === whom) return
  const game = step.what === 'play' ? world.games[step.game] : undefined
  // What is refused changes nothing.
  if (step.what === 'act') await outcomeOf(ACTIONS[step.how](world.plain(who), whom.id))
  else if (step.what === 'play') await outcomeOf(GAME_ACTIONS[step.how](world.plain(who, game), whom.id))
  else if (step.what === 'befriend') world.service.relationships.befriend(who, whom)
  else if (world.service.relationships.between(who, whom) === RelationshipType.NONE)
    world.service.relationships.addImplicit(who, whom)
}
