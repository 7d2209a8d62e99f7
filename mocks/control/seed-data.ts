// The data of seeds: files of the command, and what the control API adds.
import type { LayoutDefinition } from '../../src/contract/widget-configs'
import { createIssue, formatIssues, type Issue } from '../../src/internal/issue'
import { isObject } from '../../src/internal/json'
import { validateOptions } from '../../src/internal/options'
import { parseTime } from '../clock'
import { FAULT_OPTIONS, type Fault } from '../faults'
import type { PolicySettings } from '../policy'
import type { EndpointSelector } from '../router'
import {
  APPLICATION_OPTIONS,
  type CreateApplicationOptions,
  type CreateIdentityOptions,
  IDENTITY,
  IDENTITY_OPTIONS,
  layout,
} from '../seed/applications'
import { REQUEST_OPTIONS, type SeedRequestOptions } from '../seed/relationships'
import {
  type AddPasskeyOptions,
  type CreateUserOptions,
  GAME_OPTIONS,
  PASSKEY_OPTIONS,
  SUGGEST_OPTIONS,
  type SuggestGamesOptions,
  type SuggestOptions,
  USER_OPTIONS,
} from '../seed/users'
import type { MockService } from '../service'
import {
  array,
  type Check,
  check,
  each,
  integer,
  type JsonSchema,
  nested,
  type OptionChecks,
  OptionsError,
  oneOf,
  schemaOf,
  string,
  withSchema,
} from '../settings'
import { policySettingsCheck } from '../state/policy-settings'
import type { AccountStatus } from '../table'
import { ControlProblem, requireApplication, requireUser } from './row'
import { pairOf } from './rows-accounts'
import { addFault } from './rows-service'

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
 * @throws OptionsError with the path of each mistake; the service then has a part of the data.
 */
export function applySeed(service: MockService, data: unknown, subject: string): Account[] {
  const issues = validateOptions(data, TOP_LEVEL)
  const seeding: Seeding = { service, accounts: [], issues, names: namesIn(data) }
  if (isObject(data)) {
    // What is invalid is an issue already and is not used.
    const { policy, now } = data as { policy?: object; now?: string }
    const isInvalid = (name: string) => issues.some(({ path }) => path[0] === name)
    if (policy !== undefined && !isInvalid('policy')) service.changePolicy(policy)
    // Before the other data, which get times from the clock.
    if (now !== undefined && !isInvalid('now')) stopClock(service, now)
    for (const name of Object.keys(SECTIONS)) {
      const items: unknown = Reflect.get(data, name)
      if (Array.isArray(items)) for (const [index, item] of items.entries()) applyItem(seeding, name, index, item)
    }
  }
  if (issues.length > 0) throw new OptionsError(`${subject}:\n${formatIssues(issues)}`, issues)
  return seeding.accounts
}

export function stopClock({ clock }: MockService, time: string): void {
  // Frozen first, so that no time passes in between.
  clock.freeze()
  clock.set(time)
}

/** State of {@link applySeed}. */
interface Seeding {
  readonly service: MockService
  readonly accounts: Account[]
  readonly issues: Issue[]
  /** Logins and names of the users and applications of the file. */
  readonly names: ReadonlySet<unknown>
}

/** Entries of one list of the file. */
interface Section {
  readonly check: Check
  apply(seeding: Seeding, item: object): void
}

function applyItem(seeding: Seeding, name: string, index: number, item: unknown): void {
  const section = SECTIONS[name]
  const issues = section?.check(name, item) ?? []
  const add = (found: readonly Issue[]) =>
    seeding.issues.push(...found.map((issue) => ({ ...issue, path: [name, index, ...issue.path.slice(1)] })))
  add(issues)
  if (section === undefined || issues.length > 0 || !isObject(item)) return
  try {
    section.apply(seeding, item)
  } catch (error) {
    if (!isConsequence(error, item, seeding.names)) add([toIssue(name, item, error)])
  }
}

