// Names the account that a client is signed in to, for query keys.
import { type BaseClient, type ClientCore, CORE } from '../client/base-client'
import { RequestValidationError } from '../errors/client-errors'
import { createIssue } from '../internal/issue'

/** The account of a client: another one after each change of the token. */
export interface Account {
  /** The user ID, else a random number of the account. */
  readonly name: string
  /** Number of changes so far, so that a change to another account and back is noticed. */
  readonly changes: number
  /** Adds a listener that is called before those of `session.onChange`. `isSame`: only now is the user ID of the account known. */
  onChange(listener: (previousName: string, isSame: boolean) => void): () => void
}

const accounts = /*@__PURE__*/ new WeakMap<BaseClient, Account>()

/** Returns the account of a client, the same object each time. */
export function accountOf(client: BaseClient): Account {
  const { [CORE]: coreOf }: { readonly [CORE]?: () => ClientCore } = Object(client)
  const issue = createIssue(['client'], 'invalid_type', 'expected a client of this package')
  if (!coreOf) throw new RequestValidationError('createQueries', [issue])
  const account = accounts.get(client) ?? followAccount(coreOf())
  accounts.set(client, account)
  return account
}

function followAccount({ session }: ClientCore): Account {
  const listeners = new Set<Parameters<Account['onChange']>[0]>()
  let number: string | undefined
  let changes = 0
  let userId = session.user?.id
  const nameOf = (id: string | undefined, count: number) => {
    // Random, because a cache may have been saved by another process; on first use, because workers refuse it before.
    number ??= Math.random().toString(36).slice(2)
    return id ?? `${number}-${count}`
  }
  // Like a live store: before a listener of the app can read the old account's data for the new one.
  session.follow('stores', ({ type, previous, user }) => {
    const [id, count] = [userId, changes]
    const isOtherUser = previous.user !== null && previous.user.id !== user?.id
    // Before the stored token is loaded, there is no account.
    const isSame = previous.status === 'loading' || (type === 'userChanged' ? !isOtherUser : type === 'elevated')
    if (!isSame) changes++
    userId = session.user?.id
    if (isSame && userId === id) return
    for (const listener of [...listeners]) listener(nameOf(id, count), isSame)
  })
  return {
    get name() {
      return nameOf(session.user?.id, changes)
    },
    get changes() {
      return changes
    },
    onChange(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
