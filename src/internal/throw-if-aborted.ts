/** Throws the signal's reason if it has aborted. The signal's own method is missing in older jsdom and React Native. */
export function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw signal.reason
}
