import { type Core, expiry, isAlive } from '../core'
import { refusal } from '../envelope'
import { sendSms } from '../outbox'
import type { TicketRecord, UserRecord } from './database'
import { userOf } from './users'

type Purpose = TicketRecord['purpose']

/** What a ticket is for, as far as its purpose needs it. */
export interface NewTicket extends Partial<Omit<TicketRecord, 'ticket' | 'purpose' | 'challenge' | 'expiresAt'>> {
  readonly purpose: Purpose
}

/** Opens a ceremony of one account; the challenge is there in case a passkey answers. */
export function openTicket(core: Core, ticket: NewTicket): TicketRecord {
  const record: TicketRecord = {
    ticket: core.random.text(36),
    userId: null,
    sessionId: null,
    loginInstanceId: null,
    resetToken: null,
    undelete: false,
    challenge: core.random.bytes(32),
    smsCode: null,
    ...ticket,
    expiresAt: expiry(core, core.policy.lifetimes.ticket),
  }
  core.db.tickets.set(record.ticket, record)
  return record
}

/** The ceremony of a ticket that is still open, for one of the given purposes. */
export function requireTicket(core: Core, ticket: string, ...purposes: readonly Purpose[]): TicketRecord {
  const record = core.db.tickets.get(ticket)
  if (record !== undefined && purposes.includes(record.purpose) && isAlive(core, record)) return record
  throw refusal(core.policy, 'invalidTicket')
}

/** Ends a ceremony: a ticket completes once. */
export function closeTicket({ db }: Core, { ticket }: TicketRecord): void {
  db.tickets.delete(ticket)
}

/** The account of a ceremony that knows it. */
export function userOfTicket(core: Core, { userId }: TicketRecord): UserRecord {
  if (userId === null || !core.db.users.has(userId)) throw refusal(core.policy, 'invalidTicket')
  return userOf(core, userId)
}

/** Sends a new code, which replaces the one before, and tells the redacted number. */
export function sendTicketSms(core: Core, ticket: TicketRecord): string {
  const { factors, phone } = userOfTicket(core, ticket)
  if (!factors.includes('sms') || phone === null) throw refusal(core.policy, 'methodUnavailable')
  const code = core.random.digits(6)
  ticket.smsCode = code
  sendSms(core, { to: phone, kind: 'mfa', code, text: `Your security code is ${code}` })
  return phone.slice(0, 2) + '*'.repeat(Math.max(0, phone.length - 6)) + phone.slice(-4)
}
