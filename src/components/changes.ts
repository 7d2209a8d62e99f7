/** Keeps messages in step with what users did, and fits content into them. The entry `rapport-sdk/components/changes`. */
import { setSafeTimeout } from '../abort'
import type { ButtonInput, InteractiveButtonInput } from './buttons'
import { button } from './buttons'
import { ButtonStyle, MessageFlags } from './constants'
import { disableAll, type Page, transform } from './edit'
import { type ButtonRow, row } from './layouts'
import type { MessageInput } from './messages'
import { isComponent, isObject, type PlainObject } from './plain-object'
import { specOf } from './specs'
import type { Child } from './type-errors'
import { type ComponentSource, changeField } from './walk'

/**
 * Returns the smallest change from one message to another, or `undefined` if they are equal: the fields that differ, and
 * `null` for those that were removed (`flags`: 0). `components` are sent completely, with their flags, so that `validateMessage` accepts
 * the change. Default values, and an `id` that only the first message has, are no difference, so that `before` may also be a
 * received message without received-only fields (`toSendable`). That an edit takes these fields is a convention.
 *
 * @example
 * import { messageV2 } from 'rapport-sdk/components'
 * import { diffMessage } from 'rapport-sdk/components/changes'
 *
 * const change = diffMessage(messageV2('Open'), messageV2('Closed')) // { flags: 32768, components: […] }
 */
export function diffMessage(before: MessageInput, after: MessageInput): Readonly<Record<string, unknown>> | undefined {
  const names = [...new Set([...Object.keys(after), ...Object.keys(before)])]
  const changed = names.filter((name) => !isSame(before[name] ?? emptyOf(name), after[name] ?? emptyOf(name)))
  if (changed.length === 0) return undefined
  const isV2 = (Number(after.flags) & MessageFlags.IS_COMPONENTS_V2) !== 0
  if (isV2 && changed.includes('components') && !changed.includes('flags')) changed.unshift('flags')
  return Object.fromEntries(changed.map((name) => [name, after[name] ?? emptyOf(name)]))
}

/** Returns the value that removes a field. `components` and `flags` take no `null`. */
const emptyOf = (name: string) => (name === 'components' ? [] : name === 'flags' ? 0 : null)

/** Whether two values are equal as JSON, except for defaults and an `id` that only the first one has. */
function isSame(before: unknown, after: unknown): boolean {
  if (Array.isArray(before) && Array.isArray(after))
    return before.length === after.length && before.every((item, index) => isSame(item, after[index]))
  if (!isObject(before) || !isObject(after)) return (before ?? null) === (after ?? null)
  const fields = isComponent(after) ? specOf(after.type)?.fields : undefined
  const fieldOf = (value: PlainObject, name: string) => value[name] ?? fields?.get(name)?.default
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].every(
    (name) =>
      (fields && name === 'id' && after.id === undefined) || isSame(fieldOf(before, name), fieldOf(after, name)),
  )
}

/** Style of a button that users press. */
export type PressStyle = 'primary' | 'secondary' | 'success' | 'danger'

/**
 * Returns a copy with the style of buttons changed, except links and premium buttons; unchanged parts are shared.
 *
 * @param style Style, or a function that returns the style of a button, or `undefined` to keep it.
 * @throws ComponentError if `source` does not consist of components, or is cyclic.
 *
 * @example
 * import { button, messageV2, row } from 'rapport-sdk/components'
 * import { restyle } from 'rapport-sdk/components/changes'
 *
 * const question = messageV2(row(button.primary('yes', 'Yes'), button.primary('no', 'No')))
 * const answered = restyle(question, ({ custom_id }) => (custom_id === 'yes' ? 'success' : 'secondary'))
 */
export function restyle<T extends ComponentSource>(
  source: T,
  style: PressStyle | ((button: InteractiveButtonInput) => PressStyle | undefined),
): T {
  return transform(source, (component, _path, _parent, next) => {
    const name = isInteractiveButton(component) && (typeof style === 'string' ? style : style(component))
    const value = name && STYLES[name]
    return next(value && value !== component.style ? changeField(component, 'style', value) : component)
  })
}

const isInteractiveButton = (component: PlainObject): component is PlainObject & InteractiveButtonInput =>
  component.type === 2 && Number(component.style) <= ButtonStyle.DANGER

