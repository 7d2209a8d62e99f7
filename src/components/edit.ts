import { ComponentError } from '../errors/client-errors'
import type { Issue } from '../internal/issue'
import { attachment } from './content'
import { toFrozen, toFrozenArray } from './factory'
import type { ActionRowInput } from './layouts'
import { createMessage, type MessageComponentInput, type MessageInput, type SendableComponent } from './messages'
import { isComponent, isObject, type PlainObject, unsafeCast } from './plain-object'
import type { UnknownComponent } from './received'
import type { Path } from './rules'
import { type Field, MESSAGE } from './schema'
import { specOf } from './specs'
import type { Child } from './type-errors'
import { validateMessage } from './validate'
import {
  type AnyComponent,
  type ComponentOf,
  type ComponentSource,
  changeField,
  type Next,
  revive,
  transformTree,
  type Visit,
  type WireComponent,
  walk,
} from './walk'

type KnownComponent = Exclude<AnyComponent, UnknownComponent>

/** Replacement of a component of a source, or a function that returns it. Only a function may return an unknown type. */
export type Replacement<Source> =
  | KnownComponent
  | ((component: ComponentOf<Source>) => KnownComponent | ComponentOf<Source>)

/**
 * Returns a copy with the first component that has this `custom_id` replaced; unchanged parts are shared. Returns
 * `source` itself if there is none.
 *
 * @param replacement Component, or a function that returns it for the previous one: a spread of a received one, or what
 * a method of a built one returns.
 * @throws ComponentError if `source` does not consist of components, or is cyclic.
 *
 * @example
 * import { button, messageV2, replaceByCustomId, row } from 'rapport-sdk/components'
 *
 * const message = messageV2(row(button.primary('deploy', 'Deploy')))
 * const done = replaceByCustomId(message, 'deploy', button.success('deploy', 'Deployed').withDisabled())
 */
export function replaceByCustomId<T extends ComponentSource>(
  source: T,
  customId: string,
  replacement: Replacement<T>,
): T {
  return replace(source, 'custom_id', customId, replacement)
}

/** Returns a copy with the first component that has this `id` replaced, as {@link replaceByCustomId}; 0 is not an `id`. */
export function replaceById<T extends ComponentSource>(source: T, id: number, replacement: Replacement<T>): T {
  return replace(source, 'id', id || undefined, replacement)
}

function replace<T extends ComponentSource>(source: T, field: string, value: unknown, replacement: Replacement<T>): T {
  let isReplaced = value === undefined
  return transform(source, (component, _path, _parent, visitChildren) => {
    if (isReplaced || component[field] !== value) return visitChildren(component)
    isReplaced = true
    // Replacements have the type of components that the source may contain.
    return unsafeCast(
      toFrozen(typeof replacement === 'function' ? replacement(unsafeCast(revive(component))) : replacement),
    )
  })
}

/** Transforms a source, which keeps its type: messages stay messages, arrays arrays. @internal */
export const transform = <T extends ComponentSource>(source: T, visit: Visit): T =>
  unsafeCast(transformTree(source, visit))

/**
 * Returns a copy with each component replaced by what `visit` returns: itself, another one, an array to insert several,
 * or `null`, `undefined` or `false` to remove it. Children come before their parents, which are passed with their new
 * children. A parent that loses its last or a required child is removed too. Unchanged parts are shared.
 *
 * @param visit Receives each component, its path in `source` and its original parent.
 * @throws ComponentError if `source` does not consist of components or is cyclic, or if `visit` returns several
 * components where only one is allowed, such as the accessory of a section.
 *
 * @example
 * import { button, isButton, mapComponents, messageV2, row } from 'rapport-sdk/components'
 *
 * const message = messageV2('Sure?', row(button.success('yes', 'Yes'), button.danger('no', 'No')))
 * const closed = mapComponents(message, (component) => !isButton(component) && component)
 */
export function mapComponents<T extends ComponentSource>(
  source: T,
  visit: (component: AnyComponent, path: Path, parent: AnyComponent | undefined) => Child<AnyComponent>,
): T {
  return transform(source, (component, path, parent, next) => {
    const current = next(component)
    if (current === undefined) return undefined
    // `transformTree` passes only components.
    const result = visit(unsafeCast(current), path, unsafeCast(parent))
    // Compares identities.
    return result === unsafeCast(current) ? current : toFrozenArray([result])
  })
}

/** Page that `paginate` renders. */
export interface Page {
  /** Number of the page, from 0. */
  readonly index: number
  /** Number of pages; while the pages are measured, the number of items. */
  readonly count: number
}

/**
 * Returns messages with as many items each as fit into the limits that `validateMessage` checks: at most 40 components,
 * 4000 characters of text, 10 components in each container, 5 buttons in a row. One message without items if there are
 * none. API, "Limits".
 *
 * @param render Returns the message for some items. Called several times for each page, so it must have no effects, and
 * more items must not take less space.
 * @param options `controls` returns the last row of a page, such as `pageControls`. Called if there are several pages.
 * @throws ComponentError if one item does not fit into a message.
 *
 * @example
 * import { container, messageV2, paginate } from 'rapport-sdk/components'
 * import { pageControls } from 'rapport-sdk/components/changes'
 *
 * const names = Array.from({ length: 25 }, (_, index) => `Build ${index}`)
 * const controls = pageControls((page) => `builds:${page}`)
 * const pages = paginate(names, (shown) => messageV2('# Builds', container(shown)), { controls })
 */
