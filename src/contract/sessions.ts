import type { Endpoint } from './endpoint'
import { list } from './rules'
import { listOf, nullable, object, request, string } from './schema'

/** The client that last used a session. Interface, "Auth Session". */
export interface AuthSessionClientInfo {
  /** Operating system, or `null` when unknown. */
  os: string | null
  /** Client or browser platform name, or `null` when unknown. */
  platform: string | null
  /** Approximate location, or `null` when unknown. */
  location: string | null
}
export const AuthSessionClientInfoSchema = /*@__PURE__*/ object<AuthSessionClientInfo>()({
  os: nullable(string),
  platform: nullable(string),
  location: nullable(string),
})

/** A signed-in session. It belongs to exactly one authentication token. Interface, "Auth Session". */
export interface AuthSession {
  /** Hash of the session's ID; what `auth.sessions.logout` takes. */
  id_hash: string
  /** When the session was last used, an ISO 8601 timestamp. */
  approx_last_used_time: string
  /** The client last associated with the session. */
  client_info: AuthSessionClientInfo
}
export const AuthSessionSchema = /*@__PURE__*/ object<AuthSession>()({
  id_hash: string,
  approx_last_used_time: string,
  client_info: AuthSessionClientInfoSchema,
})

/** The answer of `auth.sessions.list`. Interface, "A. Sessions". */
export interface AuthSessions {
  /** The active sessions of the account, up to 50. */
  user_sessions: AuthSession[]
}
export const AuthSessionsSchema = /*@__PURE__*/ object<AuthSessions>()({ user_sessions: listOf(AuthSessionSchema) })

/** What `auth.sessions.logout` takes. Interface, "A. Sessions". */
export interface LogoutSessionsParams {
  /** Hashes of the sessions to end, 1–64 of them. */
  session_id_hashes: readonly string[]
}
export const LogoutSessionsParamsSchema = /*@__PURE__*/ request<LogoutSessionsParams>()({
  session_id_hashes: list(string, { min: 1, max: 64 }),
})

export const sessions = {
  list: {
    name: 'Get Auth Sessions',
    method: 'GET',
    path: '/auth/sessions',
    auth: 'token',
    response: AuthSessionsSchema,
  },
  logout: {
    name: 'Logout Auth Sessions',
    method: 'POST',
    path: '/auth/sessions/logout',
    auth: 'token',
    params: LogoutSessionsParamsSchema,
  },
} as const satisfies Record<string, Endpoint>
