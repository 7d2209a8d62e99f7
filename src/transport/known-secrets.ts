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
export function secretValues(body: unknown): string[] {
  const secret = Array.from(leavesOf(body)).filter(([name]) => isSecretField(name))
  return secret.flatMap(([, leaf]) => [String(leaf), ...documentParts(String(leaf))])
}

/** Secrets that an answer gives away, of which it may say more than the field that they are in. */
export function issuedSecrets(body: unknown): string[] {
  const found: string[] = []
  for (const [name, leaf] of leavesOf(body)) {
    if (!ISSUED.has(name) || typeof leaf !== 'string' || leaf.length < MIN_ISSUED_LENGTH) continue
    found.push(leaf)
    // Secrets are counted, not their parts: a list of passkeys would leave none for the ticket behind it.
    if (found.length >= MAX_ISSUED) break
  }
  return found.flatMap((secret) => [secret, ...documentParts(secret)])
}

/** The texts in a secret that is itself a JSON document. */
function documentParts(text: string): string[] {
  if (!text.startsWith('{')) return []
  try {
    const parts = Array.from(leavesOf(parseJson(text)), ([, leaf]) => String(leaf))
    return parts.filter((part) => part.length >= MIN_PART_LENGTH).slice(0, MAX_ISSUED)
  } catch {
    // It is no document, then.
    return []
  }
}

/** The texts and numbers in a value, each under the name of its field; those of a list under the name of the list. */
function* leavesOf(value: unknown, name = '', depth = 0): Generator<readonly [name: string, leaf: string | number]> {
  if (typeof value === 'string' || typeof value === 'number') yield [name, value]
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH || ArrayBuffer.isView(value)) return
  const isForm = value instanceof FormData || value instanceof URLSearchParams
  const isList = Array.isArray(value)
  for (const [key, item] of isForm ? value : Object.entries(value))
    yield* leavesOf(item, isList ? name : key, depth + 1)
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
