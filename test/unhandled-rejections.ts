import { beforeEach, expect } from 'vitest'

/** Fails every test of the calling file that causes an unhandled rejection within 20 ms of its end. */
export function expectNoUnhandledRejections(): void {
  beforeEach(() => {
    const reasons: unknown[] = []
    const record = (reason: unknown) => void reasons.push(reason)
    process.on('unhandledRejection', record)
    return async () => {
      await new Promise((resolve) => setTimeout(resolve, 20))
      process.off('unhandledRejection', record)
      expect(reasons).toEqual([])
    }
  })
}
