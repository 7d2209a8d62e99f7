import type { mfa } from '../../src/contract/mfa'
import { refusal } from '../envelope'
import { elevate, elevationCookie } from '../state/elevation'
import { verifyFactor } from '../state/factors'
import { closeTicket, requireTicket, sendTicketSms, userOfTicket } from '../state/tickets'
import type { RoutesOf } from './route'

export const mfaRoutes: RoutesOf<typeof mfa> = {
  finish({ core, params: { ticket, mfa_type, data }, callerIfAny, headers }) {
    const record = requireTicket(core, ticket, 'elevation')
    // A ticket is of one account: another one's token does not complete it.
    if (callerIfAny !== undefined && callerIfAny.user.id !== record.userId) throw refusal(core.policy, 'invalidTicket')
    verifyFactor(core, userOfTicket(core, record), record, mfa_type, data)
    closeTicket(core, record)
    const token = elevate(core, record)
    headers.push(['set-cookie', elevationCookie(core, token)])
    return { token }
  },

  sendSms({ core, params: { ticket } }) {
    return { phone: sendTicketSms(core, requireTicket(core, ticket, 'login', 'elevation', 'password_reset')) }
  },
}
