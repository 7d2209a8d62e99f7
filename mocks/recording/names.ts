// Names of the recording for secrets, IDs and texts. The values are in memory only, and nothing is derived from them.
import type { RecordedEntry } from './format'

/** Kinds of strings by the name of their field; the first entry that matches applies. */
const KINDS: readonly (readonly [field: RegExp, kind: string])[] = [
  [/password/, 'password'],
  [/^(?:login|email)$/, 'login'],
  [/token$/, 'token'],
  [/phone$/, 'phone'],
  [/ticket$/, 'ticket'],
  [/^(?:challenge|webauthn)$/, 'challenge'],
  [/^(?:code|data|credential)$/, 'code'],
  [/fingerprint$/, 'fingerprint'],
  [/name$/, 'name'],
  [/url$/, 'url'],
  [/(?:^|[_.])ids?$|hash(?:es)?$|^(?:key|invite|guild_template_code|configs)$|_(?:games|requests)$/, 'id'],
  [/^/, 'text'],
]

const TIME_FIELD = /^since$|_(?:at|time)$|^date_of_birth$/
const TIME = /^\d{4}-\d\d-\d\d(?:(T)\d\d:\d\d:\d\d(\.\d{1,9})?(?:(Z)|[+-]\d\d:\d\d))?$/
/** Minimum length of a value that is also searched among numbers and keys. */
const MIN_SECRET = 4

export class Names {
  readonly #names = new Map<string, string>()
  readonly #counts = new Map<string, number>()
  /** Accounts by token and by ticket. */
  readonly #accounts = new Map<string, string>()

  constructor(private readonly kept: ReadonlySet<string>) {}

  /** Returns an unused name. */
  #next(kind: string): string {
    const count = (this.#counts.get(kind) ?? 0) + 1
    this.#counts.set(kind, count)
    return `${kind}-${count}`
  }

  /** Returns the name of a value: that of its first occurrence, whatever its kind was. */
  of(value: string, kind: string): string {
    if (value === '') return ''
    let name = this.#names.get(value)
    if (name === undefined) {
      name = this.#next(kind)
      this.#names.set(value, name)
    }
    return name
  }

  /** Whether a number or a key is a value that has a name. */
  has(value: string): boolean {
    return value.length >= MIN_SECRET && this.#names.has(value)
  }

  /** Returns what replaces the string in a field: its name; of a time, one of the same form. */
  text(value: string, field: string): string {
    const [isTime, hasTime, fraction = '', isUtc] = TIME_FIELD.test(field) ? (TIME.exec(value) ?? []) : []
    if (isTime !== undefined) {
      const zone = isUtc ?? '+00:00'
      return hasTime === undefined ? '2000-01-01' : `2000-01-01T00:00:00${fraction.replace(/\d/g, '0')}${zone}`
    }
    return this.of(value, KINDS.find(([pattern]) => pattern.test(field))?.[1] ?? 'text')
  }

  /** Returns a name that may be a person's, such as a key or an event: itself, if it is one of those that stay. */
  key(key: string, kind = 'key'): string {
    return this.kept.has(key) && !this.has(key) ? key : this.of(key, kind)
  }

  /** Returns the account of a token, or of a ticket; a new one the first time. */
  accountOf(secret: string): string {
    const account = this.#accounts.get(secret) ?? this.#next('account')
    this.#accounts.set(secret, account)
    return account
  }

  /** Names the ID of the user of an account, if it has no name yet. */
  nameUser(account: string, userId: string): void {
    if (!this.#names.has(userId)) this.#names.set(userId, account)
  }

  /** Adds a token, or a ticket, of an account. */
  addTo(account: string, secret: string): void {
    this.#accounts.set(secret, account)
  }
}

export interface Recorder {
  readonly names: Names
  /** Returns the number of the next entry. */
  next(): number
  add(entry: RecordedEntry): void
  close(): void
}
