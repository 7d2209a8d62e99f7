// The data of seeds: files of the command, and what the control API adds.
import type { LayoutDefinition } from '../../src/contract/widget-configs'
import { createIssue, formatIssues, type Issue } from '../../src/internal/issue'
import { isObject } from '../../src/internal/json'
import { parseTime } from '../clock'
import type { Fault } from '../faults'
import type { PolicySettings } from '../policy'
import type { EndpointSelector } from '../router'
import * as seeds from '../seed/data'
import { type AddPasskeyOptions, type CreateUserOptions, PASSKEY_OPTIONS, USER_OPTIONS } from '../seed/users'
import type { MockService } from '../service'
import * as option from '../settings'
import { assertOptions, type JsonSchema, OptionsError } from '../settings'
import { policySettingsCheck } from '../state/policy-settings'
import type { AccountStatus } from '../table'
import { ControlProblem, given, requireApplication, requireUser } from './row'
import { APPLICATION, createApplication, GAME_SUGGESTION, PAIR, pairOf, SUGGESTION, suggest } from './rows-accounts'
import { addFault, FAULT } from './rows-service'

/** An account of a seed. */
export interface Account {
  readonly id: string
  readonly password: string | undefined
  /** Description of the account. */
  readonly description: string
}

/** Returns the value of `seed` in a seed file, for the options of the service. */
export function seedOf(data: unknown): number | undefined {
  const seed: unknown = isObject(data) ? Reflect.get(data, 'seed') : undefined
  return SEED('seed', seed).length === 0 ? Number(seed) : undefined
}

/**
 * Adds the data of a seed file to a service.
 * @param subject The file, for the message.
 * @returns the accounts of the file.
 * @throws OptionsError with the path of each mistake, or of the first entry that the service refuses; the service then has
 * those before it.
 */
export function applySeed(service: MockService, data: unknown, subject: string): Account[] {
  assertOptions(subject, data, FILE)
  // The checks accept only such data.
  const { policy, now, ...lists } = data as SeedData
  if (policy !== undefined) service.changePolicy(policy)
  // Before the other data, which get times from the clock.
  if (now !== undefined) stopClock(service, now)
  const accounts: Account[] = []
  for (const [name, { apply }] of Object.entries(LISTS)) {
    const items: readonly unknown[] = Reflect.get(lists, name) ?? []
    for (const [index, item] of items.entries()) {
      try {
        given('', () => apply(service, item, accounts))
      } catch (error) {
        throw toOptionsError(subject, [name, index], error)
      }
    }
  }
  return accounts
}

export function stopClock({ clock }: MockService, time: string): void {
  // Frozen first, so that no time passes in between.
  clock.freeze()
  clock.set(time)
}

/** Number of names that a message lists. */
const MAX_NAMES = 10

/** Returns the error of an entry that the service refuses. */
function toOptionsError(subject: string, place: Issue['path'], error: unknown): unknown {
  const [first] = error instanceof ControlProblem ? error.errors : []
  if (first === undefined) return error
  const names = first.allowed?.slice(0, MAX_NAMES).join(', ')
  const known = names === undefined ? '' : `; known: ${names || 'none'}`
  const issue = createIssue([...place, ...first.path.split('/').slice(1)], 'invalid_value', first.message + known)
  return new OptionsError(`${subject}: ${formatIssues([issue]).trim()}`, [issue])
}

/** An account of a seed. */
export interface SeedUser extends CreateUserOptions {
  /** Status of the account. Default: active. */
  readonly status?: Exclude<AccountStatus, 'active'>
  /** Passkeys of real authenticators. */
  readonly passkeys?: readonly AddPasskeyOptions[]
}

/** An application of a seed. */
export interface SeedApplication extends Omit<seeds.CreateApplicationOptions, 'owner' | 'members'> {
  /** Owner: login, username or ID. */
  readonly owner: string
  /** Users with access besides the owner: logins, usernames or IDs. */
  readonly members?: readonly string[]
  /** Users who have authorized the application: logins, usernames or IDs. */
  readonly authorizedBy?: readonly string[]
}

/** A relationship of two users in a seed. */
export interface SeedRelationship extends seeds.SeedRequestOptions {
  /** Action of `user` on `target`: make friends, send a request, block, or create an implicit relationship. */
  readonly action: 'befriend' | 'request' | 'block' | 'implicit'
  /** User who acts: login, username or ID. */
  readonly user: string
  /** The other user: login, username or ID. */
  readonly target: string
}

/** An account of a user in an application, in a seed. */
export interface SeedIdentity extends Omit<seeds.CreateIdentityOptions, 'application' | 'user'> {
  /** Application: name or ID. */
  readonly application: string
  /** The user: login, username or ID. */
  readonly user: string
}

/** A friend suggestion of a seed. */
export interface SeedSuggestion extends seeds.SuggestOptions {
  /** User who receives it: login, username or ID. */
  readonly user: string
  /** The suggested user: login, username or ID. */
  readonly target: string
}

/** Games suggested to a user in a seed, by name or ID. */
export interface SeedGameSuggestion extends seeds.SuggestGamesOptions {
  /** The user: login, username or ID. */
  readonly user: string
}

/** A fault of an endpoint in a seed. */
export interface SeedFault {
  /** Name of the endpoint, or method and path. */
  readonly endpoint: EndpointSelector
  /** Requests that it affects; the user is given by login, username or ID. Default: all of the endpoint. */
  readonly match?: { readonly user?: string }
}

