import type { Endpoint } from './endpoint'
import { optional, request, string } from './schema'

/** Parameters of `auth.logout`: push notifications to unregister. Interface, "D. Logout". */
export interface LogoutParams {
  /** Push provider to revoke. */
  provider?: string
  /** Push token to unregister; not the authentication token. */
  token?: string
  /** Provider of VoIP pushes; only on one mobile platform. */
  voip_provider?: string
  /** Token of VoIP pushes; only on one mobile platform. */
  voip_token?: string
}
export const LogoutParamsSchema = /*@__PURE__*/ request<LogoutParams>()({
  provider: optional(string),
  token: optional(string),
  voip_provider: optional(string),
  voip_token: optional(string),
})

export const logout = {
  logout: { name: 'Logout', method: 'POST', path: '/auth/logout', auth: 'token', params: LogoutParamsSchema },
} as const satisfies Record<string, Endpoint>
