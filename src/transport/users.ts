import { PartialUserSchema } from '../contract/relationships'
import type { Definition, Schema } from '../contract/schema'
import { MAX_ISSUES } from '../contract/validate'
import { createIssue, type Issue } from '../internal/issue'
import { isObject } from '../internal/json'
import type { Secrets } from '../internal/redact'
import type { StandardResult, StandardSchema } from '../types/options'

interface FoundUser {
  readonly user: object
  readonly path: Issue['path']
}

/**
 * Adds the users in a value of `schema` to `found`, except users that are no objects: the check of the API reports
 * those. No union, rule or record of the API contains users.
 */
function findUsers(schema: Schema<unknown>, value: unknown, path: Issue['path'], found: FoundUser[]): void {
  if (!isObject(value)) return
  // Every schema is a definition: only the functions of `schema.ts` create them.
  const { kind, of } = schema as Definition
  if (schema === PartialUserSchema) found.push({ user: value, path })
  else if (kind === 'optional' || kind === 'nullable') findUsers(of, value, path, found)
  else if (kind === 'array' || kind === 'object') {
    for (const [key, item] of Array.isArray(value) ? value.entries() : Object.entries(value)) {
      const child = kind === 'array' ? of : of[key]
      if (child) findUsers(child, item, [...path, key], found)
    }
  }
}

/**
 * Returns the issues of the users in a value of `schema`, of at most {@link MAX_ISSUES} users. Rejects if the app's schema
 * throws.
 */
export async function checkUsers(
  userSchema: StandardSchema,
  schema: Schema<unknown>,
  value: unknown,
  secrets: () => Secrets,
): Promise<Issue[]> {
  const found: FoundUser[] = []
  findUsers(schema, value, [], found)
  const issues: Issue[] = []
  for (const { user, path } of found) {
    const result = await userSchema['~standard'].validate(user)
    if (result.issues) issues.push(...readIssues(result.issues, secrets(), path))
    if (issues.length >= MAX_ISSUES) break
  }
  return issues
}

/** Converts the issues of the app's schema for the value at `root`. Throws if they are not an array of issues. */
export function readIssues(
  issues: NonNullable<StandardResult<unknown>['issues']>,
  secrets: Secrets,
  root: Issue['path'] = [],
): Issue[] {
  return issues.map(({ path = [], message }) => {
    const keys = path
      .map((part) => (typeof part === 'object' ? part.key : part))
      .map((key) => (typeof key === 'number' ? key : String(key)))
    return createIssue([...root, ...keys], 'invalid_value', secrets.text(String(message)))
  })
}
