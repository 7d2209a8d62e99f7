import type { handoff } from '../../src/contract/handoff'
import { expiry, isAlive } from '../core'
import { refusal } from '../envelope'
import { signIn } from '../state/sign-in'
import { partialUser, requireUser } from '../state/users'
import { originOf, type RoutesOf } from './route'

export const handoffRoutes: RoutesOf<typeof handoff> = {
  createHandoffToken({ core, params: { key }, caller: { user, session }, request: { ip } }) {
    // What it is exchanged for signs in to the account itself, which is more than an application may do.
    if (session.kind !== 'user') throw refusal(core.policy, 'forbidden')
    const token = core.random.text(40)
    const expiresAt = expiry(core, core.policy.lifetimes.handoff)
    core.db.handoffs.set(token, { token, key, ip, userId: user.id, expiresAt, consumed: false })
    return { handoff_token: token }
  },

  exchangeHandoffToken({ core, params: { key, handoff_token }, request }) {
    const record = core.db.handoffs.get(handoff_token)
    // "Same key, same IP address, first use". Interface, "Handoff token".
    const fits = record !== undefined && record.key === key && record.ip === request.ip && !record.consumed
    if (!fits || !isAlive(core, record)) throw refusal(core.policy, 'invalidHandoff')
    const { token } = signIn(core, requireUser(core, record.userId), originOf(request))
    record.consumed = true
    return { token, user: partialUser(core, record.userId) }
  },
}
