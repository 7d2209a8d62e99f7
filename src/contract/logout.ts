import * as z from 'zod/mini'
import type { Endpoint } from './endpoint'
import { request } from './schema'

/** What `auth.logout` takes: what to unregister from push notifications. Interface, "D. Logout". */
export interface LogoutParams {
  /** Push provider to revoke. */
  provider?: string
  /** Push token to unregister; not the authentication token. */
  token?: string
  /** Provider of voip pushes; one mobile platform alone has them. */
  voip_provider?: string
  /** Token of voip pushes; one mobile platform alone has them. */
  voip_token?: string
}
export const LogoutParamsSchema = request<LogoutParams>()({
  provider: z.optional(z.string()),
  token: z.optional(z.string()),
  voip_provider: z.optional(z.string()),
  voip_token: z.optional(z.string()),
})

export const logout = {
  logout: { name: 'Logout', method: 'POST', path: '/auth/logout', auth: 'token', params: LogoutParamsSchema },
} as const satisfies Record<string, Endpoint>
