import { isObject, typed, type Wire } from '../edge'
import type { MessageComponentInput } from '../input/envelopes'
import type { Field, Part } from '../table/row'
import { rowOf } from '../table/table'
import type { ComponentSource } from './source'
import { componentAt, isComponent, type Path, reading, topOf, type Work } from './tree'

/** What could not be sent. Interface, "Component Type". */
export interface DroppedComponent {
  /** Where it was, from the root of what was given. */
  readonly path: readonly (string | number)[]
  /** Its type. */
  readonly type: number
  /** Why it cannot be sent, for people. */
  readonly message: string
}

/** What {@link toSendable} gives. Interface, "Component Type". */
export interface Sendable {
  /** What can be sent. */
  readonly components: readonly MessageComponentInput[]
  /** What was left out; empty where everything can be sent. */
  readonly dropped: readonly DroppedComponent[]
}

/**
 * Received components of a message as they can be sent again: without what is received only, files as attachments of
 * their names. What cannot be sent is left out, and with it what cannot do without it. What does not change is shared.
 * Fields that the document does not show stay. Interface, "Component Type", "File" and "Unfurled Media Item".
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
export function toSendable(received: ComponentSource): Sendable {
  return reading((work) => {
    const sending: Sending = { work, dropped: [] }
    const components = isComponent(received)
      ? [sentComponent(received, [], sending)].filter((component) => component !== undefined)
      : sentList(...topOf(received), sending, sentComponent)
    return { components: typed(components), dropped: sending.dropped }
  })
}

interface Sending {
  readonly work: Work
  readonly dropped: DroppedComponent[]
}

/** What can be sent of something; nothing, where it cannot be sent and so what it stands in may not either. */
type Sent = (value: unknown, path: Path, sending: Sending) => unknown

const sentComponent: Sent = (value, path, sending) => {
  const component = componentAt(value, path)
  const { type } = component
  const row = rowOf(type)
  const drop = (message: string) => {
    sending.dropped.push({ path, type, message })
    return undefined
  }
  if (row === undefined) return drop('a type that the document does not have')
  if (row.usableIn.length === 0) return drop('received only')
  if (!row.usableIn.includes('message')) return drop('for modals alone')
  const named = type === 13 ? fileByName(component) : component
  if (named === undefined) return drop('a file without a name')
  return sentFields(row, named, path, sending) ?? drop('what it holds cannot be sent')
}

/** A received file is at a URL; one that is sent is an attachment. Interface, "File". */
function fileByName(component: Wire): Wire | undefined {
  const { file, name } = component
  if (isObject(file) && typeof file.url === 'string' && file.url.startsWith('attachment://')) return component
  return typeof name === 'string' ? { ...component, file: { url: `attachment://${name}` } } : undefined
}

function sentFields(part: Part, value: Wire, path: Path, sending: Sending): Wire | undefined {
  const entries: [string, unknown][] = []
  let isChanged = false
  for (const [name, given] of Object.entries(value)) {
    const field = part.fields[name]
    const sent = field?.only === 'received' ? undefined : sentField(field, given, [...path, name], sending)
    isChanged ||= sent !== given
    if (sent !== undefined) entries.push([name, sent])
    else if (field?.required && given !== undefined) return undefined
  }
  return isChanged ? Object.fromEntries(entries) : value
}

function sentField(field: Field | undefined, given: unknown, path: Path, sending: Sending): unknown {
  if (field?.kind === 'slot') return sentComponent(given, path, sending)
  if (field?.kind === 'part') return isObject(given) ? sentFields(field.part, given, path, sending) : given
  if (field?.kind !== 'list' || !Array.isArray(given)) return given
  const sent = sentList(given, path, sending, (item, itemPath) => sentField(field.of, item, itemPath, sending))
  return sent.length === 0 && given.length > 0 ? undefined : sent
}

function sentList(list: readonly unknown[], path: Path, sending: Sending, send: Sent): readonly unknown[] {
  const items: unknown[] = []
  let isChanged = false
  for (let index = 0; index < list.length; index++) {
    sending.work()
    const item = send(list[index], [...path, index], sending)
    isChanged ||= item !== list[index]
    if (item !== undefined) items.push(item)
  }
  return isChanged ? items : list
}
