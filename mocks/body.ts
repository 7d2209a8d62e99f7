/** The size that a body may have unless `maxBodyBytes` says otherwise. A convention: the document shows no limit. */
export const MAX_BODY_BYTES = 2 ** 20

/** Whether a text has more bytes than that in UTF-8. */
export function isLonger(text: string, maxBytes: number): boolean {
  // A character has one to three bytes for each of its units, so most texts need not be encoded to know.
  return text.length * 3 > maxBytes && (text.length > maxBytes || new TextEncoder().encode(text).length > maxBytes)
}

/** Returns the body of a request as text, or `null` if it has more bytes than that; it is read no further then. */
export async function readBody(request: Request, maxBytes: number): Promise<string | null> {
  const reader = request.body?.getReader()
  // Some browsers have no stream of it.
  if (reader === undefined) return await request.text()
  const decoder = new TextDecoder()
  let [text, size] = ['', 0]
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return text + decoder.decode()
    size += value.byteLength
    if (size > maxBytes) {
      reader.cancel().catch(() => {})
      return null
    }
    text += decoder.decode(value, { stream: true })
  }
}