/** Data to add: the contents of a seed file without the seed of IDs. Later lists refer to the accounts of earlier ones. */
export interface SeedData {
  /** Lets the clock stand at this time. Default: it stays as it is. */
  readonly now?: string
  /** Changes of the policy. */
  readonly policy?: PolicySettings
  /** Accounts. */
  readonly users?: readonly SeedUser[]
  /** Applications with their bots. */
  readonly applications?: readonly SeedApplication[]
  /** Accounts of users in applications. */
  readonly identities?: readonly SeedIdentity[]
  /** Relationships of users. */
  readonly relationships?: readonly SeedRelationship[]
  /** Friend suggestions. */
  readonly suggestions?: readonly SeedSuggestion[]
  /** Games suggested for widgets. */
  readonly gameSuggestions?: readonly SeedGameSuggestion[]
  /** Layout definitions. */
  readonly layouts?: readonly LayoutDefinition[]
  /** Faults of endpoints. */
  readonly faults?: readonly (SeedFault & Fault)[]
}

const STATUSES = {
  disabled: ({ users }, id) => users.disable(id),
  deletion_scheduled: ({ users }, id) => users.scheduleDeletion(id),
  suspended: ({ users }, id) => void users.suspend(id),
  locked: ({ users }, id) => users.lock(id),
} satisfies Record<NonNullable<SeedUser['status']>, (service: MockService, id: string) => void>

const ACTIONS = ['befriend', 'request', 'block', 'implicit'] as const

/** Entries of one list of the file. */
interface List {
  readonly check: option.Check
  apply(service: MockService, item: unknown, accounts: Account[]): void
}

function list<T>(check: option.Check, apply: (service: MockService, item: T, accounts: Account[]) => void): List {
  // The check accepts only items of the type `T`.
  return { check, apply: (service, item, accounts) => apply(service, item as T, accounts) }
}

/** The lists of the file, in the order in which they are applied: later ones refer to earlier ones. */
const LISTS: Readonly<Record<string, List>> = {
  users: list<SeedUser>(
    option.nested(
      {
        ...USER_OPTIONS,
        status: option.oneOf(...Object.keys(STATUSES)),
        passkeys: option.each(option.nested(PASSKEY_OPTIONS, ['id', 'publicKey'])),
      },
      ['login'],
    ),
    (service, { status, passkeys = [], ...options }, accounts) => {
      const { id, username } = service.users.create(options)
      for (const passkey of passkeys) service.users.addPasskey(id, passkey)
      if (status !== undefined) STATUSES[status](service, id)
      const description = status === undefined ? username : `${username}, ${status}`
      accounts.push({ id, password: options.password, description })
    },
  ),
  applications: list<SeedApplication>(
    option.nested({ ...APPLICATION, authorizedBy: option.each(option.string) }, ['owner']),
    (service, { authorizedBy = [], ...options }) => {
      const users = authorizedBy.map((user, index) => requireUser(service, user, `/authorizedBy/${index}`))
      const { id } = createApplication(service, options)
      for (const user of users) service.applications.authorize(id, user)
    },
  ),
  identities: list<SeedIdentity>(
    option.nested({ ...seeds.IDENTITY_OPTIONS, application: option.string, user: option.string }, seeds.IDENTITY),
    (service, { application, user, ...options }) =>
      service.identities.create({
        ...options,
        application: requireApplication(service, application, '/application'),
        user: requireUser(service, user, '/user'),
      }),
  ),
  relationships: list<SeedRelationship>(
    option.nested({ action: option.oneOf(...ACTIONS), ...PAIR, ...seeds.REQUEST_OPTIONS }, [
      'action',
      'user',
      'target',
    ]),
    (service, { action, user, target, ...options }) => {
      const pair = pairOf(service, { user, target })
      const [stray] = action === 'request' ? [] : Object.keys(options)
      if (stray !== undefined) throw new Error(`${stray}: only allowed with the action "request"`)
      service.relationships[action === 'implicit' ? 'addImplicit' : action](...pair, options)
    },
  ),
  suggestions: list(SUGGESTION, suggest),
  gameSuggestions: list<SeedGameSuggestion>(GAME_SUGGESTION, (service, { user, games = [], wishlist = [] }) => {
    const idsOf = (field: string, all: readonly string[]) =>
      all.map((game, index) => requireApplication(service, game, `/${field}/${index}`).id)
    const ids = { games: idsOf('games', games), wishlist: idsOf('wishlist', wishlist) }
    service.users.suggestGames(requireUser(service, user, '/user'), ids)
  }),
  layouts: list<LayoutDefinition>(seeds.layout, ({ layouts }, item) => layouts.define(item)),
  faults: list(FAULT, addFault),
}

const SEED = option.integer(0, 2 ** 31 - 1)

const DATA: option.OptionChecks = {
  // For editors.
  $schema: option.string,
  now: option.check('a time such as "2026-01-01T00:00:00Z"', (value) => !Number.isNaN(parseTime(String(value))), {
    type: 'string',
  }),
  policy: policySettingsCheck,
  ...Object.fromEntries(Object.entries(LISTS).map(([name, one]) => [name, option.each(one.check)])),
}
const FILE: option.OptionChecks = { ...DATA, seed: SEED }

export const seedFileSchema = (): JsonSchema => option.schemaOf(option.nested(FILE)) ?? {}

/** Schema of {@link SeedData}; IDs are derived from the seed that the mock started with. */
export const SeedDataSchema = option.fromCheck<SeedData>(option.nested(DATA))
