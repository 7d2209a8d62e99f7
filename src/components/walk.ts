import { ComponentError } from '../errors/client-errors'
import { countCharacters, createIssue, type IssueCode } from '../internal/issue'
import { toGalleryItems, toTextDisplays } from './content'
import { type Convert, FrozenObject, prototypeOf, toEmoji, toFrozen, toItems, toMedia, withField } from './factory'
import type { BuiltComponent, BuiltOf, BuiltSource, ComponentInput, MessageInput, SendableComponent } from './messages'
import { isComponent, isObject, type PlainObject, unsafeCast } from './plain-object'
import type { ReceivedComponent } from './received'
import { MAX_DEPTH, MAX_STEPS, type Path } from './rules'
import { type ComponentSpec, type Field, MESSAGE } from './schema'
import { MESSAGE_COMPONENTS, messageV2Spec, specOf } from './specs'

/** Any component, to send or received. API, "Component Type". */
export type AnyComponent = ComponentInput | ReceivedComponent

/** Source of components: a message, a modal, an array, or one component including itself. */
export type ComponentSource = AnyComponent | readonly AnyComponent[] | { readonly components?: readonly AnyComponent[] }

/** Component of a source: with methods if the source was built, else any. */
export type ComponentOf<Source> = [Source] extends [BuiltSource | readonly BuiltSource[]]
  ? BuiltComponent
  : AnyComponent

/** Component and its position. API, "Component Type". */
export interface ComponentVisit {
  /** Visited component. */
  readonly component: AnyComponent
  /** Path from the root of the source: `['components', 0, 'accessory']`. */
  readonly path: Path
  /** Parent component; `undefined` at the top level. */
  readonly parent: AnyComponent | undefined
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
  transformTree(source, (component, path, parent, next) => {
    // `transformTree` passes only components.
    visits.push({ component: unsafeCast(component), path, parent: unsafeCast(parent) })
    return next(component)
  })
  return visits
}

/** Counts the components including nested ones, as {@link walk} returns them. A message may have 40. */
export function countComponents(source: ComponentSource): number {
  return walk(source).length
}

/**
 * Returns the component with this `custom_id`, or `undefined`; that of a built message has its methods.
 *
 * @throws ComponentError if `source` does not consist of components, or is cyclic.
 */
export function findByCustomId<T extends ComponentSource>(source: T, customId: string): ComponentOf<T> | undefined {
  return find(source, 'custom_id', customId)
}

/** Returns the component with this `id`, or `undefined`, as {@link findByCustomId}; 0 is not an `id`. */
export function findById<T extends ComponentSource>(source: T, id: number): ComponentOf<T> | undefined {
  return find(source, 'id', id || undefined)
}

function find<T extends ComponentSource>(source: T, field: string, value: unknown): ComponentOf<T> | undefined {
  const visits = walk(source)
  const visit = visits.find(({ component }) => value !== undefined && Reflect.get(component, field) === value)
  // A component of the source.
  return unsafeCast(visit && revive(visit.component))
}

/** Returns a component of a built message with its methods: a literal was frozen there, which a received one is not. */
export const revive = (component: unknown): unknown =>
  Object.isFrozen(component) ? fromJSON(unsafeCast<SendableComponent>(component)) : component

/**
 * Returns an immutable copy of a message, of components or of one component, with the methods of the factories;
 * components that were built are shared. For received components, call `toSendable` first: they have fields that cannot
 * be sent.
 *
 * @throws ComponentError if `json` does not consist of components, or is cyclic.
 *
 * @example
 * import { fromJSON, parseComponents, toSendable } from 'rapport-sdk/components'
 *
 * const received = parseComponents([{ type: 10, id: 1, content: 'Hello' }])
 * const built = fromJSON(toSendable(received).components)
 */
export function fromJSON<const T extends SendableComponent | readonly SendableComponent[] | MessageInput>(
  json: T,
): BuiltOf<T> {
  const built = transformTree(json, (component, _path, _parent, next) => {
    const current = next(component)
    const spec = specOf(component.type)
    if (!spec || !current || current instanceof FrozenObject) return current
    const prototype = prototypeOf(
      // Any other key finds no style.
      spec.styles?.[unsafeCast<number>(component.style)] ?? spec,
      CONVERTERS[spec.type] ?? toItems,
    )
    // A method would copy such a field by assignment, and lose the methods.
    const { __proto__: _, ...copy } = unsafeCast<PlainObject>(toFrozen(current))
    return Object.freeze(Object.setPrototypeOf(copy, prototype))
  })
  // Only now: the walk checks that the value is not endless.
  return unsafeCast(toFrozen(built))
}

