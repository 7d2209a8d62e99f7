// The account that a client is signed in to: its name in query keys, and what may have changed of it.
import { type BaseClient, type ClientCore, CORE } from '../client/base-client'
import { RequestValidationError } from '../errors/client-errors'
import { createIssue } from '../internal/issue'

const accounts = /*@__PURE__*/ new WeakMap<BaseClient, Account>()

/** Returns the account of a client, the same object each time. */
export function accountOf(client: BaseClient): Account {
  const core: ClientCore | undefined = Object(client)[CORE]?.()
  const issue = createIssue(['client'], 'invalid_type', 'expected a client of this package')
  if (!core) throw new RequestValidationError('createQueries', [issue])
  const account = accounts.get(client) ?? new Account(core)
  accounts.set(client, account)
  return account
}

/** The account of a client: another one after each change of the token. */
export class Account {
  /** Number of changes so far, so that a change to another account and back is noticed. */
  changes = 0
  /** Called when the lists of a namespace may have changed. */
  readonly followers = new Set<(namespace: string) => void>()
  /** Number of these changes by namespace, so that a load during one is repeated. */
  readonly versions = new Map<string, number>()
  #number: string | undefined

  constructor(readonly core: ClientCore) {
    core.session.follow('stores', ({ type, previous, user }) => {
      const isOther = previous.user !== null && previous.user.id !== user?.id
      // Before the stored token is loaded, there is no account.
      const isSame = previous.status === 'loading' || type === 'elevated' || (type === 'userChanged' && !isOther)
      if (!isSame) this.changes++
    })
  }

  /** The user ID, else a random number of the account. */
  get name(): string {
    // Random, because a cache may have been saved by another process; on first use, because workers refuse it before.
    this.#number ??= Math.random().toString(36).slice(2)
    return this.core.session.user?.id ?? `${this.#number}-${this.changes}`
  }
}
