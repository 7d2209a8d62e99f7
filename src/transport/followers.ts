interface Followers {
  readonly acts: Set<() => void>
  readonly tell: () => void
}

const bySignal = new WeakMap<AbortSignal, Followers>()

/**
 * Runs `act` when a signal aborts. Returns what takes it back. However many follow a signal, it has one listener:
 * platforms warn of more than ten, though a page's worth of calls with one signal is no leak.
 */
export function follow(signal: AbortSignal, act: () => void): () => void {
  const { acts, tell } = bySignal.get(signal) ?? newFollowers()
  if (acts.size === 0) {
    bySignal.set(signal, { acts, tell })
    signal.addEventListener('abort', tell, { once: true })
  }
  acts.add(act)
  return () => {
    if (!acts.delete(act) || acts.size > 0) return
    bySignal.delete(signal)
    signal.removeEventListener('abort', tell)
  }
}

function newFollowers(): Followers {
  const acts = new Set<() => void>()
  const tell = () => {
    for (const act of [...acts]) act()
  }
  return { acts, tell }
}