/** Converts what a method of a component receives, by type; others have arrays alone. */
const CONVERTERS: Readonly<Record<number, Convert>> = {
  2: toEmoji,
  9: toTextDisplays,
  11: toMedia,
  12: toGalleryItems,
  13: toMedia,
  17: toTextDisplays,
}

/**
 * Returns the total length of all text displays in Unicode code points. A message may have 4000; that only text displays
 * count is a convention.
 *
 * @throws ComponentError if `source` does not consist of components, or is cyclic.
 */
export function textLength(source: ComponentSource): number {
  return walk(source).reduce((sum, { component }) => {
    // Not every component of the union declares `content`.
    const { type, content } = unsafeCast<PlainObject>(component)
    return type === 10 && typeof content === 'string' ? sum + countCharacters(content) : sum
  }, 0)
}

/**
 * Types an array of components received from the service. Only checks that it consists of components at every level,
 * which the readers rely on. Keeps unknown types and fields and returns the same array. API, "Component Type".
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
  walk(unsafeCast(Array.isArray(json) ? json : undefined))
  // Checked by `walk`.
  return unsafeCast(json)
}

export type WireComponent = PlainObject & { readonly type: number }

/** Returns a component with its children visited, or `undefined` if it lost a required or its last child. */
export type Next = (component: PlainObject) => PlainObject | undefined

/**
 * Visitor of {@link transformTree}, called with each component and with the field it is in. Calls `next` to have the
 * children visited. Returns the replacement of the component: one, an array of any number, or `undefined`.
 */
export type Visit = (
  component: WireComponent,
  path: Path,
  parent: WireComponent | undefined,
  next: Next,
  field: Field | undefined,
) => PlainObject | readonly unknown[] | undefined

/** Returns a copy with one field changed, or removed if `undefined`. Frozen if the value is. */
export function changeField(value: PlainObject, name: string, next: unknown): PlainObject {
  if (value instanceof FrozenObject) return withField(value, name, next)
  const copy: Record<string, unknown> = { ...value, [name]: next }
  if (next === undefined) delete copy[name]
  return Object.isFrozen(value) ? Object.freeze(copy) : copy
}

export const invalidSource = (
  code: IssueCode,
  message: string,
  path: Path = [],
  subject = 'the source',
): ComponentError => new ComponentError(subject, [createIssue(path, code, message)])

/**
 * Visits the components of a source and returns a copy with their replacements. Unchanged parts are shared.
 *
 * @param isForSending Whether to remove the fields that cannot be sent in a message.
 */