const STYLES: Readonly<Record<PressStyle, number>> = { primary: 1, secondary: 2, success: 3, danger: 4 }

/**
 * Disables the buttons and selects of a message after a time.
 *
 * @param ms Time in milliseconds.
 * @param options `edit` sends the disabled message, `onError` receives its error.
 * @returns A function that cancels this. Pending timers keep a process alive.
 *
 * @example
 * import { button, messageV2, row } from 'rapport-sdk/components'
 * import { disableAfter } from 'rapport-sdk/components/changes'
 *
 * const message = messageV2(row(button.primary('yes', 'Yes')))
 * const cancel = disableAfter(message, 60_000, { edit: (disabled) => console.log(disabled), onError: console.error })
 * cancel()
 */
export function disableAfter<T extends ComponentSource>(
  message: T,
  ms: number,
  { edit, onError }: { readonly edit: (disabled: T) => unknown; readonly onError: (error: unknown) => unknown },
): () => void {
  return setSafeTimeout(ms, () => {
    Promise.resolve(message).then(disableAll).then(edit).catch(onError)
  })
}

/** Labels of {@link pageControls}. */
export interface PageLabels {
  /** Default: `'Back'`. */
  readonly back?: string
  /** Default: `'Next'`. */
  readonly next?: string
}

/**
 * Returns the option `controls` of `paginate`: it adds a row that turns the pages: back, the position, next. Each button
 * has its target in its `custom_id`, so that nothing is stored.
 *
 * @param id Returns the `custom_id` for a page, such as a kind of `customId`. Called with -1 and `count` for the disabled
 * buttons at the ends.
 *
 * @example
 * import { container, messageV2, paginate } from 'rapport-sdk/components'
 * import { pageControls } from 'rapport-sdk/components/changes'
 * import { customId, param } from 'rapport-sdk/components/custom-id'
 *
 * const list = customId('list', { page: param.integer })
 * const controls = pageControls((page) => list({ page }))
 * const pages = paginate(['a', 'b'], (shown) => messageV2(container(shown)), { controls })
 */
export function pageControls(id: (target: number) => string, labels: PageLabels = {}): (page: Page) => ButtonRow {
  const { back = 'Back', next = 'Next' } = labels
  return ({ index, count }) =>
    row(
      button.secondary(id(index - 1), back).withDisabled(index === 0),
      button.secondary(id(index), `${index + 1} / ${count}`).withDisabled(),
      button.secondary(id(index + 1), next).withDisabled(index >= count - 1),
    )
}

/** Returns rows of at most 5 buttons, in order. Skips `null`, `undefined` and `false`. API, "Action Row". */
export function buttonRows(buttons: readonly Child<ButtonInput>[]): ButtonRow[] {
  const all = buttons.flat(9).filter((one) => isComponent(one))
  return Array.from({ length: Math.ceil(all.length / 5) }, (_, at) => row(all.slice(at * 5, at * 5 + 5)))
}

/** Returns a text of at most `max` characters (code points): a longer one is cut and ends with `…`. */
export function truncate(text: string, max: number): string {
  if (text.length <= max) return text
  if (max < 1) return ''
  const points = [...text]
  return points.length <= max ? text : `${points.slice(0, max - 1).join('')}…`
}

/**
 * Returns a function that returns the texts for a locale: of `zh-Hant-TW`, else of `zh-Hant`, else of `zh`, else those of the
 * default language. Every language has the same texts, which the compiler checks.
 *
 * @param texts Texts of the default language.
 * @param others Texts of other languages.
 *
 * @example
 * import { createTexts } from 'rapport-sdk/components/changes'
 *
 * const texts = createTexts({ votes: (n: number) => `${n} votes` }, { de: { votes: (n) => `${n} Stimmen` } })
 * console.log(texts('de-AT').votes(2))
 */
export function createTexts<Texts extends object>(
  texts: Texts,
  others: Readonly<Record<string, NoInfer<Texts>>>,
): (locale: string | null | undefined) => Texts {
  const all = new Map(Object.entries<Texts>(others))
  return (locale) => {
    // Longer tags are not in use (RFC 5646, section 4.4.1).
    let tag = locale?.slice(0, 35) ?? ''
    while (tag !== '' && !all.has(tag)) tag = tag.slice(0, Math.max(0, tag.lastIndexOf('-')))
    return all.get(tag) ?? texts
  }
}
