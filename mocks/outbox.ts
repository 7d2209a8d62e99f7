import { type ServiceContext, toTimestamp } from './core'
import type { MailKind, Message, MessageContents, MessageHead, SmsKind } from './database'

/** Mails or SMS sent by the service. */
export interface Outbox<K extends keyof MessageContents> {
  /** Returns all messages, oldest first. */
  all(): Message<K>[]
  /**
   * Returns the last message to an address.
   * @param kind kind of message. Default: all kinds.
   * @throws Error if there is none.
   */
  last<Kind extends K = K>(to: string, kind?: Kind): Message<Kind>
  /**
   * Calls `callback` with each message when it is sent, before the response to the request that caused it.
   * @returns an unsubscribe function.
   */
  onSent(callback: (message: Message<K>) => void): () => void
}

type Draft<K extends keyof MessageContents> = { [Kind in K]: Omit<MessageHead<Kind>, 'at'> & MessageContents[Kind] }[K]

/** Sends a mail. */
export function sendMail({ db, clock, outboxListeners }: ServiceContext, draft: Draft<MailKind>): void {
  send(db.mail, outboxListeners.mail, { ...draft, at: toTimestamp(clock.now()) })
}

/** Sends an SMS. */
export function sendSms({ db, clock, outboxListeners }: ServiceContext, draft: Draft<SmsKind>): void {
  send(db.sms, outboxListeners.sms, { ...draft, at: toTimestamp(clock.now()) })
}

/** Listeners run in microtasks, so that their errors are reported and do not affect the response. */
function send<T extends object>(sent: T[], listeners: ReadonlySet<(message: T) => void>, message: T): void {
  sent.push(message)
  for (const listener of listeners) queueMicrotask(() => listener({ ...message }))
}

/** Creates an outbox. `sent` is called on each use, because restoring a snapshot replaces the messages. */
export function createOutbox<K extends keyof MessageContents>(
  name: string,
  sent: () => Message<K>[],
  listeners: Set<(message: Message<K>) => void>,
): Outbox<K> {
  return {
    all: () => structuredClone(sent()),
    last<Kind extends K = K>(to: string, kind?: Kind) {
      const isMatch = (message: Message<K>): message is Message<Kind> =>
        message.to.toLowerCase() === to.toLowerCase() && (kind === undefined || message.kind === kind)
      const message = sent().findLast(isMatch)
      if (message !== undefined) return { ...message }
      const others = sent().map((other) => `${other.kind} to ${other.to}`)
      const hint = others.length === 0 ? 'none was sent at all' : `sent were: ${[...new Set(others)].join(', ')}`
      throw new Error(`no ${name} ${kind === undefined ? '' : `of kind ${kind} `}was sent to ${to}; ${hint}`)
    },
    onSent(callback) {
      listeners.add(callback)
      return () => listeners.delete(callback)
    },
  }
}
