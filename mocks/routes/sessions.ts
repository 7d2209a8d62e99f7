import type { sessions } from '../../src/contract/sessions'
import { timestamp } from '../core'
import { clientInfo } from '../state/client-info'
import { endSessions, listSessions } from '../state/sessions'
import type { RoutesOf } from './route'

export const sessionRoutes: RoutesOf<typeof sessions> = {
  list({ core, caller: { user } }) {
    return {
      user_sessions: listSessions(core, user.id).map(({ idHash, lastUsedAt, ip, userAgent }) => ({
        id_hash: idHash,
        approx_last_used_time: timestamp(lastUsedAt),
        client_info: { ...clientInfo(userAgent), location: core.policy.location(ip) },
      })),
    }
  },

  logout({ core, params: { session_id_hashes }, caller: { user } }) {
    const hashes = new Set(session_id_hashes)
    // Hashes that are not the caller's are passed over: what to answer to them is not shown.
    endSessions(core, user.id, ({ idHash }) => hashes.has(idHash))
  },
}
