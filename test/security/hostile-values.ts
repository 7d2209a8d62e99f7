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

/** Returns an error that an app or a library might throw, with a text in each place that errors have. */
export const errorWith = (text: string) =>
  Object.assign(new TypeError(`it was ${text}`, { cause: new Error(text) }), { code: 'EFAILED', sent: { text } })

/** Returns an object whose properties throw an error that quotes a secret. */
export function throwingObject(...names: readonly string[]): object {
  const get = () => {
    throw errorWith(PLANTED.token)
  }
  return Object.defineProperties({}, Object.fromEntries(names.map((name) => [name, { enumerable: true, get }])))
}

/** Returns a circular object with a secret. */
export function circularObject(): object {
  const value: Record<string, unknown> = { secret: PLANTED.password }
  value.self = value
  return value
}

/**
 * Runs `run` while a property of `Object.prototype` is polluted, as by an assignment, or by a definition that is not
 * enumerable. Cleans up before anything is expected: Vitest reads it too.
 */
export async function whilePolluted<T>(
  name: string,
  value: unknown,
  run: () => Promise<T>,
  enumerable = true,
): Promise<T> {
  const set = function (this: object, own: unknown) {
    Object.defineProperty(this, name, { value: own, writable: true, enumerable: true, configurable: true })
  }
  Object.defineProperty(Object.prototype, name, { configurable: true, enumerable, get: () => value, set })
  try {
    return await run()
  } finally {
    Reflect.deleteProperty(Object.prototype, name)
  }
}
