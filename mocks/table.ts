// The tables of which the mock's database consists: maps with secondary indexes, and the schemas of their records.
import { GameRelationshipType } from '../src/contract/game-relationships'
import { AuthenticatorType } from '../src/contract/mfa'
import { ProfileDataSchema } from '../src/contract/profile-data'
import { FriendSuggestionReasonSchema, RelationshipType } from '../src/contract/relationships'
import * as s from '../src/contract/schema'
import { LayoutDefinitionSchema, WidgetConfigSchema } from '../src/contract/widget-configs'
import { GameWidgetSchema, SuggestedGamesSchema } from '../src/contract/widgets'
import { MAX_TIMESTAMP } from './clock'
import type { KnownSecrets } from './redaction/redaction'

/** Schema of a number in a range. */
export function within(schema: s.Schema<number>, min: number, max: number): s.Schema<number> {
  const message = `must be from ${min} to ${max}`
  return s.refine(
    schema,
    function* (value) {
      if (value < min || value > max) yield { code: 'invalid_value', message }
    },
    { minimum: min, maximum: max },
  )
}

/** Number of times, or a sequence number. */
export const counter = within(s.integer, 0, Number.MAX_SAFE_INTEGER)
/** A point in time that the clock can have. */
export const timestamp = within(s.integer, 0, MAX_TIMESTAMP)

type ValuesOf<F extends s.Fields> = { -readonly [K in keyof F]: s.ValueOfSchema<F[K]> }

/** Returns the schema of a record: of the fields that never change or only by `Table.update`, and of the others. */
export function record<F extends s.Fields, C extends s.Fields = Record<never, never>>(fixed: F, changing?: C) {
  // The compiler does not compare the fields of a generic type.
  return s.strictObject<Readonly<ValuesOf<F>> & ValuesOf<C>>()({ ...fixed, ...changing } as never)
}

export interface TableDefinition<T, Index extends string> {
  readonly schema: s.Schema<T>
  /** Returns the key of a record, if the record contains it. */
  keyOf?(record: T): string
  readonly indexes: Indexes<T, Index>
  readonly secretsOf: SecretsOf<T>
}

export function table<T, Index extends string = never>(
  schema: s.Schema<T>,
  indexes: Indexes<T, Index> = {},
  keyOf?: (record: T) => string,
  secretsOf: SecretsOf<T> = () => [],
): TableDefinition<T, Index> {
  return { schema, indexes, secretsOf, ...(keyOf && { keyOf }) }
}

/** Returns the secrets of a record; `null` for none. */
type SecretsOf<T> = (record: T, key: string) => readonly (string | null)[]

/** Returns the index values of a record; `null` for none. */
type IndexedValues<T> = (record: T) => readonly (string | null)[]

type Indexes<T, Index extends string> = { readonly [I in Index]?: IndexedValues<T> }

/**
 * A `Map` of records by key with secondary indexes. Indexes are derived data: `set`, `update` and `delete` maintain
 * them, snapshots omit them, and a restored database rebuilds them.
 */
export class Table<T extends object | string, Index extends string> extends Map<string, T> {
  readonly #of: Omit<TableDefinition<T, Index>, 'schema' | 'keyOf'>
  /** Keys of the records, by `<index> <value>`, in the order of their insertion. */
  readonly #keys = new Map<string, Set<string>>()
  #known: KnownSecrets | undefined

  constructor(
    definition: Omit<TableDefinition<T, Index>, 'schema' | 'keyOf'>,
    records: Iterable<readonly [string, T]> = [],
    known: KnownSecrets,
  ) {
    // `super(records)` would call `set` before the fields are initialized.
    super()
    this.#of = definition
    this.#known = known
    for (const [key, record] of records) this.set(key, record)
  }

  override set(key: string, record: T): this {
    this.#reindex(key, this.#indexKeysOf(this.get(key)), this.#indexKeysOf(record))
    this.#known?.replace(this.#secretsIn(key), this.#of.secretsOf(record, key))
    return super.set(key, record)
  }

  /** Changes a record in place. Indexed values and secrets must only be changed here. */
  update(key: string, changes: Partial<T>): void {
    const record = this.get(key)
    if (record === undefined) return
    const before = this.#indexKeysOf(record)
    const secrets = this.#secretsIn(key)
    Object.assign(record, changes)
    this.#reindex(key, before, this.#indexKeysOf(record))
    this.#known?.replace(secrets, this.#of.secretsOf(record, key))
  }

  override delete(key: string): boolean {
    this.#reindex(key, this.#indexKeysOf(this.get(key)), [])
    this.#known?.replace(this.#secretsIn(key), [])
    return super.delete(key)
  }

  /** Ends the secrets of all records, when the table is no longer used. */
  forgetSecrets(): void {
    for (const key of this.keys()) this.#known?.replace(this.#secretsIn(key), [])
    this.#known = undefined
  }

