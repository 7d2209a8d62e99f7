import { inspect } from 'node:util'
import { expect } from 'vitest'

/** Secrets that no test prints but by mistake. */
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

/** A body that throws everything it can know back at the client, in every place that a message may come from. */
export function echoing(status: number, code: number, further: object = {}) {
  const everything = `${Object.values(PLANTED).join(' and ')} and ${JSON.stringify(CREDENTIAL)}`
  return {
    status,
    body: {
      code,
      message: `refused: ${everything}`,
      errors: {
        [PLANTED.password]: { _errors: [{ code: PLANTED.code, message: everything }] },
        list: [{ _errors: [everything] }],
      },
      request: { ...PLANTED, data: PLANTED.code, credential: CREDENTIAL, list: Object.values(PLANTED) },
      [PLANTED.token]: PLANTED.jwt,
      ...further,
    },
  }
}

/** Everything that a look at a value may show: inspect, JSON, message, stack and causes. */
export function shown(value: unknown): string {
  const texts = [String(value), inspect(value, { depth: Infinity, showHidden: true }), JSON.stringify(value) ?? '']
  if (value instanceof Error) texts.push(value.message, value.stack ?? '', shown(value.cause))
  return texts.join('\n')
}

/** Fails where a value shows one of the secrets. */
export function expectNoSecret(
  value: unknown,
  secrets: readonly string[] = [...Object.values(PLANTED), SIGNATURE],
): void {
  const text = shown(value)
  for (const secret of secrets) if (text.includes(secret)) expect.fail(`${secret} is shown by:\n${text.slice(0, 4000)}`)
}
