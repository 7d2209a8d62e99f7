import {
  type AuthSessionsLogout401,
  authLogin,
  authSessionsLogout,
  authVerifyMfaLogin,
  mfaFinish,
  relationshipsList,
} from './generated'
import type { GeneratedClient } from './scenario'

export function connect(baseURL: string): GeneratedClient {
  return {
    async login(body) {
      const { data } = await authLogin(body, {}, { baseURL })
      return data
    },
    async verifyMfaLogin(type, body) {
      const { data } = await authVerifyMfaLogin(type, body, {}, { baseURL })
      return data
    },
    async listRelationships(token) {
      const { data } = await relationshipsList({}, { baseURL, headers: { authorization: token } })
      return data
    },
    async logoutSessions(token, body, jwt) {
      const headers = { authorization: token, ...(jwt !== undefined && { 'X-Service-MFA-Authorization': jwt }) }
      const { data, status } = await authSessionsLogout(body, {}, { baseURL, headers })
      // The client has no type for the data of another status.
      const refusal: AuthSessionsLogout401 | undefined = status === 204 ? undefined : Object(data)
      return refusal
    },
    async finishMfa(token, body) {
      const { data } = await mfaFinish(body, {}, { baseURL, headers: { authorization: token } })
      return data
    },
  }
}
