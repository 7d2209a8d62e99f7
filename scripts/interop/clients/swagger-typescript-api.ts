import { Api, type Error as ApiError, type MfaRequiredResponse } from './generated/api'
import type { GeneratedClient } from './scenario'

export function connect(baseUrl: string): GeneratedClient {
  const { auth, mfa, users } = new Api({ baseUrl })
  return {
    async login(body) {
      return (await auth.authLogin(body)).data
    },
    async verifyMfaLogin(type, body) {
      return (await auth.authVerifyMfaLogin(type, body)).data
    },
    async listRelationships(token) {
      return (await users.relationshipsList({ headers: { authorization: token } })).data
    },
    async logoutSessions(token, body, jwt) {
      const headers = { authorization: token, ...(jwt !== undefined && { 'X-Service-MFA-Authorization': jwt }) }
      try {
        await auth.authSessionsLogout(body, { headers, format: 'json' })
        return undefined
      } catch (reply) {
        const { error }: { error: MfaRequiredResponse | ApiError | null } = Object(reply)
        if (error === null) return undefined
        return error
      }
    },
    async finishMfa(token, body) {
      return (await mfa.mfaFinish(body, { headers: { authorization: token } })).data
    },
  }
}