export function paginate<Item, Message extends MessageInput>(
  items: readonly Item[],
  render: (items: readonly Item[], page: Page) => Message,
  { controls }: { readonly controls?: (page: Page) => ActionRowInput } = {},
): readonly Message[] {
  const pages = divide(items, render)
  // Controls take space, but not on the only page.
  if (!controls || pages.length < 2) return pages
  return divide(items, (shown, page): Message => createMessage(render(shown, page), 0, [controls(page)]))
}

function divide<Item, Message>(items: readonly Item[], render: (items: readonly Item[], page: Page) => Message) {
  let slice: Item[] = []
  const slices = [slice]
  for (const item of items) {
    const page: Page = { index: slices.length - 1, count: items.length }
    if (slice.length > 0 && sizeIssues(render([...slice, item], page)).length > 0) {
      slice = []
      slices.push(slice)
    }
    slice.push(item)
  }
  return slices.map((shown, index) => {
    const message = render(shown, { index, count: slices.length })
    const issues = sizeIssues(message)
    if (issues.length > 0) throw new ComponentError(`page ${index + 1}`, issues)
    return message
  })
}

/** Returns the limits that a message exceeds. */
function sizeIssues(message: unknown): readonly Issue[] {
  const result = validateMessage(message)
  const issues = result.ok ? [] : result.issues
  return issues.filter(({ code }) => code === 'too_many' || code === 'too_long')
}

/**
 * Returns a copy with all buttons and selects disabled, except selects in labels, where modals do not allow it;
 * unchanged parts are shared. API, "Button" and "String Select".
 *
 * @throws ComponentError if `source` does not consist of components, or is cyclic.
 */
export function disableAll<T extends ComponentSource>(source: T): T {
  return transform(source, (component, _path, parent, next) => {
    const isEnabled = specOf(component.type)?.fields.has('disabled') && component.disabled !== true
    return next(isEnabled && parent?.type !== 18 ? changeField(component, 'disabled', true) : component)
  })
}

/**
 * Returns a copy with an `id` for each component that has none or 0, counted from 1 in the order of {@link walk},
 * skipping those in use; unchanged parts are shared. API, "Common component fields".
 *
 * @throws ComponentError if `source` does not consist of components, or is cyclic.
 */
export function assignIds<T extends ComponentSource>(source: T): T {
  const usedIds = new Set(walk(source).map(({ component }) => component.id))
  let id = 0
  return transform(source, (component, _path, _parent, next) => {
    if (component.id) return next(component)
    do id++
    while (usedIds.has(id))
    return next(changeField(component, 'id', id))
  })
}

/**
 * Components that remain of a source: top-level components of a message for an array or message, the same type for one
 * component, nothing for a type that cannot be sent. API, "Component Type".
 */
export type SendableOf<Source> = Source extends readonly unknown[] | { readonly id: string }
  ? MessageComponentInput
  : Source extends { readonly type: infer Type }
    ? Extract<SendableComponent, { readonly type: Type }>
    : MessageComponentInput

/** Result of {@link toSendable}. API, "Component Type". */
export interface Sendable<Component = MessageComponentInput> {
  /** Components that can be sent. */
  readonly components: readonly Component[]
  /** Type and path of each component that was removed, and the reason; empty if everything can be sent. */
  readonly dropped: readonly { readonly type: number; readonly path: Path; readonly message: string }[]
}

/**
 * Converts received components of a message so that they can be sent: removes fields that are received-only or only for
 * modals, turns files into attachments by name, removes components that cannot be sent or are misplaced, and the
 * components that require them. Unchanged parts are shared and undocumented fields are kept. Use `validateMessage` to
 * check the result. API, "Component Type", "File" and "Unfurled Media Item".
 *
 * @returns Components for the top level of a message if `received` is an array or a message; for one component only if
 * its type is allowed there.
 * @throws ComponentError if `received` does not consist of components, or is cyclic.
 *
 * @example
 * import { messageV2, parseComponents, toSendable } from 'rapport-sdk/components'
 *
 * const received = parseComponents([{ type: 10, id: 1, content: 'Hello' }])
 * const { components, dropped } = toSendable(received)
 * const copy = messageV2([...components])
 */
export function toSendable<Source extends ComponentSource>(received: Source): Sendable<SendableOf<Source>> {
  const dropped: Sendable['dropped'][number][] = []
  const visit: Visit = (component, path, _parent, next, field) => {
    const result = prepare(component, next, field)
    if (typeof result !== 'string') return result
    dropped.push({ path, type: component.type, message: result })
    return undefined
  }
  const sendable = transformTree(received, visit, true)
  const components = isObject(sendable) ? (isComponent(sendable) ? [sendable] : sendable.components) : sendable
  // What cannot be sent was dropped.
  return { components: unsafeCast(components ?? []), dropped }
}

/** Returns a received component as it can be sent, or why it cannot. */
function prepare(component: WireComponent, next: Next, field: Field | undefined): PlainObject | string {
  const spec = specOf(component.type)
  if (spec === undefined) return 'unknown type'
  if ((spec.places & MESSAGE) === 0) return `${spec.name} not allowed in a message`
  if (field?.accepts?.[MESSAGE].includes(spec.type) === false) return `${spec.name} not allowed here`
  const named = spec.type === 13 ? toAttachment(component) : component
  return named ? (next(named) ?? 'its content cannot be sent') : 'file without a name'
}

/** Replaces the URL of a received file by an attachment reference. API, "File". */
function toAttachment(component: WireComponent): PlainObject | undefined {
  const { file, name } = component
  if (isObject(file) && typeof file.url === 'string' && file.url.startsWith('attachment://')) return component
  return typeof name === 'string' && name !== '' ? changeField(component, 'file', { url: attachment(name) }) : undefined
}
