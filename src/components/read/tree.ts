import { type IssueCode, issueAt } from '../../contract/issue'
import { ComponentError } from '../../errors/component-error'
import { Owned } from '../factory'
import { messageV2Spec } from '../messages'
import { rowOf } from '../registry'
import { MAX_DEPTH, MAX_STEPS, type Path } from '../rules'
import { type ComponentSpec, type Field, isComponent, isObject, MESSAGE, type PlainObject } from '../schema'

/** A component, whatever its type. */
export type AnyWire = PlainObject & { readonly type: number }

/**
 * Receives each component before what it holds, with the field that it is in; returns what takes its place, or nothing if
 * it cannot stay.
 */
export type Visit = (
  component: AnyWire,
  path: Path,
  parent: AnyWire | undefined,
  field: Field | undefined,
) => PlainObject | undefined

interface Tour {
  readonly visit: Visit
  /** Told of what cannot do without what did not stay. Where there is one, what cannot be sent in a message does not stay. */
  readonly onBroken: ((component: AnyWire, path: Path) => void) | undefined
  work: number
}

/**
 * Goes through all components of a message, a modal, a list or one component, and gives the same with what took their
 * places. What does not change is shared.
 */
export function transformTree(source: unknown, visit: Visit, onBroken?: Tour['onBroken']): unknown {
  const going: Tour = { visit, onBroken, work: 0 }
  try {
    if (isComponent(source)) return toured(source, [], undefined, going)
    // Whatever holds components has them where a message does; which it may hold, the checks say.
    if (Array.isArray(source)) return touredField(messageV2Spec.shape.components, source, [], undefined, going)
    if (isObject(source)) return touredFields(messageV2Spec, source, [], undefined, going)
    throw broken('invalid_type', 'expected components')
  } catch (error) {
    // A getter or a proxy may have thrown anything.
    throw error instanceof ComponentError ? error : broken('invalid_type', 'cannot be read')
  }
}

function broken(code: IssueCode, message: string, path: Path = []): ComponentError {
  return new ComponentError('what was to be read', [issueAt(path, code, message)])
}

function toured(
  value: unknown,
  path: Path,
  parent: AnyWire | undefined,
  going: Tour,
  field?: Field,
): PlainObject | undefined {
  if (!isComponent(value)) throw broken('invalid_type', 'expected a component', path)
  if (path.length > MAX_DEPTH) throw broken('too_deep', 'nested too deeply', path)
  const visited = going.visit(value, path, parent, field)
  const row = rowOf(visited?.type)
  if (row === undefined || visited === undefined) return visited
  const next = touredFields(row, visited, path, value, going)
  if (next === undefined) going.onBroken?.(value, path)
  return next
}

function touredFields(
  row: ComponentSpec,
  value: PlainObject,
  path: Path,
  owner: AnyWire | undefined,
  going: Tour,
): PlainObject | undefined {
  let next = value
  for (const [name, field] of row.fields) {
    const given = value[name]
    if (given === undefined) continue
    const stayed = touredField(field, given, [...path, name], owner, going)
    if (stayed === given) continue
    if (stayed === undefined && field.required) return undefined
    next = withField(next, name, stayed)
  }
  return next
}

function touredField(field: Field, given: unknown, path: Path, owner: AnyWire | undefined, going: Tour): unknown {
  const { kind, of, part } = field
  const isSending = going.onBroken !== undefined
  // Messages alone are read to be sent again.
  if (isSending && (field.places & MESSAGE) === 0) return undefined
  if (kind === 'component' && given !== null) return toured(given, path, owner, going, field)
  if (of && given !== null && (of.kind === 'component' || (isSending && Array.isArray(given)))) {
    return touredList(given, of, path, owner, going)
  }
  return part && isSending && isObject(given) ? touredFields(part, given, path, owner, going) : given
}

function touredList(list: unknown, of: Field, path: Path, owner: AnyWire | undefined, going: Tour): unknown {
  if (!Array.isArray(list)) throw broken('invalid_type', 'expected a list', path)
  const items: unknown[] = []
  let isChanged = false
  for (let index = 0; index < list.length; index++) {
    if (++going.work > MAX_STEPS) throw broken('too_many', `more than ${MAX_STEPS} parts`)
    const given: unknown = list[index]
    const at = [...path, index]
    const next =
      of.kind === 'component' ? toured(given, at, owner, going, of) : touredField(of, given, at, owner, going)
    if (next !== undefined) items.push(next)
    isChanged ||= next !== given
  }
  if (!isChanged) return list
  if (items.length === 0 && owner) return undefined
  return Object.isFrozen(list) ? Object.freeze(items) : items
}

/** A copy with another field, or without it where it is `undefined`: frozen where the value is, and with its methods. */
export function withField(value: PlainObject, name: string, next: unknown): PlainObject {
  const copy: Record<string, unknown> = { ...value, [name]: next }
  if (next === undefined) delete copy[name]
  if (value instanceof Owned) Object.setPrototypeOf(copy, Object.getPrototypeOf(value))
  return Object.isFrozen(value) ? Object.freeze(copy) : copy
}
