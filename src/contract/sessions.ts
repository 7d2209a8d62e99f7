import { endpoint } from './endpoint'
import * as s from './schema'

/** Client that last used a session. API, "Auth Session". */
export interface AuthSessionClientInfo {
  /** Operating system, or `null` if unknown. */
  os: string | null
  /** Client or browser platform name, or `null` if unknown. */
  platform: string | null
  /** Approximate location, or `null` if unknown. */
  location: string | null
}
export const AuthSessionClientInfoSchema = s.looseObject<AuthSessionClientInfo>()({
  os: s.nullable(s.string),
  platform: s.nullable(s.string),
  location: s.nullable(s.string),
})

/** Authentication session. Belongs to exactly one authentication token. API, "Auth Session". */
export interface AuthSession {
  /** Hash of the session's ID, as accepted by `auth.sessions.logout`. */
  id_hash: string
  /** Approximate time of the last use, an ISO 8601 timestamp. */
  approx_last_used_time: string
  /** Client last associated with the session. */
  client_info: AuthSessionClientInfo
}
export const AuthSessionSchema = s.looseObject<AuthSession>()({
  id_hash: s.string,
  approx_last_used_time: s.string,
  client_info: AuthSessionClientInfoSchema,
})

/** Response of `auth.sessions.list`. API, "A. Sessions". */
export interface AuthSessions {
  /** Active sessions of the account, at most 50. */
  user_sessions: AuthSession[]
}
export const AuthSessionsSchema = s.looseObject<AuthSessions>()({ user_sessions: s.array(AuthSessionSchema) })

/** Parameters of `auth.sessions.logout`. API, "A. Sessions". */
export interface LogoutSessionsParams {
  /** ID hashes of the 1–64 sessions to end. */
  session_id_hashes: readonly string[]
}
export const LogoutSessionsParamsSchema = s.strictObject<LogoutSessionsParams>()({
  session_id_hashes: s.boundedArray(s.string, { min: 1, max: 64 }),
})

export const sessions = {
  list: endpoint('Get Auth Sessions', 'GET', '/auth/sessions', 'token', { response: AuthSessionsSchema }),
  logout: endpoint('Logout Auth Sessions', 'POST', '/auth/sessions/logout', 'token', {
    params: LogoutSessionsParamsSchema,
  }),
} as const
