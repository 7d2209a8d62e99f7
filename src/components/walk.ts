import { type IssueCode, issueAt } from '../contract/issue'
import { characters } from '../contract/size'
import { ComponentError } from '../errors/component-error'
import { isArray, Owned } from './factory'
import { type ComponentInput, messageV2Spec } from './messages'
import type { ReceivedComponent } from './received'
import { rowOf } from './registry'
import { MAX_DEPTH, MAX_STEPS, type Path } from './rules'
import { type ComponentSpec, type Field, isComponent, isObject, MESSAGE, type PlainObject, unsafeCast } from './schema'

/** Any component: one to send, or one that was received. Interface, "Component Type". */
export type AnyComponent = ComponentInput | ReceivedComponent

/** What components stand in: a message or a modal. Interface, "Component Type". */
export interface ComponentHolder {
  /** What stands at the top. */
  readonly components?: readonly AnyComponent[]
}

/** Where components are: in a message or a modal, in a list, or in one component, itself included. */
export type ComponentSource = AnyComponent | readonly AnyComponent[] | ComponentHolder

/** A component and where it is. Interface, "Component Type". */
export interface ComponentVisit {
  /** The component. */
  readonly component: AnyComponent
  /** Where it is, from the root of what was given: `['components', 0, 'accessory']`. */
  readonly path: readonly (string | number)[]
  /** What it stands in; nothing at the top. */
  readonly parent: AnyComponent | undefined
}

function each(
  source: ComponentSource,
  look: (component: PlainObject, path: Path, parent: PlainObject | undefined) => void,
): void {
  transformTree(source, (component, path, parent) => {
    look(component, path, parent)
    return component
  })
}

/**
 * All components, each before what it holds; accessories and the fields of labels included. What components of unknown
 * types hold is not looked at.
 *
 * @throws ComponentError where what is given are no components, or has no end.
 *
 * @example
 * import { button, formatPath, row, walk } from 'rapport-sdk/components'
 *
 * for (const { component, path } of walk([row(button.primary('yes', 'Yes'))])) {
 *   console.log(formatPath(path), component.type)
 * }
 */
export function walk(source: ComponentSource): readonly ComponentVisit[] {
  const visits: ComponentVisit[] = []
  each(source, (component, path, parent) =>
    visits.push({ component: unsafeCast(component), path, parent: unsafeCast(parent) }),
  )
  return visits
}

/**
 * How many components there are, with all that they hold: what a message may have 40 of.
 *
 * @throws ComponentError where what is given are no components, or has no end.
 */
export function countComponents(source: ComponentSource): number {
  return walk(source).length
}

/**
 * The component of a `custom_id`, if there is one.
 *
 * @throws ComponentError where what is given are no components, or has no end.
 */
export function findByCustomId(source: ComponentSource, customId: string): AnyComponent | undefined {
  return find(source, 'custom_id', customId)
}

/**
 * The component of an `id`, if there is one; 0 is none.
 *
 * @throws ComponentError where what is given are no components, or has no end.
 */
export function findById(source: ComponentSource, id: number): AnyComponent | undefined {
  return id === 0 ? undefined : find(source, 'id', id)
}

function find(source: ComponentSource, field: string, value: unknown): AnyComponent | undefined {
  let found: unknown
  each(source, (component) => {
    if (value !== undefined && component[field] === value) found ??= component
  })
  return unsafeCast(found)
}

/**
 * The length of all text displays together, of which a message may have 4000: that these count is a convention.
 *
 * @param options What a character is: a Unicode code point, or a UTF-16 unit.
 * @throws ComponentError where what is given are no components, or has no end.
 */
export function textLength(source: ComponentSource, options?: { readonly length?: 'codePoints' | 'utf16' }): number {
  let sum = 0
  each(source, ({ type, content }) => {
    if (type === 10 && typeof content === 'string') {
      sum += options?.length === 'utf16' ? content.length : characters(content)
    }
  })
  return sum
}

/**
 * A list of components as the service has sent it, typed. It is looked at alone for what the readers count on: that it is
 * a list of components, down to the last. Unknown types and fields stay as they came; nothing is thrown away, and it is
 * the very list that was given. Interface, "Component Type".
 *
 * @param json What JSON.parse gives, not its text.
 * @throws ComponentError where it is no such list.
 *
 * @example
 * import { isButton, parseComponents, walk } from 'rapport-sdk/components'
 *
 * const components = parseComponents([{ type: 1, id: 1, components: [{ type: 2, id: 2, style: 1, custom_id: 'a' }] }])
 * for (const { component } of walk(components)) if (isButton(component)) console.log(component.custom_id)
 */
export function parseComponents(json: unknown): readonly ReceivedComponent[] {
  // To walk it all is to see that all of it is there.
  walk(unsafeCast(isArray(json) ? json : undefined))
  return unsafeCast(json)
}

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