export function transformTree(source: unknown, visit: Visit, isForSending = false): unknown {
  let steps = 0

  function visitComponent(value: unknown, path: Path, parent?: WireComponent, field?: Field): ReturnType<Visit> {
    if (!isComponent(value)) throw invalidSource('invalid_type', 'expected a component', path)
    if (path.length > MAX_DEPTH) throw invalidSource('too_deep', 'nested too deeply', path)
    const next: Next = (component) => {
      const spec = specOf(component.type)
      return spec ? visitFields(spec, component, path, value) : component
    }
    return visit(value, path, parent, next, field)
  }

  function visitFields(spec: ComponentSpec, value: PlainObject, path: Path, owner?: WireComponent) {
    let next = value
    for (const [name, field] of spec.fields) {
      const current = value[name]
      if (current === undefined) continue
      const visited = visitField(field, current, [...path, name], owner)
      if (visited === current) continue
      if (visited === undefined && field.required) return undefined
      next = changeField(next, name, visited)
    }
    return next
  }

  function visitField(field: Field, value: unknown, path: Path, owner?: WireComponent): unknown {
    const { kind, of, part } = field
    // Only messages are prepared for sending.
    if (isForSending && (field.places & MESSAGE) === 0) return undefined
    if (value === null) return value
    if (kind === 'component') return toSingle(visitComponent(value, path, owner, field), path)
    if (of?.kind === 'component' || (of && isForSending && Array.isArray(value)))
      return visitItems(value, of, path, owner)
    return part && isForSending && isObject(value) ? visitFields(part, value, path, owner) : value
  }

  function visitItems(items: unknown, of: Field, path: Path, owner?: WireComponent): unknown {
    if (!Array.isArray(items)) throw invalidSource('invalid_type', 'expected an array', path)
    const result: unknown[] = []
    let isChanged = false
    for (let index = 0; index < items.length; index++) {
      if (++steps > MAX_STEPS) throw invalidSource('too_many', `more than ${MAX_STEPS} parts`)
      const item: unknown = items[index]
      const itemPath = [...path, index]
      const next =
        of.kind === 'component' ? visitComponent(item, itemPath, owner, of) : [visitField(of, item, itemPath, owner)]
      for (const one of Array.isArray(next) ? next : [next]) {
        isChanged ||= one !== item
        if (one !== undefined) result.push(one)
      }
    }
    if (!isChanged && result.length === items.length) return items
    if (result.length === 0 && owner) return undefined
    return Object.isFrozen(items) ? Object.freeze(result) : result
  }

  if (isComponent(source)) return toSingle(visitComponent(source, []), [])
  // Modals have their components in the same field as messages; validation checks which ones are allowed.
  if (Array.isArray(source)) return visitField(MESSAGE_COMPONENTS, source, [])
  if (isObject(source)) return visitFields(messageV2Spec, source, [])
  throw invalidSource('invalid_type', 'expected components')
}

/** Returns the only component of a place that has room for one. */
function toSingle(value: ReturnType<Visit>, path: Path): unknown {
  if (!Array.isArray(value)) return value
  if (value.length > 1) throw invalidSource('too_many', `${value.length} components in place of one`, path)
  return value[0]
}

/** Type guard for components of these types, in any union. */
type Guard<Type extends number> = <C>(component: C) => component is Extract<C, { readonly type: Type }>

function guard<Type extends number>(...types: readonly Type[]): Guard<Type> {
  return <C>(component: C): component is Extract<C, { readonly type: Type }> => {
    try {
      return types.some((type) => type === Reflect.get(Object(component), 'type'))
    } catch {
      return false
    }
  }
}

/** Whether a component is an action row. */
export const isRow = guard(1)
/** Whether a component is a button. */
export const isButton = guard(2)
/** Whether a component is a string select. */
export const isStringSelect = guard(3)
/** Whether a component is a text input. */
export const isTextInput = guard(4)
/** Whether a component is a user select. */
export const isUserSelect = guard(5)
/** Whether a component is a role select. */
export const isRoleSelect = guard(6)
/** Whether a component is a mentionable select. */
export const isMentionableSelect = guard(7)
/** Whether a component is a channel select. */
export const isChannelSelect = guard(8)
/** Whether a component is a section. */
export const isSection = guard(9)
/** Whether a component is a text display. */
export const isText = guard(10)
/** Whether a component is a thumbnail. */
export const isThumbnail = guard(11)
/** Whether a component is a media gallery. */
export const isMediaGallery = guard(12)
/** Whether a component is a file. */
export const isFile = guard(13)
/** Whether a component is a separator. */
export const isSeparator = guard(14)
/** Whether a component is a content inventory entry. */
export const isContentInventoryEntry = guard(16)
/** Whether a component is a container. */
export const isContainer = guard(17)
/** Whether a component is a label. */
export const isLabel = guard(18)
/** Whether a component is a file upload. */
export const isFileUpload = guard(19)
/** Whether a component is a checkpoint card. */
export const isCheckpointCard = guard(20)
/** Whether a component is a radio group. */
export const isRadioGroup = guard(21)
/** Whether a component is a checkbox group. */
export const isCheckboxGroup = guard(22)
/** Whether a component is a checkbox. */
export const isCheckbox = guard(23)
/** Whether a component is a select of any kind. */
export const isSelect = guard(3, 5, 6, 7, 8)
/** Whether users interact with a component. */
export const isInteractive = guard(2, 3, 4, 5, 6, 7, 8, 19, 21, 22, 23)
/** Whether a component lays out others. */
export const isLayout = guard(1, 9, 14, 17, 18)
/** Whether a component shows content. */
export const isContent = guard(10, 11, 12, 13, 16, 20)
