import { isPlain } from '../internal/json'
import { check, withinStack } from './check'
import { formatPath, type Issue, issueAt } from './issue'
import type { Schema } from './schema'

/** Everything that keeps `value` from being sent as what `schema` describes; empty when it fits. */
export function checkRequest(schema: Schema<unknown>, value: unknown): Issue[] {
  const issues = check(schema, value, { hideWhole: true })
  if (issues.some(({ code }) => code === 'too_deep')) return issues
  const places = new Set(issues.map(({ path }) => formatPath(path)))
  return [...issues, ...withinStack(() => lossy(value)).filter(({ path }) => !places.has(formatPath(path)))]
}

/** What JSON would send as less than it is: a Map, a Date, what a class makes, and a key that no object can hold. */
function lossy(value: unknown, path: Issue['path'] = []): Issue[] {
  if (typeof value !== 'object' || value === null) return []
  const refuse = (code: Issue['code'], message: string): Issue[] => [issueAt(path, code, message)]
  if (Array.isArray(value)) return value.flatMap((item, index) => lossy(item, [...path, index]))
  if (!isPlain(value)) return refuse('invalid_type', 'expected a plain object, such as a literal')
  if (path.at(-1) === '__proto__') return refuse('invalid_type', 'is not a name that a field may have')
  return Object.entries(value).flatMap(([key, item]) => lossy(item, [...path, key]))
}
