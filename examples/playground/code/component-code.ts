import * as sdk from 'rapport-sdk/components'
import { ButtonStyle, ComponentType, MessageFlags, SeparatorSpacing, TextInputStyle } from 'rapport-sdk/components'
import { call, type Doc, literal, print } from './literal'

/** Code, and the value that it evaluates to. */
interface Built {
  readonly doc: Doc
  readonly value: unknown
}

/** A factory call: its name, its arguments, and the wire fields that they set. */
interface Call {
  readonly name: string
  readonly args: readonly Built[]
  readonly sets: readonly string[]
}

type PlainObject = Readonly<Record<string, unknown>>

/** What the place of a child says of it. */
type ChildKind = 'option' | 'groupOption' | 'galleryItem' | 'string'

const { IS_COMPONENTS_V2 } = MessageFlags
const MAX_DEPTH = 40

const isObject = (value: unknown): value is PlainObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Returns a module that builds a message, a modal or components with the factories, from their JSON. */
export function componentCode(value: unknown): string {
  const used = new Set<string>()
  const constant = !isObject(value)
    ? 'components'
    : 'type' in value
      ? 'component'
      : 'title' in value
        ? 'myModal'
        : 'message'
  const head = `export const ${constant} = `
  const code = print(rootOf(value, used).doc, 0, head.length)
  const names = [...used].sort()
  const line = `import { ${names.join(', ')} } from 'rapport-sdk/components'`
  const imports =
    line.length <= 64
      ? line
      : `import {\n${names.map((each) => `  ${each},\n`).join('')}} from 'rapport-sdk/components'`
  return `${names.length === 0 ? '' : `${imports}\n\n`}${head}${code}\n`
}

function rootOf(value: unknown, used: Set<string>): Built {
  if (!isObject(value) || 'type' in value) return build(value, used, 0)
  const { components, ...rest } = value
  if (!Array.isArray(components)) return build(value, used, 0)
  const children = components.map((child) => build(child, used, 1))
  const { flags, ...others } = rest
  const candidates: Call[] = []
  if (typeof value.title === 'string' && typeof value.custom_id === 'string') {
    candidates.push({ name: 'modal', args: [asIs(value.custom_id), asIs(value.title), ...children], sets: [] })
  } else if (typeof flags === 'number' && flags & IS_COMPONENTS_V2) {
    const body = { ...others, ...(flags !== IS_COMPONENTS_V2 && { flags: flags & ~IS_COMPONENTS_V2 }) }
    const first = Object.keys(body).length === 0 ? [] : [asIs(body)]
    candidates.push({ name: 'messageV2', args: [...first, ...children], sets: [] })
  } else if (!('title' in value)) {
    candidates.push({ name: 'messageLegacy', args: [asIs(rest), ...children], sets: [] })
  }
  for (const candidate of candidates) {
    const built = construct(candidate)
    if (built && isSame(built.value, value)) {
      used.add(candidate.name)
      return built
    }
  }
  return build(value, used, 0)
}

/** Builds a component, a part of one, or any other JSON value. What the factories cannot express becomes a literal. */
function build(value: unknown, used: Set<string>, depth: number): Built {
  if (depth > MAX_DEPTH) throw new RangeError('nested too deeply')
  const names = new Set<string>()
  const built = isObject(value) ? fromFactory(value, names, depth) : undefined
  if (built) {
    for (const name of names) used.add(name)
    return built
  }
  if (typeof value !== 'object' || value === null) return asIs(value)
  return { doc: literal(value, (_, part) => build(part, used, depth + 1).doc), value }
}

function fromFactory(component: PlainObject, used: Set<string>, depth: number): Built | undefined {
  const children = (key: string, kind?: ChildKind) =>
    Array.isArray(component[key]) ? component[key].map((child) => childOf(child, kind, used, depth + 1)) : undefined
  const start = startOf(component, children, (child) => build(child, used, depth + 1))
  if (!start || start.args.some((arg) => arg === undefined)) return undefined
  const first = construct(start)
  if (!first) return undefined
  used.add(start.name.split('.')[0] ?? '')
  return withFields(component, first, start.sets, used, depth)
}

