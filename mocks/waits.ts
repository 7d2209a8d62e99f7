/** The pauses of one service. None of them outlives it. */
export interface Waits {
  /** Waits in real time. Rejects with the signal's reason, or when the service is closed. */
  wait(milliseconds: number, signal?: AbortSignal): Promise<void>
  /** Ends all pauses with an error. */
  close(): void
}

/** What a request to a closed service is rejected with: to its caller the network has gone. */
export function closedError(): TypeError {
  return new TypeError('fetch failed', { cause: new Error('the mock service was closed') })
}

export function createWaits(): Waits {
  const pending = new Set<(reason: unknown) => void>()
  return {
    wait: (milliseconds, signal) =>
      new Promise((resolve, reject) => {
        const settle = (act: () => void) => {
          clearTimeout(timer)
          signal?.removeEventListener('abort', onAbort)
          pending.delete(cancel)
          act()
        }
        const cancel = (reason: unknown) => settle(() => reject(reason))
        const onAbort = () => cancel(signal?.reason)
        const timer = setTimeout(() => settle(resolve), milliseconds)
        pending.add(cancel)
        signal?.addEventListener('abort', onAbort)
        if (signal?.aborted) onAbort()
      }),
    close() {
      for (const cancel of [...pending]) cancel(closedError())
    },
  }
}
