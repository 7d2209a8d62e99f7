/** Body of a refused call. */
export type Refusal = { code: number; message: string } | { code: number; message: string; mfa: { ticket: string } }

/** What a generated client must be able to do, without a type assertion. */
export interface GeneratedClient {
  /** Login Account. */
  login(body: { login: string; password: string }): Promise<{ mfa?: boolean; ticket?: string }>
  /** Verify MFA Login. */
  verifyMfaLogin(type: string, body: { ticket: string; code: string }): Promise<{ token: string }>
  /** Get Relationships. */
  listRelationships(token: string): Promise<readonly { id: string; user: { id: string } }[]>
  /** Logout Auth Sessions; returns the refusal. */
  logoutSessions(token: string, body: { session_id_hashes: string[] }, jwt?: string): Promise<Refusal | undefined>
  /** Verify MFA. */
  finishMfa(token: string, body: { ticket: string; mfa_type: string; data: string }): Promise<{ token: string }>
}

/** Throws for a response that should not have come. */
export function fail(call: string, refusal: unknown): never {
  throw new Error(`${call} failed: ${JSON.stringify(refusal)}`)
}

/** Signs in with a TOTP code, lists the relationships, and ends a session with a step-up by a backup code. */
export async function signInWithMfa(client: GeneratedClient, codes: { totp: string; backup: string }): Promise<void> {
  const login = await client.login({ login: 'ada@example.test', password: 'correct horse' })
  if (login.mfa !== true || login.ticket === undefined) fail('login', login)
  const { token } = await client.verifyMfaLogin('totp', { ticket: login.ticket, code: codes.totp })
  const relationships = await client.listRelationships(token)
  if (relationships.length !== 1 || relationships[0]?.id !== relationships[0]?.user.id) fail('list', relationships)

  const body = { session_id_hashes: ['the hash of another session'] }
  const refused = await client.logoutSessions(token, body)
  if (refused === undefined || !('mfa' in refused)) fail('logout without step-up', refused)
  const jwt = await client.finishMfa(token, { ticket: refused.mfa.ticket, mfa_type: 'backup', data: codes.backup })
  const again = await client.logoutSessions(token, body, jwt.token)
  if (again !== undefined) fail('logout with step-up', again)
}
