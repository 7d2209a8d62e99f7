// The least that immutable, validated components can cost: literals whose objects are frozen where they are written, and
// a validator written by hand for the types of the payloads, without tables, paths or issues. Throws at the first error.

type Value = Readonly<Record<string, unknown>>

/** State of one validation. */
interface State {
  readonly ids: Set<unknown>
  count: number
  text: string
}

function must(isValid: boolean): void {
  if (!isValid) throw new Error('invalid')
}

function checkText(value: unknown, max: number, min = 0): void {
  must(typeof value === 'string' && value.length >= min && value.length <= max)
}

function checkInteger(value: unknown, max: number, min = -Infinity): void {
  must(typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max)
}

function checkUnique(value: unknown, state: State): void {
  must(state.ids.size !== state.ids.add(value).size)
}

function checkEach(items: unknown, min: number, max: number, check: (item: Value, state: State) => void, state: State) {
  if (!Array.isArray(items) || items.length < min || items.length > max) throw new Error('invalid')
  for (let index = 0; index < items.length; index++) check(items[index], state)
}

function checkMedia(value: unknown, prefix?: string): void {
  if (typeof value !== 'object' || value === null) throw new Error('invalid')
  for (const name of Object.keys(value)) must(name === 'url')
  const { url } = value as Value
  checkText(url, 2048)
  must(prefix === undefined || String(url).startsWith(prefix))
}

function checkItem(item: Value): void {
  for (const name of Object.keys(item)) {
    if (name === 'media') checkMedia(item.media)
    else if (name === 'description') checkText(item.description, 1024)
    else must(name === 'type' || (name === 'spoiler' && typeof item.spoiler === 'boolean'))
  }
  must(item.media !== undefined)
}

function checkOption(option: Value): void {
  for (const name of Object.keys(option)) {
    if (name === 'label') checkText(option.label, 100)
    else if (name === 'value') checkText(option.value, 100, 1)
    else if (name === 'description') checkText(option.description, 100)
    else must(name === 'default' && typeof option.default === 'boolean')
  }
  must(option.label !== undefined && option.value !== undefined)
}

/** Checks a field that components of several types have. */
function checkField(component: Value, name: string, state: State): void {
  switch (name) {
    case 'type':
      return
    case 'custom_id':
      checkText(component.custom_id, 100, 1)
      checkUnique(component.custom_id, state)
      return
    case 'id':
      checkInteger(component.id, 2 ** 32 - 1, -(2 ** 31))
      if (component.id) checkUnique(component.id, state)
      return
    case 'spoiler':
    case 'disabled':
    case 'required':
    case 'default':
    case 'divider':
      must(typeof component[name] === 'boolean')
      return
    default:
      must(false)
  }
}

function checkComponent(component: Value, state: State): void {
  state.count++
  const { type } = component
  for (const name of Object.keys(component)) {
    if (name === 'components') checkEach(component.components, 1, type === 1 ? 5 : 10, checkComponent, state)
    else if (name === 'content') {
      checkText(component.content, 4000, 1)
      state.text += component.content
    } else if (name === 'label') checkText(component.label, 80)
    else if (name === 'style') checkInteger(component.style, 6, 1)
    else if (name === 'accessory' || name === 'component') checkComponent(component[name] as Value, state)
    else if (name === 'items') checkEach(component.items, 1, 10, checkItem, state)
    else if (name === 'options') checkEach(component.options, 1, 25, checkOption, state)
    else if (name === 'media') checkMedia(component.media)
    else if (name === 'file') checkMedia(component.file, 'attachment://')
    else if (name === 'description') checkText(component.description, 1024)
    else if (name === 'spacing') checkInteger(component.spacing, 2, 1)
    else if (name === 'accent_color' || name === 'max_length') checkInteger(component[name], 2 ** 32)
    else checkField(component, name, state)
  }
}

/** Validates a payload by hand. Returns it, or throws. */
export function checkByHand(payload: object): object {
  const state: State = { ids: new Set(), count: 0, text: '' }
  const value = payload as Value
  if (value.type !== undefined) checkComponent(value, state)
  else checkEach(value.components, 1, 40, checkComponent, state)
  must(state.count <= 40 && state.text.length <= 4000)
  return payload
}

const { freeze } = Object
const picture = 'https://example.test/a.png'

const frozenRow = (prefix: string) =>
  freeze({
    type: 1,
    components: freeze(
      [1, 2, 3, 4, 5].map((n) => freeze({ type: 2, style: 1, custom_id: `${prefix}${n}`, label: `Button ${n}` })),
    ),
  })

const frozenContainer = (prefix: string) =>
  freeze({
    type: 17,
    accent_color: 0x3366ff,
    components: freeze([
      freeze({
        type: 9,
        components: freeze([
          freeze({ type: 10, content: '## Release 2.0' }),
          freeze({ type: 10, content: 'Now with passkeys' }),
        ]),
        accessory: freeze({ type: 11, media: freeze({ url: picture }), description: 'Screenshot' }),
      }),
      freeze({ type: 14, spacing: 2 }),
      freeze({ type: 10, content: 'Everything that is new' }),
      frozenRow(prefix),
      freeze({
        type: 12,
        items: freeze([
          freeze({ media: freeze({ url: picture }), description: 'Before' }),
          freeze({ media: freeze({ url: picture }) }),
        ]),
      }),
      freeze({ type: 13, file: freeze({ url: 'attachment://notes.txt' }) }),
    ]),
  })

const frozenOptions = () => freeze([freeze({ label: 'Small', value: 's' }), freeze({ label: 'Large', value: 'l' })])

const frozenLabel = (label: string, component: object) => freeze({ type: 18, label, component })

/** The payloads as frozen literals, by name. */
export const FROZEN: Readonly<Record<string, () => object>> = {
  'a row of five buttons': () => frozenRow('b'),
  'a message of 30 components': () =>
    freeze({ flags: 32768, components: freeze([frozenContainer('a'), frozenContainer('b')]) }),
  'a modal of five labels': () =>
    freeze({
      custom_id: 'order',
      title: 'Your order',
      components: freeze([
        frozenLabel('Name', freeze({ type: 4, custom_id: 'name', style: 1, max_length: 80 })),
        frozenLabel('Remarks', freeze({ type: 4, custom_id: 'remarks', style: 2, required: false })),
        frozenLabel('Size', freeze({ type: 3, custom_id: 'size', options: frozenOptions() })),
        frozenLabel('Delivery', freeze({ type: 21, custom_id: 'delivery', options: frozenOptions() })),
        frozenLabel('Newsletter', freeze({ type: 23, custom_id: 'news', default: true })),
      ]),
    }),
}
