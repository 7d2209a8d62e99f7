import type { logout } from '../../src/contract/logout'
import { endSession } from '../state/sessions'
import type { RoutesOf } from './route'

export const logoutRoutes: RoutesOf<typeof logout> = {
  /** The service shows no endpoint that registers for push notifications, so there is nothing to unregister. */
  logout({ core, caller: { session } }) {
    endSession(core, session)
  },
}
