/**
 * Calls `act` when a browser comes online again or its page becomes visible again. Returns an unsubscribe function. Does
 * nothing outside of browsers.
 */
export function onConnectivityChange(act: () => void): () => void {
  const seen = () => {
    if (globalThis.document.visibilityState === 'visible') act()
  }
  const stops = [listen(globalThis, 'online', act), listen(globalThis.document, 'visibilitychange', seen)]
  return () => {
    for (const stop of stops) stop()
  }
}

/** Types of the platform promise what is not there everywhere. */
function listen(target: Partial<EventTarget> | undefined, type: string, act: () => void): () => void {
  if (typeof target?.addEventListener !== 'function') return () => {}
  target.addEventListener(type, act)
  return () => target.removeEventListener?.(type, act)
}
