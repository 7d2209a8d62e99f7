// The journal shows what a network panel would, so that one can learn from it. Its secrets are simulated, but they are
// redacted until the user asks for them: a shared screen or a screenshot should look like the logs of the SDK.

/** Replaces a secret. */
const REDACTED = '[redacted]'

// The names by which the SDK redacts its errors and logs, too; see docs/guides/security.md.
const SECRET_HEADER = /auth|cookie|token|secret|fingerprint|api-?key/i
const SECRET_FIELD = /^(?:code|data|challenge|webauthn|key|fingerprint)$|(?:password|token|ticket|credential|secret)$/i

/** Whether the text of a field of this name is a secret. */
export const isSecretField = (name: string): boolean => SECRET_FIELD.test(name)

/** Whether a JSON text has a secret in it; a broken one, whether it seems to. */
export function hasSecret(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text)
    return formatJson(value, false, 0) !== formatJson(value, true, 0)
  } catch {
    return [...text.matchAll(/"([^"\\\n]*)"\s*:\s*["\d]/g)].some(([, name = '']) => isSecretField(name))
  }
}

/** Returns headers, one per line. */
export function formatHeaders(headers: Readonly<Record<string, string>>, showsSecrets: boolean): string {
  const lines = Object.entries(headers).map(([name, value]) => {
    return `${name}: ${!showsSecrets && SECRET_HEADER.test(name) ? REDACTED : value}`
  })
  return lines.join('\n')
}

/** Returns a JSON body with indentation. */
export function formatBody(body: string, showsSecrets: boolean): string {
  try {
    return formatJson(JSON.parse(body), showsSecrets)
  } catch {
    // A fault may send anything.
    return showsSecrets ? body : REDACTED
  }
}

/** Returns a JSON value with indentation. */
export function formatJson(value: unknown, showsSecrets: boolean, indent = 2): string {
  const hide = (name: string, part: unknown) => {
    const isValue = typeof part === 'string' || typeof part === 'number'
    // A numeric `code` is that of an error.
    const isSecret = isValue && isSecretField(name) && !(name === 'code' && typeof part === 'number')
    return isSecret && !showsSecrets ? REDACTED : part
  }
  return JSON.stringify(value, hide, indent) ?? ''
}
