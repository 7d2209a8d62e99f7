import { formatPath, type Issue } from 'rapport-sdk'
import { expect } from 'vitest'

/** What a promise rejects with, which the guard must recognise. */
export async function rejectionOf<E>(promise: Promise<unknown>, guard: (error: unknown) => error is E): Promise<E> {
  const error = await reasonOf(promise)
  expect(error).toSatisfy(guard)
  return error as E
}

/** What a promise rejects with, whatever it is. */
export async function reasonOf(promise: Promise<unknown>): Promise<unknown> {
  const outcome = await promise.then(
    (value) => ({ value }),
    (reason: unknown) => ({ reason }),
  )
  if ('reason' in outcome) return outcome.reason
  throw new Error(`it resolved, with ${JSON.stringify(outcome.value)}`)
}

/** The issues' paths, as dotted text. */
export function pathsOf(error: { readonly issues: readonly { readonly path: readonly (string | number)[] }[] }) {
  return error.issues.map(({ path }) => path.join('.'))
}

/** The issues of an error, a line each: `path code: message`. */
export function issueLines({ issues }: { readonly issues: readonly Issue[] }): string[] {
  expect(issues.every(({ severity }) => severity === 'error')).toBe(true)
  return issues.map(({ path, code, message }) => `${formatPath(path)} ${code}: ${message}`)
}
