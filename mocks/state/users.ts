import type { PartialUser } from '../../src/contract/relationships'
import { isWellFormed } from '../../src/internal/json'
import type { ServiceContext } from '../core'
import { type UserRecord, type UserRef, viewOf } from '../database'
import { apiError } from '../errors'

export function userOf({ db }: ServiceContext, ref: UserRef): UserRecord {
  const id = typeof ref === 'string' ? ref : Object(ref).id
  const user = db.users.get(id)
  if (user === undefined) throw new Error(`the mock service has no user ${id}; create it with service.users.create`)
  return user
}

/** Returns two different users. @throws Error if one does not exist, or both are the same. */
export function pairOf(core: ServiceContext, user: UserRef, other: UserRef): [UserRecord, UserRecord] {
  const [one, two] = [userOf(core, user), userOf(core, other)]
  if (one !== two) return [one, two]
  throw new Error(`expected two different users, got ${one.username} twice`)
}

export function requireUser(core: ServiceContext, id: string): UserRecord {
  const user = core.db.users.get(id)
  if (user === undefined) throw apiError(core.policy, 'unknownUser')
  return user
}

/** The document limits no name; an account whose name shows nothing would only be a mistake. */
export const isUsername = (value: unknown) =>
  typeof value === 'string' && isWellFormed(value) && /[\p{L}\p{M}\p{N}\p{P}\p{S}]/u.test(value)
export const isPhone = (value: unknown) => typeof value === 'string' && /^\+\d{3,15}$/.test(value)
export const isEmail = (value: unknown) => typeof value === 'string' && /^[^@\s\p{Cs}]+@[^@\s\p{Cs}]+$/u.test(value)
export const isLogin = (value: unknown) => isEmail(value) || isPhone(value)

export function findByLogin({ db }: ServiceContext, login: string): UserRecord | undefined {
  return db.users.find('email', login.toLowerCase()) ?? db.users.find('phone', login)
}

export function findByUsername({ db }: ServiceContext, username: string): UserRecord | undefined {
  return db.users.find('username', username.toLowerCase())
}

export function partialUser(core: ServiceContext, id: string): PartialUser {
  const user = core.db.users.get(id)
  return user === undefined ? { id } : core.policy.partialUser(viewOf(user))
}

/** Adds an account; fields that are not given are empty. The caller checks that username and login are unused. */
export function addUser(
  core: ServiceContext,
  { id = core.random.snowflake(), ...rest }: Partial<UserRecord> & Pick<UserRecord, 'username'>,
): UserRecord {
  const user: UserRecord = {
    id,
    discriminator: null,
    global_name: null,
    email: null,
    phone: null,
    phoneHistory: [],
    password: null,
    locale: 'en-US',
    theme: 'dark',
    status: 'active',
    mfa: [],
    totpSecret: '',
    backupCodes: [],
    passkeys: [],
    authorizedIps: [],
    bot_of: null,
    ...rest,
  }
  if (user.phone !== null && !user.phoneHistory.includes(user.phone)) user.phoneHistory.push(user.phone)
  core.db.users.set(id, user)
  core.emit({ type: 'user', action: 'created', user: viewOf(user) })
  return user
}

/** Removes an account with all that belongs to it: sessions, relationships of both sides, and its applications. */
export function removeUser(core: ServiceContext, user: UserRecord): void {
  const { db } = core
  for (const session of db.sessions.where('userId', user.id)) core.publish({ kind: 'session_ended', session })
  for (const table of [db.sessions, db.tickets, db.grants, db.handoffs, db.identities, db.elevations] as const) {
    table.deleteWhere('userId', user.id)
  }
  db.suspendedTokens.deleteWhere('userId', user.id)
  for (const table of [db.relationships, db.gameRelationships] as const) {
    table.deleteWhere('userId', user.id)
    table.deleteWhere('targetId', user.id)
  }
  for (const [userId, suggestions] of db.suggestions.entriesWhere('suggestedId', user.id)) {
    db.suggestions.set(
      userId,
      suggestions.filter(({ suggestedId }) => suggestedId !== user.id),
    )
  }
  for (const table of [db.suggestions, db.widgets, db.suggestedGames]) table.delete(user.id)
  db.users.delete(user.id)
  core.emit({ type: 'user', action: 'removed', user: viewOf(user) })
  for (const { id } of db.applications.where('ownerId', user.id)) removeApplication(core, id)
}

function removeApplication(core: ServiceContext, applicationId: string): void {
  const { db } = core
  db.applications.delete(applicationId)
  for (const table of [db.widgetConfigs, db.identities, db.gameRelationships, db.sessions] as const) {
    table.deleteWhere('applicationId', applicationId)
  }
  for (const bot of db.users.where('bot_of', applicationId)) removeUser(core, bot)
}

const ADJECTIVES = ['amber', 'brisk', 'calm', 'dapper', 'eager', 'fuzzy', 'gentle', 'happy', 'jolly', 'lucky']
const NOUNS = ['badger', 'comet', 'falcon', 'harbor', 'lantern', 'maple', 'otter', 'pebble', 'river', 'willow']

/** Returns an unused username, derived from the display name if there is one, else random. */
export function generateUsername(core: ServiceContext, globalName?: string | null): string {
  const pick = (words: readonly string[]) => words[core.random.integer(words.length)]
  const plain = globalName
    ?.normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9._]/g, '')
  const preferred = plain || `${pick(ADJECTIVES)}_${pick(NOUNS)}`
  if (findByUsername(core, preferred) === undefined) return preferred
  return generateUnused(
    (more) => `${preferred}${core.random.digits(4 + more)}`,
    (username) => findByUsername(core, username) === undefined,
  )
}

/**
 * Generates values until one is unused, with more digits over time, so that an exhausted range does not loop forever.
 */
export function generateUnused(make: (moreDigits: number) => string, isFree: (value: string) => boolean): string {
  for (let tries = 0; ; tries++) {
    const value = make(Math.floor(tries / 10))
    if (isFree(value)) return value
  }
}
