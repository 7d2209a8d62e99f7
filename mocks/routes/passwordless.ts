import type { passwordless } from '../../src/contract/passwordless'
import { refusal } from '../envelope'
import { requiredActions, settingsOf, signIn } from '../state/sign-in'
import { closeTicket, openTicket, requireTicket } from '../state/tickets'
import { acceptPasskey, credentialIn, requestOptions } from '../state/webauthn'
import { originOf, type RoutesOf } from './route'

export const passwordlessRoutes: RoutesOf<typeof passwordless> = {
  startPasswordlessLogin({ core }) {
    const { ticket, challenge } = openTicket(core, { purpose: 'passwordless' })
    return { ticket, challenge: requestOptions(core, challenge) }
  },

  finishPasswordlessLogin({ core, params: { ticket, credential }, request }) {
    const record = requireTicket(core, ticket, 'passwordless')
    const read = credentialIn(credential, record.challenge)
    const user = core.db.users.find('passkey', read?.credential.id ?? '')
    if (user === undefined || !acceptPasskey(core, user.passkeys, credential, record.challenge))
      throw refusal(core.policy, 'invalidCode')
    const { token } = signIn(core, user, originOf(request))
    closeTicket(core, record)
    return { user_id: user.id, token, user_settings: settingsOf(user), ...requiredActions(core, user, null) }
  },
}
