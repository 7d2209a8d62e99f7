import createClient from 'openapi-fetch'
import type { paths } from './generated/schema'
import { fail, type GeneratedClient } from './scenario'

export function connect(baseUrl: string): GeneratedClient {
  const client = createClient<paths>({ baseUrl })
  return {
    async login(body) {
      const { data, error } = await client.POST('/auth/login', { body })
      return data ?? fail('login', error)
    },
    async verifyMfaLogin(type, body) {
      const params = { path: { authenticator_type: type } }
      const { data, error } = await client.POST('/auth/mfa/{authenticator_type}', { params, body })
      return data ?? fail('verifyMfaLogin', error)
    },
    async listRelationships(token) {
      const { data, error } = await client.GET('/users/@me/relationships', { headers: { authorization: token } })
      return data ?? fail('listRelationships', error)
    },
    async logoutSessions(token, body, jwt) {
      const params = { header: jwt === undefined ? {} : { 'X-Service-MFA-Authorization': jwt } }
      const headers = { authorization: token }
      const { error } = await client.POST('/auth/sessions/logout', { headers, params, body })
      return error
    },
    async finishMfa(token, body) {
      const { data, error } = await client.POST('/mfa/finish', { headers: { authorization: token }, body })
      return data ?? fail('finishMfa', error)
    },
  }
}
