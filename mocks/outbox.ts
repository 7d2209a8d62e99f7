import { type Core, timestamp } from './core'

/** What each kind of message carries. */
export interface MessageContents {
  /** A mail or an SMS with a reset token. */
  password_reset: {
    /** The reset token. */
    readonly token: string
    /** The one-time login token, where the reset may be skipped. */
    readonly ticket?: string
  }
  /** A mail to the former address of an account whose address was changed. */
  account_recovery: {
    /** The revert token. */
    readonly token: string
  }
  /** A mail about a login from somewhere new. */
  new_location: {
    /** The verification token that authorizes the address. */
    readonly token: string
  }
  /** An SMS to a phone number that is being registered. */
  phone_verification: {
    /** The code to type in. */
    readonly code: string
  }
  /** An SMS with a second factor. */
  mfa: {
    /** The code to type in. */
    readonly code: string
  }
}

/** The kinds of message that go out by mail. */
export type MailKind = 'password_reset' | 'account_recovery' | 'new_location'
/** The kinds of message that go out by SMS. */
export type SmsKind = 'password_reset' | 'phone_verification' | 'mfa'

/** What every message has. */
export interface MessageHead<K> {
  /** The e-mail address or the phone number that it went to. */
  readonly to: string
  /** What it is about. */
  readonly kind: K
  /** What the user reads. */
  readonly text: string
  /** When it was sent, an ISO 8601 timestamp. */
  readonly at: string
}

/** Something that the service sent; `kind` tells what it carries. */
export type Message<K extends keyof MessageContents = keyof MessageContents> = {
  [Kind in K]: MessageHead<Kind> & MessageContents[Kind]
}[K]

/** What the service sent by mail, or by SMS. */
export interface Outbox<K extends keyof MessageContents> {
  /** Everything sent, the oldest first. */
  all(): Message<K>[]
  /**
   * The last message to an address, of any kind or of one.
   * @throws Error when nothing of the kind was sent there.
   */
  last<Kind extends K = K>(to: string, kind?: Kind): Message<Kind>
  /**
   * Calls back with each message as it is sent, before the call that had it sent is answered.
   * @returns a function that takes it back.
   */
  onSent(callback: (message: Message<K>) => void): () => void
}

/** Those who are told of messages. It is no part of the state: a restored service tells the same ones. */
export interface OutboxListeners {
  readonly mail: Set<(message: Message<MailKind>) => void>
  readonly sms: Set<(message: Message<SmsKind>) => void>
}

type Draft<K extends keyof MessageContents> = { [Kind in K]: Omit<MessageHead<Kind>, 'at'> & MessageContents[Kind] }[K]

/** Sends a mail. */
export function sendMail({ db, clock, outboxListeners }: Core, draft: Draft<MailKind>): void {
  send(db.mail, outboxListeners.mail, { ...draft, at: timestamp(clock.now()) })
}

/** Sends an SMS. */
export function sendSms({ db, clock, outboxListeners }: Core, draft: Draft<SmsKind>): void {
  send(db.sms, outboxListeners.sms, { ...draft, at: timestamp(clock.now()) })
}

/** What a listener throws is its own mistake: it must be seen, and must not change what the service answers. */
function send<T extends object>(sent: T[], listeners: ReadonlySet<(message: T) => void>, message: T): void {
  sent.push(message)
  for (const listener of listeners) queueMicrotask(() => listener({ ...message }))
}

/** An outbox; `name` and `sent` tell which, the latter anew each time since a restored service has other messages. */
export function createOutbox<K extends keyof MessageContents>(
  name: string,
  sent: () => Message<K>[],
  listeners: Set<(message: Message<K>) => void>,
): Outbox<K> {
  return {
    all: () => structuredClone(sent()),
    last<Kind extends K = K>(to: string, kind?: Kind) {
      const isAskedFor = (message: Message<K>): message is Message<Kind> =>
        message.to.toLowerCase() === to.toLowerCase() && (kind === undefined || message.kind === kind)
      const message = sent().findLast(isAskedFor)
      if (message !== undefined) return { ...message }
      const others = sent().map((other) => `${other.kind} to ${other.to}`)
      const instead = others.length === 0 ? 'none was sent at all' : `sent were: ${[...new Set(others)].join(', ')}`
      throw new Error(`no ${name} ${kind === undefined ? '' : `of kind ${kind} `}was sent to ${to}; ${instead}`)
    },
    onSent(callback) {
      listeners.add(callback)
      return () => listeners.delete(callback)
    },
  }
}
