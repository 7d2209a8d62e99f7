/** A text whose characters are bytes, as base64url without padding. */
export function base64url(bytes: string): string {
  return btoa(bytes).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
}

/** A value as base64url of its JSON in UTF-8. */
export function encodeJson(value: unknown): string {
  return base64url(String.fromCharCode(...new TextEncoder().encode(JSON.stringify(value))))
}

/** The value that base64url of JSON holds, or `undefined` where it is neither. */
export function decodeJson(text: string): unknown {
  try {
    const bytes = atob(text.replaceAll('-', '+').replaceAll('_', '/'))
    return JSON.parse(new TextDecoder().decode(Uint8Array.from(bytes, (byte) => byte.charCodeAt(0))))
  } catch {
    return undefined
  }
}
