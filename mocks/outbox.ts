import { type ServiceContext, timestamp } from './core'
import type { MailKind, Message, MessageContents, MessageHead, SmsKind } from './database'

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

type Draft<K extends keyof MessageContents> = { [Kind in K]: Omit<MessageHead<Kind>, 'at'> & MessageContents[Kind] }[K]

/** Sends a mail. */
export function sendMail({ db, clock, outboxListeners }: ServiceContext, draft: Draft<MailKind>): void {
  send(db.mail, outboxListeners.mail, { ...draft, at: timestamp(clock.now()) })
}

/** Sends an SMS. */
export function sendSms({ db, clock, outboxListeners }: ServiceContext, draft: Draft<SmsKind>): void {
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
