/** Settles as `promise` does, or rejects with the signal's reason, whichever is first. No listener stays behind. */
export function raceAbort<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason)
    if (signal.aborted) abort()
    else signal.addEventListener('abort', abort, { once: true })
    const settle = <V>(act: (outcome: V) => void) => {
      return (outcome: V) => {
        signal.removeEventListener('abort', abort)
        act(outcome)
      }
    }
    promise.then(settle(resolve), settle(reject))
  })
}

/** Resolves after `ms`, or as long as a timer can wait, or rejects with the signal's reason. */
export function sleep(ms: number, signal: AbortSignal): Promise<void> {
  let cancel = () => {}
  const elapsed = new Promise<void>((resolve) => {
    cancel = setSafeTimeout(ms, resolve)
  })
  return raceAbort(elapsed, signal).finally(cancel)
}

interface AbortListeners {
  readonly callbacks: Set<() => void>
  readonly run: () => void
}

const listenersBySignal = new WeakMap<AbortSignal, AbortListeners>()

/**
 * Runs `act` when a signal aborts. Returns what takes it back. However many follow a signal, it has one listener:
 * platforms warn of more than ten, though a page's worth of calls with one signal is no leak.
 */
export function onAbort(signal: AbortSignal, act: () => void): () => void {
  const { callbacks: acts, run: tell } = listenersBySignal.get(signal) ?? createListeners()
  if (acts.size === 0) {
    listenersBySignal.set(signal, { callbacks: acts, run: tell })
    signal.addEventListener('abort', tell, { once: true })
  }
  acts.add(act)
  return () => {
    if (!acts.delete(act) || acts.size > 0) return
    listenersBySignal.delete(signal)
    signal.removeEventListener('abort', tell)
  }
}

function createListeners(): AbortListeners {
  const acts = new Set<() => void>()
  const tell = () => {
    for (const act of [...acts]) act()
  }
  return { callbacks: acts, run: tell }
}

/** The longest that timers of the platform can wait: beyond it they fire at once. */
export const MAX_TIMER_MS = 2 ** 31 - 1

/** Runs `act` after `ms`, never where it is infinite. Returns what cancels it. */
export function setSafeTimeout(ms: number, act: () => void): () => void {
  if (ms === Infinity) return () => {}
  const timer = setTimeout(act, Math.min(ms, MAX_TIMER_MS))
  return () => clearTimeout(timer)
}

/** Throws the signal's reason if it has aborted. The signal's own method is missing in older jsdom and React Native. */
export function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw signal.reason
}