  #secretsIn(key: string): readonly (string | null)[] {
    const record = this.get(key)
    return record === undefined ? [] : this.#of.secretsOf(record, key)
  }

  /** Returns the oldest record with an index value. */
  find(index: Index, value: string): T | undefined {
    for (const key of this.#keys.get(`${index} ${value}`) ?? []) return this.get(key)
    return undefined
  }

  /** Returns all records with an index value, oldest first. */
  where(index: Index, value: string): T[] {
    return this.entriesWhere(index, value).map(([, record]) => record)
  }

  /** Deletes the records with an index value that match. */
  deleteWhere(index: Index, value: string, matches: (record: T) => boolean = () => true): void {
    for (const [key, record] of this.entriesWhere(index, value)) if (matches(record)) this.delete(key)
  }

  /** Returns all keys and records with an index value, oldest first. */
  entriesWhere(index: Index, value: string): (readonly [string, T])[] {
    return [...(this.#keys.get(`${index} ${value}`) ?? [])].flatMap((key) => {
      const record = this.get(key)
      return record === undefined ? [] : [[key, record] as const]
    })
  }

  #indexKeysOf(record: T | undefined): string[] {
    if (record === undefined) return []
    const indexKeys: string[] = []
    for (const [index, valuesOf] of Object.entries<IndexedValues<T> | undefined>(this.#of.indexes)) {
      for (const value of valuesOf?.(record) ?? []) if (value !== null) indexKeys.push(`${index} ${value}`)
    }
    return indexKeys
  }

  #reindex(key: string, from: readonly string[], to: readonly string[]): void {
    for (const indexKey of from) {
      if (to.includes(indexKey)) continue
      const keys = this.#keys.get(indexKey)
      keys?.delete(key)
      if (keys?.size === 0) this.#keys.delete(indexKey)
    }
    for (const indexKey of to) {
      const keys = this.#keys.get(indexKey)
      if (keys === undefined) this.#keys.set(indexKey, new Set([key]))
      else keys.add(key)
    }
  }
}

export function literal<const V extends string | number | boolean>(...values: readonly V[]): s.Schema<V> {
  // The type of `oneOf` has no booleans, which the service does not use; the check compares any values.
  return s.oneOf(Object.fromEntries(values.map((value) => [value, value as string]))) as s.Schema<V>
}

/**
 * Status of an account; only `active` ones can sign in without further steps. A `locked` account needs a password
 * reset, which unlocks it (`state/sessions.ts`). The mock never locks an account by itself: tests do, with `users.lock`.
 */
export type AccountStatus = 'active' | 'disabled' | 'deletion_scheduled' | 'suspended' | 'locked'

const text = s.nullable(s.string)
const number = s.nullable(s.number)

export type PasskeyRecord = s.ValueOfSchema<typeof PasskeyRecordSchema>
const PasskeyRecordSchema = record(
  {
    id: s.string,
    /** SubjectPublicKeyInfo, base64url; `null` for a passkey that the mock simulates. */
    publicKey: text,
  },
  {
    /** Signature counter of the authenticator; 0 if it has no counter. */
    counter: within(s.integer, 0, 2 ** 32 - 1),
  },
)

/** Fields of an account that `MockUser` has, too. */
export const userFields = {
  fixed: { id: s.string, username: s.string, discriminator: text, email: text, phone: text, bot_of: text },
  changing: {
    global_name: text,
    locale: s.string,
    theme: literal('dark', 'light'),
    status: literal<AccountStatus>('active', 'disabled', 'deletion_scheduled', 'suspended', 'locked'),
    mfa: s.array(s.oneOf(AuthenticatorType)),
  },
}

const userId = (of: { readonly userId: string | null }) => [of.userId]
const targetId = (of: { readonly targetId: string }) => [of.targetId]
const applicationId = (of: { readonly applicationId: string | null }) => [of.applicationId]
const sessionId = (of: { readonly sessionId: string | null }) => [of.sessionId]
const id = (of: { readonly id: string }) => of.id
const token = (of: { readonly token: string }) => of.token
/** Secrets of a record whose key is its token. */
const keyOnly = (_: unknown, key: string) => [key]

/** Returns the key of a record that several IDs identify. */
export const joinIds = (...ids: readonly string[]): string => ids.join(' ')

