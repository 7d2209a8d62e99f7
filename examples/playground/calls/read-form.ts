import type { Call } from './call-code'
import { type Entry, type FormField, readEntry } from './form-fields'

/** What a form says. */
export interface FormContents {
  readonly call: Call
  /** Why it cannot be sent, by the name of the field. */
  readonly problems: ReadonlyMap<string, string>
  /** The first field whose JSON is broken, and where. */
  readonly broken: string | undefined
}

/** Reads a form. A required text that is missing is empty in the call, so that its code compiles. */
export function readForm(method: string, entries: readonly (readonly [FormField, Entry])[]): FormContents {
  const path: string[] = []
  const params: Record<string, unknown> = {}
  const problems = new Map<string, string>()
  let broken: string | undefined
  for (const [field, entry] of entries) {
    const { name, kind, place, isRequired } = field
    const { value = isRequired ? (kind === 'lines' ? [] : '') : undefined, problem } = readEntry(field, entry)
    if (problem !== undefined) problems.set(name, problem)
    if (problem !== undefined && kind === 'json' && entry.text.trim() !== '') broken ??= `${name}: ${problem}`
    if (place === 'path') path.push(String(value))
    else if (value !== undefined) params[name] = value
  }
  return { call: { method, path, params: Object.keys(params).length === 0 ? undefined : params }, problems, broken }
}
