import { type IssueCode, issueAt } from '../contract/issue'
import { characters } from '../contract/size'
import { ComponentError } from '../errors/component-error'
import { isArray, Owned } from './factory'
import { type ComponentInput, messageV2Spec } from './messages'
import type { ReceivedComponent } from './received'
import { rowOf } from './registry'
import { MAX_DEPTH, MAX_STEPS, type Path } from './rules'
import { type ComponentSpec, type Field, isComponent, isObject, MESSAGE, type PlainObject, unsafeCast } from './schema'

/** Any component, to send or received. Interface, "Component Type". */
export type AnyComponent = ComponentInput | ReceivedComponent

/** Message or modal that contains components. Interface, "Component Type". */
export interface ComponentHolder {
  /** Top-level components. */
  readonly components?: readonly AnyComponent[]
}

/** Source of components: a message, a modal, an array, or one component including itself. */
export type ComponentSource = AnyComponent | readonly AnyComponent[] | ComponentHolder

/** Component and its position. Interface, "Component Type". */
export interface ComponentVisit {
  /** Visited component. */
  readonly component: AnyComponent
  /** Path from the root of the source: `['components', 0, 'accessory']`. */
  readonly path: readonly (string | number)[]
  /** Parent component; `undefined` at the top level. */
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
 * Returns all components, parents before children, including accessories and the controls of labels. Does not visit the
 * children of components of unknown types.
 *
 * @throws ComponentError if `source` does not consist of components, or is cyclic.
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
 * Counts the components including nested ones. A message may have 40.
 *
 * @throws ComponentError if `source` does not consist of components, or is cyclic.
 */
export function countComponents(source: ComponentSource): number {
  return walk(source).length
}

/**
 * Returns the component with this `custom_id`, or `undefined`.
 *
 * @throws ComponentError if `source` does not consist of components, or is cyclic.
 */
export function findByCustomId(source: ComponentSource, customId: string): AnyComponent | undefined {
  return find(source, 'custom_id', customId)
}

/**
 * Returns the component with this `id`, or `undefined`; 0 is not an `id`.
 *
 * @throws ComponentError if `source` does not consist of components, or is cyclic.
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
 * Returns the total length of all text displays. A message may have 4000; that only text displays count is a
 * convention.
 *
 * @param options `length` is the unit of a character: Unicode code points (default) or UTF-16 units.
 * @throws ComponentError if `source` does not consist of components, or is cyclic.
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
 * Types an array of components received from the service. Only checks that it consists of components at every level,
 * which the readers rely on. Keeps unknown types and fields and returns the same array. Interface, "Component Type".
 *
 * @param json Parsed JSON, not its source string.
 * @throws ComponentError if it is not an array of components.
 *
 * @example
 * import { isButton, parseComponents, walk } from 'rapport-sdk/components'
 *
 * const components = parseComponents([{ type: 1, id: 1, components: [{ type: 2, id: 2, style: 1, custom_id: 'a' }] }])
 * for (const { component } of walk(components)) if (isButton(component)) console.log(component.custom_id)
 */
export function parseComponents(json: unknown): readonly ReceivedComponent[] {
  // Walking the tree checks it.
  walk(unsafeCast(isArray(json) ? json : undefined))
  return unsafeCast(json)
}

/** Component of any type. */
export type AnyWire = PlainObject & { readonly type: number }

/**
 * Visitor of {@link transformTree}, called with each component before its children and with the field it is in. Returns
 * its replacement, or `undefined` to remove it.
 */
export type Visit = (
  component: AnyWire,
  path: Path,
  parent: AnyWire | undefined,
  field: Field | undefined,
) => PlainObject | undefined

interface Tour {
  readonly visit: Visit
  /**
   * Called with a component that lost a required child. If set, everything that cannot be sent in a message is removed.
   */
  readonly onBroken: ((component: AnyWire, path: Path) => void) | undefined
  work: number
}

/** Visits all components of a source and returns a copy with their replacements. Unchanged parts are shared. */
export function transformTree(source: unknown, visit: Visit, onBroken?: Tour['onBroken']): unknown {
  const going: Tour = { visit, onBroken, work: 0 }
  try {
    if (isComponent(source)) return toured(source, [], undefined, going)
    // Modals have their components in the same field as messages; validation checks which ones are allowed.
    if (Array.isArray(source)) return touredField(messageV2Spec.shape.components, source, [], undefined, going)
    if (isObject(source)) return touredFields(messageV2Spec, source, [], undefined, going)
    throw broken('invalid_type', 'expected components')
  } catch (error) {
    // A getter or proxy may have thrown anything.
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
  // Only messages are prepared for sending.
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

/** Returns a copy with one field changed, or removed if `undefined`. Frozen if the value is, and with its methods. */
export function withField(value: PlainObject, name: string, next: unknown): PlainObject {
  const copy: Record<string, unknown> = { ...value, [name]: next }
  if (next === undefined) delete copy[name]
  if (value instanceof Owned) Object.setPrototypeOf(copy, Object.getPrototypeOf(value))
  return Object.isFrozen(value) ? Object.freeze(copy) : copy
}
