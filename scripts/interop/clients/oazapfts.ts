import {
  authLogin,
  authSessionsLogout,
  authVerifyMfaLogin,
  defaults,
  mfaFinish,
  relationshipsList,
} from './generated/api'
import { fail, type GeneratedClient, type Refusal } from './scenario'

export function connect(baseUrl: string): GeneratedClient {
  defaults.baseUrl = baseUrl
  return {
    async login(body) {
      const reply = await authLogin(body)
      return 'user_id' in reply.data ? reply.data : fail('login', reply.data)
    },
    async verifyMfaLogin(type, body) {
      const reply = await authVerifyMfaLogin(type, body)
      return 'token' in reply.data ? reply.data : fail('verifyMfaLogin', reply.data)
    },
    async listRelationships(token) {
      const reply = await relationshipsList({}, { headers: { authorization: token } })
      return 'code' in reply.data ? fail('listRelationships', reply.data) : reply.data
    },
    async logoutSessions(token, body, jwt) {
      const elevation = jwt === undefined ? {} : { xServiceMfaAuthorization: jwt }
      const reply = await authSessionsLogout(body, elevation, { headers: { authorization: token } })
      const refusal: Refusal | undefined = 'data' in reply && reply.status !== 204 ? reply.data : undefined
      return refusal
    },
    async finishMfa(token, body) {
      const reply = await mfaFinish(body, {}, { headers: { authorization: token } })
      return 'token' in reply.data ? reply.data : fail('finishMfa', reply.data)
    },
  }
}
