import { type Core, timestamp } from './core'
import type { Message } from './state/database'

export type { Message } from './state/database'

/** What the service sent by mail, or by SMS. */
export interface Outbox {
  /** Everything sent, the oldest first. */
  all(): Message[]
  /**
   * The last message to an address.
   * @throws Error when nothing was sent there.
   */
  last(to: string): Message
}

type Draft = Omit<Message, 'at'>

/** Sends a mail. */
export function sendMail(core: Core, message: Draft): void {
  core.db.mail.push({ ...message, at: timestamp(core.clock.now()) })
}

/** Sends an SMS. */
export function sendSms(core: Core, message: Draft): void {
  core.db.sms.push({ ...message, at: timestamp(core.clock.now()) })
}

/** The outbox of a kind of message. */
export function createOutbox(core: Core, kind: 'mail' | 'sms'): Outbox {
  return {
    all: () => structuredClone(core.db[kind]),
    last(to) {
      const message = core.db[kind].findLast((sent) => sent.to.toLowerCase() === to.toLowerCase())
      if (message !== undefined) return { ...message }
      const others = [...new Set(core.db[kind].map((sent) => sent.to))].join(', ')
      throw new Error(`no ${kind} was sent to ${to}; ${others === '' ? 'none was sent at all' : `sent to: ${others}`}`)
    },
  }
}
