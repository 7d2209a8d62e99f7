import { isSecretField } from '../contract/secrets'
import { parseJson } from './json'
import { isWellFormed } from './path'
import { isSecretHeader } from './redact'

/** Deeper than any body of the interface. */
const MAX_DEPTH = 32
/** Parts of a document, such as a credential, that are long enough to be secret: no words such as `public-key`. */
const MIN_PART_LENGTH = 16
/** Fields of answers by which the service gives secrets away. */
const ISSUED: ReadonlySet<string> = new Set(['token', 'ticket', 'handoff_token', 'challenge', 'webauthn'])
const MIN_ISSUED_LENGTH = 8
const MAX_ISSUED = 32

/** The values of secret fields in what a caller sends, so that an echo of them can be masked. */
export function secretValues(body: unknown, depth = 0): string[] {
  if (typeof body !== 'object' || body === null || depth > MAX_DEPTH || ArrayBuffer.isView(body)) return []
  const isForm = body instanceof FormData || body instanceof URLSearchParams
  return (isForm ? [...body] : Object.entries(body)).flatMap(([key, value]) => {
    // A list under a secret name is one of secrets.
    const items: unknown[] = isSecretField(key) && Array.isArray(value) ? value : [value]
    return items.flatMap((item) => {
      if (typeof item !== 'string' && typeof item !== 'number') return secretValues(item, depth + 1)
      return isSecretField(key) ? [String(item), ...documentParts(String(item))] : []
    })
  })
}

/** Secrets that an answer gives away, of which it may say more than the field that they are in. */
export function issuedSecrets(body: unknown): string[] {
  const found: string[] = []
  collectIssued(body, found, 0)
  return found.flatMap((secret) => [secret, ...documentParts(secret)])
}

function collectIssued(body: unknown, found: string[], depth: number): void {
  if (typeof body !== 'object' || body === null || depth > MAX_DEPTH || found.length >= MAX_ISSUED) return
  for (const [key, value] of Object.entries(body)) {
    if (typeof value !== 'string') collectIssued(value, found, depth + 1)
    else if (ISSUED.has(key) && value.length >= MIN_ISSUED_LENGTH) found.push(value)
  }
}

/** The texts in a secret that is itself a JSON document. */
function documentParts(text: string): string[] {
  if (!text.startsWith('{')) return []
  const parts: string[] = []
  const collect = (value: unknown, depth: number): void => {
    if (typeof value === 'string' && value.length >= MIN_PART_LENGTH) parts.push(value)
    if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return
    for (const item of Object.values(value)) collect(item, depth + 1)
  }
  try {
    collect(parseJson(text), 0)
  } catch {
    // It is no document, then.
  }
  return parts.slice(0, MAX_ISSUED)
}

/** The values of headers that are not shown, with and without their scheme. */
export function secretHeaderValues(headers: Readonly<Record<string, string>>, mfaHeader: string): string[] {
  const secret = Object.entries(headers).filter(([name]) => isSecretHeader(name, mfaHeader))
  return secret.flatMap(([, value]) => [value, value.slice(value.indexOf(' ') + 1)])
}

/** The forms in which secrets may come back, the longest first, since one may begin another. */
export function formsOf(secrets: readonly string[]): string[] {
  const forms = secrets.flatMap((secret) => {
    const inJson = JSON.stringify(secret).slice(1, -1)
    const inUrl = isWellFormed(secret)
      ? [encodeURIComponent(secret), String(new URLSearchParams([['', secret]])).slice(1)]
      : []
    return [secret, inJson, ...inUrl]
  })
  return [...new Set(forms)].sort((one, other) => other.length - one.length)
}
