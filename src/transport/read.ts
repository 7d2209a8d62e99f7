/** An answer with its body read. */
export interface RawResponse {
  readonly status: number
  readonly headers: Headers
  readonly url: string
  readonly body: Uint8Array
  /** Why the body is not whole, if it is not. */
  readonly flaw?: { readonly reason: string; readonly cause?: unknown; readonly isConnection: boolean }
}

/** Reads a body, no more of it than `maxBytes`. A body that breaks off is a flaw of the answer, not an error yet. */
export async function read(
  response: Response,
  maxBytes: number,
  redactCause: (cause: unknown) => unknown,
): Promise<RawResponse> {
  const { status, headers, url } = response
  const chunks: Uint8Array[] = []
  let size = 0
  let flaw: RawResponse['flaw']
  const reader = response.body?.getReader()
  try {
    for (;;) {
      const { done, value } = (await reader?.read()) ?? { done: true, value: undefined }
      if (done || value === undefined) break
      if (size + value.byteLength > maxBytes) {
        flaw = { reason: `it is larger than ${maxBytes} bytes (\`maxResponseBytes\`)`, isConnection: false }
        await reader?.cancel()
        break
      }
      size += value.byteLength
      chunks.push(value)
    }
  } catch (cause) {
    flaw = { reason: `the connection broke after ${size} bytes`, cause: redactCause(cause), isConnection: true }
  }
  return {
    status,
    headers,
    url,
    body: chunks.length === 1 && chunks[0] ? chunks[0] : join(chunks, size),
    ...(flaw && { flaw }),
  }
}

function join(chunks: readonly Uint8Array[], size: number): Uint8Array {
  const whole = new Uint8Array(size)
  let offset = 0
  for (const chunk of chunks) {
    whole.set(chunk, offset)
    offset += chunk.byteLength
  }
  return whole
}