/** Adds the fields that the factory does not take, each with its method. */
function withFields(
  component: PlainObject,
  first: Built,
  sets: readonly string[],
  used: Set<string>,
  depth: number,
): Built | undefined {
  const calls: Doc[] = []
  let { value } = first
  for (const [field, part] of Object.entries(component)) {
    if (field === 'type' || field === 'style' || sets.includes(field)) continue
    const method = `with${field.replace(/(?:^|_)(.)/g, (_, letter: string) => letter.toUpperCase())}`
    const next = argumentsFor(field, part, used, depth).flatMap((args) => {
      const built = attempt(() =>
        invoke(
          value,
          method,
          args.map((arg) => arg.value),
        ),
      )
      return isObject(built) && isSame(built[field], part) ? [{ args, built }] : []
    })[0]
    if (!next) return undefined
    value = next.built
    calls.push(
      call(
        `.${method}`,
        next.args.map(({ doc }) => doc),
      ),
    )
  }
  if (!isSame(value, component)) return undefined
  return { doc: calls.length === 0 ? first.doc : { kind: 'chain', head: first.doc, calls }, value }
}

/** Returns the ways to write the arguments of a method, the shortest first. */
function argumentsFor(field: string, part: unknown, used: Set<string>, depth: number): readonly (readonly Built[])[] {
  if (part === true) return [[]]
  if (field === 'spacing') return [[asIs(part === SeparatorSpacing.LARGE ? 'large' : 'small')], [asIs(part)]]
  if (field === 'emoji' && isObject(part) && typeof part.name === 'string') {
    const text = part.id === undefined ? part.name : `<${part.animated === true ? 'a' : ''}:${part.name}:${part.id}>`
    return [[asIs(text)], [asIs(part)]]
  }
  if (field === 'media' || field === 'file') return [[mediaOf(part)]]
  if (Array.isArray(part)) return [part.map((item) => build(item, used, depth + 1)), [asIs(part)]]
  return [[build(part, used, depth + 1)]]
}

/** Factories whose arguments are fields of the component, by its type. */
const FACTORIES = new Map<unknown, readonly [name: string, ...fields: string[]]>([
  [ComponentType.USER_SELECT, ['userSelect', 'custom_id']],
  [ComponentType.ROLE_SELECT, ['roleSelect', 'custom_id']],
  [ComponentType.MENTIONABLE_SELECT, ['mentionableSelect', 'custom_id']],
  [ComponentType.CHANNEL_SELECT, ['channelSelect', 'custom_id']],
  [ComponentType.TEXT_DISPLAY, ['text', 'content']],
  [ComponentType.SEPARATOR, ['separator']],
  [ComponentType.FILE_UPLOAD, ['fileUpload', 'custom_id']],
  [ComponentType.CHECKBOX, ['checkbox', 'custom_id']],
])

/** The same for buttons, by their style. */
const BUTTONS = new Map<unknown, readonly [name: string, ...fields: string[]]>([
  [ButtonStyle.PRIMARY, ['button.primary', 'custom_id', 'label']],
  [ButtonStyle.SECONDARY, ['button.secondary', 'custom_id', 'label']],
  [ButtonStyle.SUCCESS, ['button.success', 'custom_id', 'label']],
  [ButtonStyle.DANGER, ['button.danger', 'custom_id', 'label']],
  [ButtonStyle.LINK, ['button.link', 'url', 'label']],
  [ButtonStyle.PREMIUM, ['button.premium', 'sku_id']],
])

