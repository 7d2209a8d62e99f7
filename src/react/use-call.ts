import { useCallback, useEffect, useMemo, useState } from 'react'

/** Options that {@link useCall} passes to the call. */
export interface CallOptions {
  /** Aborts when the component unmounts, or the call runs again. */
  readonly signal: AbortSignal
}

/** State of a {@link useCall}. */
export interface CallState<T> {
  /**
   * Result of the last call that succeeded; `undefined` before the first one and after the dependencies have changed. It stays
   * while the call runs again, and if that fails.
   */
  readonly data: T | undefined
  /** Error of the last call, or `undefined` if it succeeded. It stays until the next call has ended. */
  readonly error: unknown
  /** Whether a call is in flight; `true` on the server and in the first render. */
  readonly loading: boolean
  /** Aborts the call in flight, if any, and starts it again. Stays the same function. */
  readonly run: () => void
}

/** Outcome of a call that has ended. */
interface Outcome<T> {
  readonly current: object
  readonly run: object
  readonly data: T | undefined
  readonly error: unknown
}

/**
 * Calls `call` when the component mounts, when a value of `dependencies` changes, and when you call `run`. The call in flight is
 * aborted by the next one and when the component unmounts; only the last call sets `data` and `error`. Nothing is called on the
 * server. React's StrictMode mounts twice in development, so the first call is aborted there.
 *
 * For a call that a click or a form starts, no hook is needed: await it in the handler.
 *
 * @param call Receives the `signal`, so that a method with no other parameter can be passed as it is.
 * @param dependencies Values that `call` uses, as for `useEffect`. Default: none, so that it is called once.
 *
 * @example
 * ```tsx
 * import { useCall, useClient } from 'rapport-sdk/react'
 *
 * export function Devices() {
 *   const client = useClient()
 *   const { data, error, loading, run } = useCall(client.auth.sessions.list, [client])
 *   if (error) return <button onClick={run}>Try again</button>
 *   return <p>{loading ? 'Loading…' : data?.user_sessions.length}</p>
 * }
 * ```
 */
export function useCall<T>(
  call: (options: CallOptions) => T | PromiseLike<T>,
  dependencies: readonly unknown[] = [],
): CallState<T> {
  // An object of its own, because the same function may be passed with other dependencies.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the caller lists them.
  const current = useMemo(() => ({ call }), dependencies)
  const [run, setRun] = useState({})
  const [outcome, setOutcome] = useState<Outcome<T>>()
  useEffect(() => {
    const controller = new AbortController()
    const { signal } = controller
    const end = (next: (before: T | undefined) => Pick<Outcome<T>, 'data' | 'error'>) => {
      if (signal.aborted) return
      setOutcome((before) => ({ current, run, ...next(before?.current === current ? before.data : undefined) }))
    }
    // Async, so that an exception of the call is an error like a rejection.
    ;(async () => current.call({ signal }))().then(
      (data) => end(() => ({ data, error: undefined })),
      (error) => end((data) => ({ data, error })),
    )
    return () => controller.abort()
  }, [current, run])
  // The outcome for other dependencies is not shown, not even in the render before the effect.
  const last = outcome?.current === current ? outcome : undefined
  return {
    data: last?.data,
    error: last?.error,
    loading: last?.run !== run,
    run: useCallback(() => setRun({}), []),
  }
}
