import { kindOf } from '../contract/check'
import { pathParameters } from '../contract/endpoint'
import { type Issue, issueAt } from '../contract/issue'
import { isWellFormed } from '../internal/json'

/** What a router may take for the same folder or the one above, encoded or not. */
const DOT_SEGMENT = /^(?:\.|%2e){1,2}$/i
const SNOWFLAKE = /^[0-9]+$/
// biome-ignore lint/suspicious/noControlCharactersInRegex: a path must not have them
const FORBIDDEN = /[\\?#\u0000-\u0020\u007f]|\/\/|^(?!\/)/

/** Fills a path template, its parameters in their order. No value can change its shape: what could is an issue. */
export function fillPath(template: string, valueFor: (name: string) => unknown): { path: string; issues: Issue[] } {
  const issues: Issue[] = []
  const path = template.replace(/\{([^{}]+)\}/g, (_, name: string) => {
    const value = valueFor(name)
    const problem = segmentProblem(name, value)
    if (problem === undefined) return encodeURIComponent(value as string)
    issues.push(issueAt([name], 'invalid_format', problem))
    return ''
  })
  return { path, issues }
}

function segmentProblem(name: string, value: unknown): string | undefined {
  if (typeof value === 'number') return 'expected a string: a number this long loses digits'
  if (typeof value !== 'string') return `expected a string, got ${kindOf(value)}`
  if (value === '') return 'is empty'
  // In a path the snowflakes are the parameters named `….id`; that they are digits is a convention.
  if (name.endsWith('.id')) return SNOWFLAKE.test(value) ? undefined : 'expected a snowflake: digits only'
  if (DOT_SEGMENT.test(value)) return 'is a step in a path, not a name'
  return isWellFormed(value) ? undefined : 'has half a character (a lone surrogate)'
}

/** Whether what is percent-encoded in a template is so by itself: `%2{value}` would let a value finish it. */
function isEncoded(template: string): boolean {
  try {
    return isWellFormed(decodeURIComponent(template))
  } catch {
    return false
  }
}

/** What is wrong with a template that a caller gives, with the values it needs. */
export function templateIssues(template: unknown, values: Readonly<Record<string, unknown>>): Issue[] {
  if (typeof template !== 'string')
    return [issueAt(['path'], 'invalid_format', `expected a string, got ${kindOf(template)}`)]
  const issues: Issue[] = []
  const isStepped = template.split('/').some((segment) => DOT_SEGMENT.test(segment))
  if (FORBIDDEN.test(template) || isStepped || !isEncoded(template)) {
    issues.push(
      issueAt(
        ['path'],
        'invalid_format',
        'expected a path below `baseUrl` such as "/channels/{channel.id}/messages"; values go into `pathParams` and `query`',
      ),
    )
  }
  const names = pathParameters(template)
  for (const name of Object.keys(values)) {
    if (!names.includes(name)) issues.push(issueAt(['pathParams', name], 'invalid_format', `the path has no {${name}}`))
  }
  return issues
}