/** Returns the factory call for a component, by its type; parts of components have none and are recognized by their place. */
function startOf(
  component: PlainObject,
  children: (key: string, kind?: ChildKind) => readonly Built[] | undefined,
  child: (value: unknown) => Built,
): Call | undefined {
  const { type, style } = component
  const simple = (name: string, ...fields: readonly string[]): Call => {
    const given = fields.filter((field) => component[field] !== undefined)
    return { name, args: given.map((field) => asIs(component[field])), sets: given }
  }
  const container = (name: string, kind?: 'string'): Call | undefined => {
    const args = children('components', kind)
    return args && { name, args, sets: ['components'] }
  }
  const withOptions = (name: string, kind: 'option' | 'groupOption'): Call | undefined => {
    const options = children('options', kind)
    return options && { name, args: [asIs(component.custom_id), ...options], sets: ['custom_id', 'options'] }
  }
  const media = (name: string, field: string): Call => ({ name, args: [mediaOf(component[field])], sets: [field] })
  switch (type) {
    case ComponentType.ACTION_ROW:
      return container('row')
    case ComponentType.STRING_SELECT:
      return withOptions('stringSelect', 'option')
    case ComponentType.TEXT_INPUT:
      return simple(style === TextInputStyle.PARAGRAPH ? 'textInput.paragraph' : 'textInput.small', 'custom_id')
    case ComponentType.SECTION:
      return container('section', 'string')
    case ComponentType.THUMBNAIL:
      return media('thumbnail', 'media')
    case ComponentType.MEDIA_GALLERY: {
      const items = children('items', 'galleryItem')
      return items && { name: 'mediaGallery', args: items, sets: ['items'] }
    }
    case ComponentType.FILE:
      return media('file', 'file')
    case ComponentType.CONTAINER:
      return container('container')
    case ComponentType.LABEL:
      return { name: 'label', args: [asIs(component.label), child(component.component)], sets: ['label', 'component'] }
    case ComponentType.RADIO_GROUP:
      return withOptions('radioGroup', 'groupOption')
    case ComponentType.CHECKBOX_GROUP:
      return withOptions('checkboxGroup', 'groupOption')
    default: {
      const factory = type === ComponentType.BUTTON ? BUTTONS.get(style) : FACTORIES.get(type)
      return factory && simple(...factory)
    }
  }
}

/** Builds a child whose place says what it is. */
function childOf(value: unknown, kind: ChildKind | undefined, used: Set<string>, depth: number): Built {
  if (kind === undefined || !isObject(value)) return build(value, used, depth)
  if (kind === 'string') {
    const { content } = value
    const isPlain = typeof content === 'string' && isSame(value, { type: ComponentType.TEXT_DISPLAY, content })
    return isPlain ? asIs(content) : build(value, used, depth)
  }
  const [args, sets] =
    kind === 'galleryItem'
      ? [[mediaOf(value.media)], ['media']]
      : [
          [asIs(value.label), asIs(value.value)],
          ['label', 'value'],
        ]
  const first = construct({ name: kind, args, sets })
  const names = new Set<string>([kind])
  const built = first && withFields(value, first, sets, names, depth)
  if (!built) return build(value, used, depth)
  for (const name of names) used.add(name)
  return built
}

/** Writes a media item that has only a URL as that URL. */
function mediaOf(media: unknown): Built {
  if (!isObject(media) || !isSame(media, { url: media.url }) || typeof media.url !== 'string') return asIs(media)
  return asIs(media.url)
}

const asIs = (value: unknown): Built => ({ doc: literal(value), value })

/** Calls a factory of the SDK. Returns `undefined` if there is none or it refuses. */
function construct({ name, args }: Call): Built | undefined {
  const [first = '', method] = name.split('.')
  const factory: unknown = Reflect.get(sdk, first)
  const values = args.map(({ value }) => value)
  const value = attempt(() =>
    method === undefined ? typeof factory === 'function' && factory(...values) : invoke(factory, method, values),
  )
  return isObject(value)
    ? {
        doc: call(
          name,
          args.map(({ doc }) => doc),
        ),
        value,
      }
    : undefined
}

function invoke(target: unknown, method: string, args: readonly unknown[]): unknown {
  const member: unknown = Reflect.get(Object(target), method)
  return typeof member === 'function' ? member.apply(target, args) : undefined
}

function attempt(run: () => unknown): unknown {
  try {
    return run()
  } catch {
    return undefined
  }
}

/** Whether two JSON values are equal, whatever the order of their keys. */
function isSame(one: unknown, other: unknown): boolean {
  if (Array.isArray(one) && Array.isArray(other)) {
    return one.length === other.length && one.every((item, at) => isSame(item, other[at]))
  }
  if (!isObject(one) || !isObject(other)) return one === other
  const keys = Object.keys(one)
  return (
    keys.length === Object.keys(other).length &&
    keys.every((key) => Object.hasOwn(other, key) && isSame(one[key], other[key]))
  )
}
