import { issueAt } from '../../contract/issue'
import { ComponentError } from '../../errors/component-error'
import { DEEPEST, MOST_WORK } from '../check/run'
import { isObject, type Wire } from '../edge'
import { rowOf } from '../table/table'

/** Where something is, from the root of what was given. */
export type Path = readonly (string | number)[]

/** A component, whatever its type. */
export type AnyWire = Wire & { readonly type: number }

/** Counts one more item of a list, and throws where there are too many: a value that is in itself has no end. */
export type Work = () => void

/** Reads something hostile, perhaps: what a getter or a proxy throws ends in a {@link ComponentError}. */
export function reading<T>(read: (work: Work) => T): T {
  try {
    return read(counter())
  } catch (error) {
    throw readable(error)
  }
}

export function counter(): Work {
  let count = 0
  return () => {
    if (++count > MOST_WORK) throw broken('too_many', `too much to read, at most ${MOST_WORK} parts`)
  }
}

const slots = new Map<number, readonly (readonly [name: string, isList: boolean])[]>()

/** The fields of a type that hold components, one or a list of them. */
export function slotsOf(type: number): readonly (readonly [name: string, isList: boolean])[] {
  let found = slots.get(type)
  if (found === undefined) {
    found = Object.entries(rowOf(type)?.fields ?? {}).flatMap(([name, field]) => {
      const isList = field.kind === 'list'
      return (isList ? field.of : field).kind === 'slot' ? [[name, isList] as const] : []
    })
    if (found.length > 0) slots.set(type, found)
  }
  return found
}

/** Whether a value is a component: a received message has a `type` as well, but a text for an `id`. */
export function isComponent(value: unknown): value is AnyWire {
  return isObject(value) && typeof value.type === 'number' && typeof value.id !== 'string'
}

/** The component that has to be at a path. */
export function componentAt(value: unknown, path: Path): AnyWire {
  if (!isComponent(value)) throw broken('invalid_type', 'expected a component', path)
  if (path.length > DEEPEST) throw broken('too_deep', 'nested too deeply to be read', path)
  return value
}

/** The list that has to be at a path; nothing is an empty one. */
export function listAt(value: unknown, path: Path): readonly unknown[] {
  if (value === undefined || value === null) return []
  if (!Array.isArray(value)) throw broken('invalid_type', 'expected a list', path)
  return value
}

/** The list at the top of a message, a modal or a list of components, and its path. */
export function topOf(source: unknown): readonly [list: readonly unknown[], path: Path] {
  if (Array.isArray(source)) return [source, []]
  if (!isObject(source)) throw broken('invalid_type', 'expected components')
  return [listAt(source.components, ['components']), ['components']]
}

/** What is thrown in place of what a getter or a proxy throws. */
export function readable(error: unknown): ComponentError {
  return error instanceof ComponentError ? error : broken('invalid_type', 'cannot be read')
}

function broken(code: 'invalid_type' | 'too_deep' | 'too_many', message: string, path: Path = []): ComponentError {
  return new ComponentError('what was to be read', [issueAt(path, code, message)])
}
