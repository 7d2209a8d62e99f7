/** Waits until a condition holds. Checks it at once and after every change of `store`, such as a live store. */
export function until({ subscribe }: { subscribe(listener: () => void): () => void }, isMet: () => boolean) {
  return new Promise<void>((resolve) => {
    const unsubscribe = subscribe(check)
    function check() {
      if (!isMet()) return
      unsubscribe()
      resolve()
    }
    check()
  })
}
