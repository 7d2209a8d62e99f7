import { isPlain, isPlainJson } from '../internal/json'
import { check, explain, withinStack } from './check'
import { isValid } from './fits'
import { formatPath, type Issue, issueAt } from './issue'
import type { Schema } from './schema'

/** Maximum number of parts of which all issues are reported; of a larger value, only the first one is. */
const MAX_PARTS = 20_000

/** Returns the issues that prevent `value` from being sent as `schema` describes; empty if it is valid. */
export function checkRequest(schema: Schema<unknown>, value: unknown): Issue[] {
  let isPlainTree = false
  let isSound = false
  // A value too deep for this is reported below.
  withinStack(() => {
    isPlainTree = isPlainJson(value)
    isSound = isPlainTree && isValid(schema, value)
    return []
  })
  if (isSound) return []
  const onlyFirst = isLarge(value)
  const options = { hideWhole: true, onlyFirst }
  if (isPlainTree) return explain(schema, value, options)
  const issues = check(schema, value, options)
  if ((onlyFirst && issues.length > 0) || issues.some(({ code }) => code === 'too_deep')) return issues
  const lost: Issue[] = []
  const tooDeep = withinStack(() => {
    findLost(value, [], lost, onlyFirst ? 1 : MAX_PARTS)
    return []
  })
  const places = new Set(issues.map(({ path }) => formatPath(path)))
  return [...issues, ...(tooDeep.length > 0 ? tooDeep : lost).filter(({ path }) => !places.has(formatPath(path)))]
}

/** Whether a value has more than {@link MAX_PARTS}, as every cyclic value does. */
function isLarge(root: unknown): boolean {
  const pending = [root]
  for (let parts = 0; pending.length > 0; parts++) {
    const value = pending.pop()
    if (typeof value !== 'object' || value === null) continue
    for (const item of Object.values(value)) {
      if (parts + pending.length > MAX_PARTS) return true
      pending.push(item)
    }
  }
  return false
}

/** Finds values that JSON would silently change, such as a Map, a Date or a class instance, and the key `__proto__`. */
function findLost(value: unknown, path: (string | number)[], found: Issue[], most: number): void {
  if (typeof value !== 'object' || value === null) return
  const isList = Array.isArray(value)
  const problem =
    !isList && !isPlain(value)
      ? 'expected a plain object, such as a literal'
      : path.at(-1) === '__proto__' && 'not a valid field name'
  if (problem) {
    found.push(issueAt([...path], 'invalid_type', problem))
    return
  }
  for (const key of isList ? value.keys() : Object.keys(value)) {
    if (found.length >= most) return
    const item: unknown = Reflect.get(value, key)
    if (typeof item !== 'object') continue
    path.push(key)
    findLost(item, path, found, most)
    path.pop()
  }
}
