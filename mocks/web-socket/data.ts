import type { MockWebSocketData } from './types'

/** What was sent, as the other end receives it: a copy, since its sender may go on to change it. */
export function received(data: MockWebSocketData): string | Uint8Array | Blob {
  if (typeof data === 'string' || data instanceof Blob) return data
  if (!ArrayBuffer.isView(data)) return new Uint8Array(data.slice(0))
  return new Uint8Array(data.buffer, data.byteOffset, data.byteLength).slice()
}

/** How many bytes that is. */
export function sizeOf(data: string | Uint8Array | Blob): number {
  if (typeof data === 'string') return new TextEncoder().encode(data).length
  return data instanceof Blob ? data.size : data.byteLength
}

/** What a client's listener gets. */
export function delivered(data: string | Uint8Array, binaryType: 'blob' | 'arraybuffer'): string | ArrayBuffer | Blob {
  if (typeof data === 'string') return data
  const { buffer } = new Uint8Array(data)
  return binaryType === 'blob' ? new Blob([buffer]) : buffer
}
