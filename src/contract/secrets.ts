/**
 * Wire names whose values never reach a message, a log line or a journal, beside those that end like a secret. `data` is
 * among them for the code of Verify MFA: where it is an object (profile data) it is looked into, not hidden.
 */
const SECRET_FIELDS: ReadonlySet<string> = new Set(['code', 'data', 'challenge', 'webauthn', 'key', 'fingerprint'])
const SECRET_ENDING = /(?:password|token|ticket|credential|secret)$/i

/** What stands where a secret was. */
export const REDACTED = '[redacted]'

/** Whether a field of this wire name may hold a secret. */
export function isSecretField(name: string | number | undefined): boolean {
  return typeof name === 'string' && (SECRET_FIELDS.has(name.toLowerCase()) || SECRET_ENDING.test(name))
}
