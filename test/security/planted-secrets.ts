import { inspect } from 'node:util'
import { expect } from 'vitest'

/** Secrets that must not appear in any output. */
export const PLANTED = {
  token: 'planted-token-1f0c',
  ticket: 'planted-ticket-2f0c',
  jwt: 'planted-jwt-3f0c',
  code: 'planted-code-4f0c',
  password: 'planted-password-5f0c',
  fingerprint: 'planted-fingerprint-6f0c',
} as const

export const SIGNATURE = 'planted-signature-7f0c'
export const CREDENTIAL = { id: 'credential', response: { signature: SIGNATURE } }

/** Returns an error body that repeats all secrets in every place that messages come from. */
export function echoSecrets(code: number, further: object = {}) {
  const everything = `${Object.values(PLANTED).join(' and ')} and ${JSON.stringify(CREDENTIAL)}`
  return {
    code,
    message: `rejected: ${everything}`,
    errors: {
      [PLANTED.password]: { _errors: [{ code: PLANTED.code, message: everything }] },
      list: [{ _errors: [everything] }],
    },
    request: { ...PLANTED, data: PLANTED.code, credential: CREDENTIAL, list: Object.values(PLANTED) },
    [PLANTED.token]: PLANTED.jwt,
    ...further,
  }
}

/** Returns all textual representations of a value: `inspect`, JSON, message, stack and causes. */
export function render(value: unknown): string {
  const texts = [String(value), inspect(value, { depth: Infinity, showHidden: true }), JSON.stringify(value) ?? '']
  if (value instanceof Error) texts.push(value.message, value.stack ?? '', render(value.cause))
  return texts.join('\n')
}

/** Fails if a value shows one of the secrets. */
export function expectNoSecret(
  value: unknown,
  secrets: readonly string[] = [...Object.values(PLANTED), SIGNATURE],
): void {
  const text = render(value)
  for (const secret of secrets) if (text.includes(secret)) expect.fail(`${secret} is shown by:\n${text.slice(0, 4000)}`)
}
