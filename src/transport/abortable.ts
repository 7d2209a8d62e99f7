import { after } from './timer'

/** Settles as `promise` does, or rejects with the signal's reason, whichever is first. No listener stays behind. */
export function abortable<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
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
    cancel = after(ms, resolve)
  })
  return abortable(elapsed, signal).finally(cancel)
}
