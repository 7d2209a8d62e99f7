import { authLogin, authSessionsLogout, authVerifyMfaLogin, mfaFinish, relationshipsList } from './generated'
import { client } from './generated/client.gen'
import { fail, type GeneratedClient } from './scenario'

export function connect(baseUrl: string): GeneratedClient {
  client.setConfig({ baseUrl })
  return {
    async login(body) {
      const { data, error } = await authLogin({ body })
      return data ?? fail('login', error)
    },
    async verifyMfaLogin(type, body) {
      const { data, error } = await authVerifyMfaLogin({ path: { authenticator_type: type }, body })
      return data ?? fail('verifyMfaLogin', error)
    },
    async listRelationships(token) {
      const { data, error } = await relationshipsList({ auth: token })
      return data ?? fail('listRelationships', error)
    },
    async logoutSessions(token, body, jwt) {
      const headers = jwt === undefined ? {} : { 'X-Service-MFA-Authorization': jwt }
      const { error } = await authSessionsLogout({ auth: token, headers, body })
      return error
    },
    async finishMfa(token, body) {
      const { data, error } = await mfaFinish({ auth: token, body })
      return data ?? fail('finishMfa', error)
    },
  }
}
