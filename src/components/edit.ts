import type { ButtonInput } from './buttons'
import { attachment, type ThumbnailInput } from './content'
import { toFrozen } from './factory'
import type { ComponentInput, MessageComponentInput } from './messages'
import { rowOf } from './registry'
import type { Path } from './rules'
import { isComponent, isObject, MESSAGE, type PlainObject, unsafeCast } from './schema'
import type { SelectInput } from './selects'
import {
  type AnyComponent,
  type AnyWire,
  type ComponentSource,
  findByCustomId,
  transformTree,
  type Visit,
  walk,
  withField,
} from './walk'

/**
 * The same with another component in place of the first that has a `custom_id`; what does not change is shared. Without
 * such a component it is the very value that was given.
 *
 * @param replacement A component, or what makes it of the one that was there.
 * @throws ComponentError where what is given are no components, or has no end.
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
  replacement: ComponentInput | ((component: AnyComponent) => ComponentInput),
): T {
  const found = findByCustomId(source, customId)
  if (found === undefined) return source
  const next = unsafeCast<ComponentInput>(
    toFrozen(typeof replacement === 'function' ? replacement(found) : replacement),
  )
  let isDone = false
  return unsafeCast(
    transformTree(source, (component) => {
      if (isDone || component !== unsafeCast(found)) return component
      isDone = true
      return unsafeCast(next)
    }),
  )
}

/**
 * The same with all buttons and selects disabled, but for those in labels, which a modal does not take; what does not
 * change is shared. Interface, "Button" and "String Select".
 *
 * @throws ComponentError where what is given are no components, or has no end.
 */
export function disableAll<T extends ComponentSource>(source: T): T {
  const next = transformTree(source, (component, _, parent) => {
    const isOn = rowOf(component.type)?.fields.has('disabled') && component.disabled !== true
    return isOn && parent?.type !== 18 ? withField(component, 'disabled', true) : component
  })
  return unsafeCast(next)
}

/**
 * The same with an `id` for each component that has none or 0, counted from 1 in the order of {@link walk}, without those
 * that another component has; what does not change is shared. Interface, "Common component fields".
 *
 * @throws ComponentError where what is given are no components, or has no end.
 */
export function assignIds<T extends ComponentSource>(source: T): T {
  const taken = new Set(walk(source).map(({ component }) => component.id))
  let last = 0
  const next = transformTree(source, (component) => {
    if (component.id) return component
    do last++
    while (taken.has(last))
    return withField(component, 'id', last)
  })
  return unsafeCast(next)
}

/** What could not be sent. Interface, "Component Type". */
export interface DroppedComponent {
  /** Where it was, from the root of what was given. */
  readonly path: readonly (string | number)[]
  /** Its type. */
  readonly type: number
  /** Why it cannot be sent, for people. */
  readonly message: string
}

type SendableComponent = MessageComponentInput | ButtonInput | SelectInput<'message'> | ThumbnailInput

/**
 * What can be sent of components that were received: of a list or a message what may stand at the top of a message, of
 * one component the same type, of a type that cannot be sent nothing. Interface, "Component Type".
 */
export type SendableOf<Source> = Source extends readonly unknown[] | { readonly id: string }
  ? MessageComponentInput
  : Source extends { readonly type: infer Type }
    ? Extract<SendableComponent, { readonly type: Type }>
    : MessageComponentInput

/** What {@link toSendable} returns. Interface, "Component Type". */
export interface Sendable<Component = MessageComponentInput> {
  /** What can be sent. */
  readonly components: readonly Component[]
  /** What was left out; empty where everything can be sent. */
  readonly dropped: readonly DroppedComponent[]
}

/**
 * Received components of a message as they can be sent again: without what is received only or for modals only, files as
 * attachments of their names. Types that cannot be sent are left out, as are components where they are not taken, and with
 * them what cannot do without them. What does not change is shared; whether all of it is right, `validateMessage` says.
 * Fields that the document does not show stay. Interface, "Component Type", "File" and "Unfurled Media Item".
 *
 * @returns What can be sent. Of a list or a message it fits a message; of one component only where its type does.
 *
 * @throws ComponentError where what is given are no components, or has no end.
 *
 * @example
 * import { messageV2, parseComponents, toSendable } from 'rapport-sdk/components'
 *
 * const received = parseComponents([{ type: 10, id: 1, content: 'Hello' }])
 * const { components, dropped } = toSendable(received)
 * const copy = messageV2([...components])
 */
export function toSendable<Source extends ComponentSource>(received: Source): Sendable<SendableOf<Source>> {
  const dropped: DroppedComponent[] = []
  const drop = ({ type }: AnyWire, path: Path, message = 'what it holds cannot be sent') => {
    dropped.push({ path, type, message })
    return undefined
  }
  const visit: Visit = (component, path, _, field) => {
    const row = rowOf(component.type)
    if (row === undefined) return drop(component, path, 'a type that the document does not have')
    if ((row.places & MESSAGE) === 0) return drop(component, path, `no ${row.name} can be sent in a message`)
    if (field?.accepts[MESSAGE].includes(row) === false) return drop(component, path, `no ${row.name} is taken here`)
    return row.type === 13 ? (fileByName(component) ?? drop(component, path, 'a file without a name')) : component
  }
  const sent = transformTree(received, visit, drop)
  const components = isObject(sent) ? (isComponent(sent) ? [sent] : sent.components) : sent
  return { components: unsafeCast(components ?? []), dropped }
}

/** A received file is at a URL, one that is sent is an attachment. Interface, "File". */
function fileByName(component: AnyWire): PlainObject | undefined {
  const { file, name } = component
  if (isObject(file) && typeof file.url === 'string' && file.url.startsWith('attachment://')) return component
  return typeof name === 'string' && name !== '' ? withField(component, 'file', { url: attachment(name) }) : undefined
}