/** Returns the issue of an error of the service, whose message may begin with the function and the field. */
function toIssue(name: string, item: object, error: unknown): Issue {
  if (error instanceof ControlProblem) {
    const [{ path, message, allowed = [] } = { path: '', message: error.message }] = error.errors
    const more = allowed.length > MAX_NAMES ? ', …' : ''
    const known = allowed.length === 0 ? 'there is none' : `one of ${allowed.slice(0, MAX_NAMES).join(', ')}${more}`
    return createIssue([name, ...path.split('/').slice(1)], 'invalid_value', `${message}; ${known}`)
  }
  const message = (error instanceof Error ? error.message : String(error)).replace(/^(?:[\w.]+\.\w+|the fault): /, '')
  const [, field = '', rest = ''] = /^(\w+): (.*)$/s.exec(message) ?? []
  const path = Object.hasOwn(item, field) ? [name, field] : [name]
  return createIssue(path, 'invalid_value', path.length === 1 ? message : rest)
}

/** Number of names that a message lists. */
const MAX_NAMES = 10

/** Whether an error is about a reference to an entry of the file, which was refused itself. */
function isConsequence(error: unknown, item: object, names: ReadonlySet<unknown>): boolean {
  if (!(error instanceof ControlProblem)) return false
  const keys = error.errors[0]?.path.split('/').slice(1) ?? []
  return names.has(keys.reduce((value: unknown, key) => Reflect.get(Object(value), key), item))
}

/**
 * Returns the logins and names of the users and applications of a file, whether or not they can be created. Unknown
 * lists may be theirs, misspelt.
 */
function namesIn(data: unknown): Set<unknown> {
  const lists = Object.entries(Object(data)).filter(
    ([name]) => name === 'users' || name === 'applications' || !Object.hasOwn(TOP_LEVEL, name),
  )
  const items = lists.flatMap(([, list]): unknown => list)
  return new Set(items.flatMap((item) => ['login', 'username', 'name'].map((key) => Reflect.get(Object(item), key))))
}

function section<T extends object>(
  checks: OptionChecks,
  required: readonly string[],
  apply: (seeding: Seeding, item: T) => void,
): Section {
  // The checks accept only items of the type `T`.
  return { check: nested(checks, required), apply: (seeding, item) => apply(seeding, item as T) }
}

const strings = each(string)

/** An account of a seed. */
export interface SeedUser extends CreateUserOptions {
  /** Status of the account. Default: active. */
  readonly status?: Exclude<AccountStatus, 'active'>
  /** Passkeys of real authenticators. */
  readonly passkeys?: readonly AddPasskeyOptions[]
}

/** An application of a seed. */
export interface SeedApplication extends Omit<CreateApplicationOptions, 'owner' | 'members'> {
  /** Owner: login, username or ID. */
  readonly owner: string
  /** Users with access besides the owner: logins, usernames or IDs. */
  readonly members?: readonly string[]
  /** Users who have authorized the application: logins, usernames or IDs. */
  readonly authorizedBy?: readonly string[]
}

/** A relationship of two users in a seed. */
export interface SeedRelationship extends SeedRequestOptions {
  /** Action of `user` on `target`: make friends, send a request, block, or create an implicit relationship. */
  readonly action: 'befriend' | 'request' | 'block' | 'implicit'
  /** User who acts: login, username or ID. */
  readonly user: string
  /** The other user: login, username or ID. */
  readonly target: string
}

/** An account of a user in an application, in a seed. */
export interface SeedIdentity extends Omit<CreateIdentityOptions, 'application' | 'user'> {
  /** Application: name or ID. */
  readonly application: string
  /** The user: login, username or ID. */
  readonly user: string
}

/** A friend suggestion of a seed. */
export interface SeedSuggestion extends SuggestOptions {
  /** User who receives it: login, username or ID. */
  readonly user: string
  /** The suggested user: login, username or ID. */
  readonly target: string
}

