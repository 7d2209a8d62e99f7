import { formatPath, type Issue } from 'rapport-sdk'
import { expect } from 'vitest'

/** Returns the error of a rejected promise, which must satisfy the guard. */
export async function rejectionOf<E>(promise: Promise<unknown>, guard: (error: unknown) => error is E): Promise<E> {
  const error = await reasonOf(promise)
  expect(error).toSatisfy(guard)
  return error as E
}

/** Returns the reason of a rejected promise. */
export async function reasonOf(promise: Promise<unknown>): Promise<unknown> {
  const outcome = await promise.then(
    (value) => ({ value }),
    (reason: unknown) => ({ reason }),
  )
  if ('reason' in outcome) return outcome.reason
  throw new Error(`the promise resolved to ${JSON.stringify(outcome.value)}`)
}

/** Returns the paths of the issues as dotted strings. */
export function pathsOf(error: { readonly issues: readonly { readonly path: readonly (string | number)[] }[] }) {
  return error.issues.map(({ path }) => path.join('.'))
}

/** Returns the issues of an error, one line each: `path code: message`. */
export function issueLines({ issues }: { readonly issues: readonly Issue[] }): string[] {
  expect(issues.every(({ severity }) => severity === 'error')).toBe(true)
  return issues.map(({ path, code, message }) => `${formatPath(path)} ${code}: ${message}`)
}
