/**
 * Uses a storage. Returns `undefined` if the browser refuses: where storage is blocked, already reading `sessionStorage`
 * throws.
 */
export function tryStorage<T>(storage: () => Storage, use: (storage: Storage) => T): T | undefined {
  try {
    return use(storage())
  } catch {
    return undefined
  }
}

/** Returns what was remembered under a key while the tab was open, or `null`. */
export function recallInTab(key: string): string | null {
  return (
    tryStorage(
      () => sessionStorage,
      (storage) => storage.getItem(key),
    ) ?? null
  )
}

/** Remembers a text while the tab is open. Returns whether the browser has stored it. */
export function rememberInTab(key: string, text: string): boolean {
  const store = (storage: Storage) => {
    storage.setItem(key, text)
    return true
  }
  return tryStorage(() => sessionStorage, store) ?? false
}
