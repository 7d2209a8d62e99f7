/** Waits until something is so of what can be subscribed to, such as a live store. */
export function until({ subscribe }: { subscribe(listener: () => void): () => void }, isSo: () => boolean) {
  return new Promise<void>((resolve) => {
    const stop = subscribe(check)
    function check() {
      if (!isSo()) return
      stop()
      resolve()
    }
    check()
  })
}