/** Games suggested to a user in a seed, by name or ID. */
export interface SeedGameSuggestion extends SuggestGamesOptions {
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

/** The lists of the file, in the order in which they are applied: later ones refer to earlier ones. */
const SECTIONS: Readonly<Record<string, Section>> = {
  users: section<SeedUser>(
    {
      ...USER_OPTIONS,
      status: oneOf(...Object.keys(STATUSES)),
      passkeys: each(nested(PASSKEY_OPTIONS, ['id', 'publicKey'])),
    },
    ['login'],
    ({ service, accounts }, { status, passkeys = [], ...options }) => {
      const { id, username } = service.users.create(options)
      for (const passkey of passkeys) service.users.addPasskey(id, passkey)
      if (status !== undefined) STATUSES[status](service, id)
      accounts.push({
        id,
        password: options.password,
        description: [username, ...(status === undefined ? [] : [status])].join(', '),
      })
    },
  ),
  applications: section<SeedApplication>(
    { ...APPLICATION_OPTIONS, owner: string, members: strings, authorizedBy: strings },
    ['owner'],
    ({ service }, { owner, members = [], authorizedBy = [], ...options }) => {
      const users = authorizedBy.map((user, index) => requireUser(service, user, `/authorizedBy/${index}`))
      const { id } = service.applications.create({
        ...options,
        owner: requireUser(service, owner, '/owner'),
        members: members.map((member, index) => requireUser(service, member, `/members/${index}`)),
      })
      for (const user of users) service.applications.authorize(id, user)
    },
  ),
  identities: section<SeedIdentity>(
    { ...IDENTITY_OPTIONS, application: string, user: string },
    IDENTITY,
    ({ service }, { application, user, ...options }) =>
      service.identities.create({
        ...options,
        application: requireApplication(service, application, '/application'),
        user: requireUser(service, user, '/user'),
      }),
  ),
  relationships: section<SeedRelationship>(
    { action: oneOf(...ACTIONS), user: string, target: string, ...REQUEST_OPTIONS },
    ['action', 'user', 'target'],
    ({ service }, { action, user, target, ...options }) => {
      const pair = pairOf(service, { user, target })
      const [stray] = action === 'request' ? [] : Object.keys(options)
      if (stray !== undefined) throw new Error(`${stray}: only allowed with the action "request"`)
      service.relationships[action === 'implicit' ? 'addImplicit' : action](...pair, options)
    },
  ),
  suggestions: section<SeedSuggestion>(
    { user: string, target: string, ...SUGGEST_OPTIONS },
    ['user', 'target'],
    ({ service }, { user, target, ...options }) => service.users.suggest(...pairOf(service, { user, target }), options),
  ),
  gameSuggestions: section<SeedGameSuggestion>(
    { user: string, ...GAME_OPTIONS },
    ['user'],
    ({ service }, { user, games = [], wishlist = [] }) => {
      const idsOf = (field: string, all: readonly string[]) =>
        all.map((game, index) => requireApplication(service, game, `/${field}/${index}`).id)
      const ids = { games: idsOf('games', games), wishlist: idsOf('wishlist', wishlist) }
      service.users.suggestGames(requireUser(service, user, '/user'), ids)
    },
  ),
  layouts: {
    check: layout,
    // The check accepts only definitions.
    apply: ({ service }, item) => service.layouts.define(item as LayoutDefinition),
  },
  faults: {
    // The rest is validated when the fault is added.
    check: withSchema(
      (name, value) =>
        isObject(value) && typeof Reflect.get(value, 'endpoint') === 'string'
          ? []
          : [createIssue([name, 'endpoint'], 'required', 'required: the name of an endpoint, or method and path')],
      () => schemaOf(nested({ endpoint: string, ...FAULT_OPTIONS }, ['endpoint'])),
    ),
    // `faults.on` validates it.
    apply: ({ service }, item) => addFault(service, item as SeedFault & Fault),
  },
}

const SEED = integer(0, 2 ** 31 - 1)

const DATA: OptionChecks = {
  // For editors.
  $schema: string,
  now: check('a time such as "2026-01-01T00:00:00Z"', (value) => !Number.isNaN(parseTime(String(value))), {
    type: 'string',
  }),
  policy: policySettingsCheck,
  ...Object.fromEntries(Object.entries(SECTIONS).map(([name, one]) => [name, arrayOfSection(one)])),
}
const TOP_LEVEL: OptionChecks = { ...DATA, seed: SEED }

/** Creates the check of a list; its entries are checked when they are applied. */
function arrayOfSection(one: Section): Check {
  return withSchema(array, () => ({ type: 'array', items: schemaOf(one.check) }))
}

export const seedFileSchema = (): JsonSchema => schemaOf(nested(TOP_LEVEL)) ?? {}
export const seedDataSchema = (): JsonSchema => schemaOf(nested(DATA)) ?? {}
