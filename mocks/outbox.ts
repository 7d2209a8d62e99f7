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
}

type Draft<K extends keyof MessageContents> = { [Kind in K]: Omit<MessageHead<Kind>, 'at'> & MessageContents[Kind] }[K]

/** Sends a mail. */
export function sendMail(core: Core, message: Draft<MailKind>): void {
  core.db.mail.push({ ...message, at: timestamp(core.clock.now()) })
}

/** Sends an SMS. */
export function sendSms(core: Core, message: Draft<SmsKind>): void {
  core.db.sms.push({ ...message, at: timestamp(core.clock.now()) })
}

/** An outbox; `name` and `sent` tell which, the latter anew each time since a restored service has other messages. */
export function createOutbox<K extends keyof MessageContents>(name: string, sent: () => Message<K>[]): Outbox<K> {
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
  }
}