/** The tables of a service. Records contain only JSON values, because snapshots are JSON. */
export const tables = {
  /** Accounts. Passwords are stored in plain text, because they are test data. */
  users: table(
    record(
      {
        ...userFields.fixed,
        password: text,
        totpSecret: s.string,
        backupCodes: s.readonlyArray(s.string),
        passkeys: s.readonlyArray(PasskeyRecordSchema),
      },
      {
        ...userFields.changing,
        /** All numbers that the account has had; Revert Account blacklists them. */
        phoneHistory: s.array(s.string),
        authorizedIps: s.array(s.string),
      },
    ),
    {
      email: ({ email }) => [email === null ? null : email.toLowerCase()],
      phone: ({ phone }) => [phone],
      username: ({ username }) => [username.toLowerCase()],
      bot_of: ({ bot_of }) => [bot_of],
      passkey: ({ passkeys }) => passkeys.map(({ id }) => id),
    },
    id,
    ({ password, totpSecret, backupCodes }) => [password, totpSecret, ...backupCodes],
  ),
  sessions: table(
    record(
      {
        id: s.string,
        idHash: s.string,
        token: s.string,
        userId: s.string,
        kind: literal('user', 'oauth2', 'bot'),
        applicationId: text,
        /** `null` for never. */
        expiresAt: number,
      },
      { lastUsedAt: timestamp, ip: s.string, userAgent: s.string },
    ),
    { userId, applicationId },
    token,
    keyOnly,
  ),
  /** IDs of users by token. */
  suspendedTokens: table(s.string, { userId: (id) => [id] }, undefined, keyOnly),
  tickets: table(
    record({
      ticket: s.string,
      purpose: literal('login', 'password_reset', 'elevation', 'passwordless'),
      /** `null` in a passwordless ceremony. */
      userId: text,
      sessionId: text,
      loginInstanceId: text,
      /** Reset token that the ticket belongs to. */
      resetToken: text,
      undelete: s.boolean,
      challenge: s.string,
      smsCode: text,
      expiresAt: number,
    }),
    { userId, sessionId },
    ({ ticket }) => ticket,
    ({ ticket, challenge, smsCode }) => [ticket, challenge, smsCode],
  ),
  elevations: table(
    record({ userId: s.string, sessionId: s.string, expiresAt: number }),
    { userId, sessionId },
    undefined,
    keyOnly,
  ),
  /** Tokens from a mail, an SMS or a seed function. */
  grants: table(
    record({
      token: s.string,
      /** Of those of all but `revert`, the policy has the lifetime. */
      purpose: literal('reset', 'oneTimeLogin', 'revert', 'verification', 'phoneToken', 'contactSync'),
      userId: text,
      /** The phone number, the e-mail address to restore, or the IP address to authorize. */
      subject: text,
      issuedAt: timestamp,
      expiresAt: number,
    }),
    { userId },
    token,
    keyOnly,
  ),
  /** Sign-ins handed off from one client to another. */
  handoffs: table(
    record(
      { token: s.string, key: s.string, ip: s.string, userId: s.string, expiresAt: number },
      { consumed: s.boolean },
    ),
    { userId },
    token,
    ({ token, key }) => [token, key],
  ),
  /** Codes sent for registration, by phone number. */
  phoneCodes: table(record({ code: s.string, expiresAt: number }), {}, undefined, ({ code }) => [code]),
  applications: table(
    record(
      {
        id: s.string,
        name: s.string,
        ownerId: s.string,
        memberIds: s.array(s.string),
        authorizedBy: s.array(s.string),
      },
      { assets: s.array(s.OpenObjectSchema), featured: s.boolean },
    ),
    { ownerId: ({ ownerId }) => [ownerId] },
    id,
  ),
  identities: table(
    record(
      { applicationId: s.string, userId: s.string, externalUserId: s.string },
      {
        username: text,
        metadata: text,
        data: s.nullable(ProfileDataSchema),
        dataTrusted: s.boolean,
        connectionVisible: s.boolean,
      },
    ),
    { userId, applicationId },
    ({ applicationId, userId, externalUserId }) => joinIds(applicationId, userId, externalUserId),
  ),
  widgets: table(s.array(GameWidgetSchema)),
  suggestedGames: table(SuggestedGamesSchema),
  widgetConfigs: table(
    WidgetConfigSchema,
    { applicationId: ({ application_id }) => [application_id] },
    ({ config_id }) => config_id,
  ),
  layouts: table(LayoutDefinitionSchema, {}, ({ key }) => key),
  /** One side of each relationship, as `userId` sees it. */
  relationships: table(
    s.refine(
      record(
        { userId: s.string, targetId: s.string },
        {
          type: s.oneOf(RelationshipType),
          nickname: text,
          ignored: s.boolean,
          spam: s.boolean,
          stranger: s.boolean,
          originApplicationId: text,
          since: s.nullable(timestamp),
          note: text,
        },
      ),
      function* ({ userId, targetId }) {
        if (userId === targetId) yield { code: 'invalid_value', path: ['targetId'], message: 'must be another user' }
      },
    ),
    { userId, targetId },
    ({ userId, targetId }) => joinIds(userId, targetId),
  ),
  gameRelationships: table(
    record(
      { userId: s.string, targetId: s.string, applicationId: s.string },
      { type: s.oneOf(GameRelationshipType), since: timestamp },
    ),
    { userId, targetId, applicationId },
    ({ userId, targetId, applicationId }) => joinIds(userId, targetId, applicationId),
  ),
  suggestions: table(
    s.array(record({ suggestedId: s.string, reasons: s.array(FriendSuggestionReasonSchema), fromContacts: s.boolean })),
    { suggestedId: (all) => all.map(({ suggestedId }) => suggestedId) },
  ),
}
