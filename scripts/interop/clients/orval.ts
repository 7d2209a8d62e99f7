import { authLogin, authSessionsLogout, authVerifyMfaLogin, mfaFinish, relationshipsList } from './generated/api'
import { fail, type GeneratedClient } from './scenario'

// The base URL is part of the generated code.
export function connect(_baseUrl: string): GeneratedClient {
  return {
    async login(body) {
      const reply = await authLogin(body)
      return reply.status === 200 ? reply.data : fail('login', reply.data)
    },
    async verifyMfaLogin(type, body) {
      const reply = await authVerifyMfaLogin(type, body)
      return reply.status === 200 ? reply.data : fail('verifyMfaLogin', reply.data)
    },
    async listRelationships(token) {
      const reply = await relationshipsList({ headers: { authorization: token } })
      return reply.status === 200 ? reply.data : fail('listRelationships', reply.data)
    },
    async logoutSessions(token, body, jwt) {
      const headers = { authorization: token, ...(jwt !== undefined && { 'X-Service-MFA-Authorization': jwt }) }
      const reply = await authSessionsLogout(body, { headers })
      return reply.status === 204 ? undefined : reply.data
    },
    async finishMfa(token, body) {
      const reply = await mfaFinish(body, { headers: { authorization: token } })
      return reply.status === 200 ? reply.data : fail('finishMfa', reply.data)
    },
  }
}
