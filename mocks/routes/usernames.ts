import type { usernames } from '../../src/contract/usernames'
import { findByUsername, freeUsername } from '../state/users'
import type { RoutesOf } from './route'

export const usernameRoutes: RoutesOf<typeof usernames> = {
  suggestUsername({ core, params: { global_name } }) {
    return { username: freeUsername(core, global_name) }
  },

  checkUsername({ core, params: { username } }) {
    return { taken: findByUsername(core, username) !== undefined }
  },
}
