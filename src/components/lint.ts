/**
 * Reports probable mistakes in messages and modals that are valid: misspelt fields, empty URLs, missing attachments.
 * Apart from the validators, which stay small without it.
 */

import { countCharacters, createIssue, type Issue, type IssueCode } from '../internal/issue'
import { MessageFlags } from './constants'
import { has, isObject, type PlainObject } from './plain-object'
import { MAX_DEPTH, MAX_STEPS, type Path } from './rules'
import type { ComponentSpec, Field } from './schema'
import { DISABLED_FIELDS, legacyMessageSpec, messageV2Spec, modalSpec, specOf } from './specs'

/** Options of the linters. */
export interface LintOptions {
  /** Names of the files that are uploaded with the message. Default: the `filename`s of its `attachments`. */
  readonly attachments?: readonly string[]
}

interface LintContext {
  readonly issues: Issue[]
  /** `custom_id`s in normal form, with the first one of each. */
  readonly customIds: Map<string, string>
  /** URLs of media, and where they are. */
  readonly urls: { readonly url: string; readonly path: Path }[]
  readonly isModal: boolean
  steps: number
}

function warn(context: LintContext, path: Path, code: IssueCode, message: string, details?: Partial<Issue>): void {
  context.issues.push({ ...createIssue(path, code, message), ...details, severity: 'warning' })
}

// Fields.

/** Returns the number of insertions, deletions, replacements and swaps of neighbors that make one word the other. */
function distanceOf(one: string, other: string): number {
  const rows: number[][] = []
  const at = (i: number, j: number): number => rows[i]?.[j] ?? Infinity
  for (let i = 0; i <= one.length; i++) {
    const row: number[] = []
    rows.push(row)
    for (let j = 0; j <= other.length; j++) {
      const isSwapped = one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1]
      const replaced = at(i - 1, j - 1) + (one[i - 1] === other[j - 1] ? 0 : 1)
      const swapped = isSwapped ? at(i - 2, j - 2) + 1 : Infinity
      row.push(i + j === 0 ? 0 : Math.min(at(i - 1, j) + 1, at(i, j - 1) + 1, replaced, swapped))
    }
  }
  return at(one.length, other.length)
}

const toSnakeCase = (name: string): string =>
  name
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .replace(/[-\s]+/g, '_')
    .toLowerCase()

interface Names {
  readonly fields: ReadonlyMap<string, Pick<Field, 'places'>>
}

/** Fields of a message that apps use; the API document does not show all. */
const MESSAGE_NAMES: Names = {
  fields: new Map(
    ['flags', 'components', ...DISABLED_FIELDS, 'allowed_mentions', 'attachments'].map((name) => [name, { places: 1 }]),
  ),
}

/** Returns the field that a name probably means, or `undefined`. */
function fieldMeantBy(name: string, value: PlainObject, { fields }: Names): string | undefined {
  if (name.length > 40) return undefined
  const normal = toSnakeCase(name)
  const missing = [...fields]
    .filter(([field, { places }]) => places !== 0 && !has(value, field))
    .map(([field]) => field)
  const distances = missing.map((field) => [distanceOf(normal, field), field] as const)
  const [nearest] = distances.sort(([one], [other]) => one - other)
  // Two typos in a word of at least six letters, one in a shorter one.
  return nearest && nearest[0] <= (nearest[1].length > 5 ? 2 : 1) ? nearest[1] : undefined
}

/** Comparing a name with every field takes about as long as visiting this number of values. */
const UNKNOWN_NAME_STEPS = 20

function lintNames(value: PlainObject, spec: Names, path: Path, context: LintContext): void {
  for (const name of Object.keys(value)) {
    if (spec.fields.has(name) || context.steps > MAX_STEPS) continue
    context.steps += UNKNOWN_NAME_STEPS
    const meant = fieldMeantBy(name, value, spec)
    if (meant) warn(context, [...path, name], 'unknown_field', `misspelt: did you mean ${meant}?`)
  }
}

/** Reports a URL that opens nothing, or code. */
function lintUrl(url: unknown, path: Path, context: LintContext): void {
  if (typeof url !== 'string') return
  const [, scheme] = /^\s*([a-z][a-z\d+.-]*):/i.exec(url) ?? []
  if (url.trim() === '') warn(context, path, 'invalid_format', 'empty URL')
  else if (scheme === undefined) warn(context, path, 'invalid_format', 'no scheme, such as https:', { actual: url })
  else if (/^(?:javascript|vbscript|data)$/i.test(scheme)) {
    warn(context, path, 'invalid_format', `${scheme.toLowerCase()}: is not a web address`)
  }
}

const isBlank = (value: unknown): boolean => typeof value === 'string' && value.trim() === ''

/** Whether a value shows nothing: absent, white space or an empty array. */
const isEmpty = (value: unknown): boolean =>
  (value ?? '') === '' || isBlank(value) || (Array.isArray(value) && value.length === 0)

/** Reports a text of only white space. */
function lintText(value: PlainObject, name: string, path: Path, context: LintContext): void {
  if (isBlank(value[name])) warn(context, [...path, name], 'required', `empty ${name}`)
}

// Components.

function lintButton(button: PlainObject, path: Path, context: LintContext): void {
  const { label, emoji, style, url } = button
  if (style !== 6 && isEmpty(label) && !emoji) warn(context, path, 'required', 'neither label nor emoji')
  if (style === 5) lintUrl(url, [...path, 'url'], context)
  if (typeof label !== 'string') return
  // Design guidance. API, "Button", 5.
  const actual = countCharacters(label)
  const limit = emoji === undefined ? 38 : 34
  if (actual <= limit || actual > 80) return
  warn(context, [...path, 'label'], 'too_long', `${actual} characters, best at most ${limit}`, { limit, actual })
}

function lintChoices(component: PlainObject, path: Path, context: LintContext, { type, fields }: ComponentSpec): void {
  const { options, default_values } = component
  let actual = Array.isArray(default_values) ? default_values.length : 0
  if (Array.isArray(options) && options.length <= 25) {
    const values = new Set()
    for (const [index, option] of options.entries()) {
      if (!isObject(option)) continue
      if (values.has(option.value)) warn(context, [...path, 'options', index, 'value'], 'conflict', 'duplicate value')
      values.add(option.value)
      if (option.default === true) actual++
    }
  }
  const limit = type === 21 ? 1 : (component.max_values ?? fields.get('max_values')?.default ?? Infinity)
  if (typeof limit !== 'number' || actual <= limit || actual === 0) return
  const name = options ? 'options' : 'default_values'
  warn(context, [...path, name], 'too_many', `${actual} selected by default, at most ${limit}`, { limit, actual })
}

function lintComponent(component: PlainObject, path: Path, context: LintContext, spec: ComponentSpec): void {
  const { type } = spec
  const { components, accent_color, custom_id } = component
  if (type === 1 && Array.isArray(components) && components.length === 0) warn(context, path, 'too_few', 'empty row')
  if (type === 1 && context.isModal) warn(context, path, 'conflict', 'deprecated in modals')
  if (type === 2) lintButton(component, path, context)
  else if (spec.fields.has('options') || spec.fields.has('default_values')) lintChoices(component, path, context, spec)
  if (
    typeof accent_color === 'number' &&
    spec.fields.has('accent_color') &&
    (accent_color < 0 || accent_color > 0xffffff)
  ) {
    const details = { actual: accent_color, limit: 0xffffff }
    warn(context, [...path, 'accent_color'], 'invalid_value', `${accent_color}, a colour is 0 to 0xffffff`, details)
  }
  if (typeof custom_id !== 'string' || custom_id === '') return
  // Next to a digit, they separate numbers or are a sign: `page:-1` is not `page:1`.
  const normal = custom_id.toLowerCase().replace(/(^|\D)[\s_-]+(?!\d)/g, '$1')
  const first = context.customIds.get(normal)
  if (first === undefined) context.customIds.set(normal, custom_id)
  else if (first !== custom_id) {
    const message = `nearly the same as ${JSON.stringify(first)}`
    warn(context, [...path, 'custom_id'], 'conflict', message, { actual: custom_id })
  }
}

// The tree.

function visitFields(value: PlainObject, spec: ComponentSpec, path: Path, context: LintContext): void {
  for (const [name, field] of spec.fields) {
    if (has(value, name)) visitValue(value[name], field, [...path, name], context, spec)
  }
}

function visitValue(value: unknown, field: Field, path: Path, context: LintContext, owner: ComponentSpec): void {
  const { kind, of, part } = field
  if (path.length > MAX_DEPTH || ++context.steps > MAX_STEPS) return
  if (of && Array.isArray(value)) {
    for (let index = 0; index < value.length && context.steps <= MAX_STEPS; index++)
      visitValue(value[index], of, [...path, index], context, owner)
  }
  if (!isObject(value)) return
  const spec = kind === 'component' ? specOf(value.type) : part
  if (!spec) return
  lintNames(value, spec, path, context)
  if (kind === 'component') lintComponent(value, path, context, spec)
  // A label component takes the place of the input's own label.
  if (spec.type === 4 && owner.type === 18) {
    if (value.label !== undefined) warn(context, [...path, 'label'], 'conflict', 'ignored inside a label')
  } else if (spec.type !== 2) lintText(value, 'label', path, context)
  // Validation reports a text without any characters.
  if (spec.type === 10 && value.content !== '') lintText(value, 'content', path, context)
  if (spec.fields.get('url')?.max === 2048) {
    lintUrl(value.url, [...path, 'url'], context)
    if (typeof value.url === 'string') context.urls.push({ url: value.url, path: [...path, 'url'] })
  }
  visitFields(value, spec, path, context)
}

/** Compares the attachments of a message with the references of its components. */
function lintAttachments(message: PlainObject, context: LintContext, options: LintOptions, isV2: boolean): void {
  const listed = Array.isArray(message.attachments) ? message.attachments.slice(0, MAX_STEPS) : []
  const filenames = listed.map((attachment: unknown) => (isObject(attachment) ? attachment.filename : undefined))
  const references = new Set(context.urls.map(({ url }) => url))
  filenames.forEach((filename, index) => {
    // Without the flag, the message shows them itself.
    if (!isV2 || typeof filename !== 'string' || references.has(`attachment://${filename}`)) return
    warn(context, ['attachments', index], 'conflict', 'not shown by any component')
  })
  const names = new Set<unknown>(options.attachments ?? filenames)
  for (const { url, path } of context.urls) {
    const [, name] = /^attachment:\/\/(.+)$/s.exec(url) ?? []
    if (name !== undefined && !names.has(name)) warn(context, path, 'conflict', `no attachment is named ${name}`)
  }
}

/** Whether a field of a message without the flag may show something: any that is not known to show nothing. */
const isShown = ([name, value]: readonly [string, unknown]): boolean =>
  name !== 'flags' && name !== 'allowed_mentions' && !isEmpty(value)

function lint(value: unknown, isModal: boolean, options: LintOptions = {}): readonly Issue[] {
  const context: LintContext = { issues: [], customIds: new Map(), urls: [], isModal, steps: 0 }
  try {
    if (!isObject(value)) return []
    const { flags, components } = value
    const isV2 = typeof flags === 'number' && (flags & MessageFlags.IS_COMPONENTS_V2) !== 0
    visitFields(value, isModal ? modalSpec : isV2 ? messageV2Spec : legacyMessageSpec, [], context)
    if (isModal) lintText(value, 'title', [], context)
    else lintNames(value, MESSAGE_NAMES, [], context)
    // Validation reports a modal without the field.
    if (Array.isArray(components) ? (isModal || isV2) && components.length === 0 : isV2 && components === undefined)
      warn(context, ['components'], 'too_few', 'no components')
    if (isModal) return context.issues
    if (!isV2 && !options.attachments?.length && !Object.entries(value).some(isShown))
      warn(context, [], 'required', 'empty message')
    const isLegacyRow = (component: unknown) => !isObject(component) || component.type === 1
    if (!isV2 && Array.isArray(components) && components.length <= MAX_STEPS && !components.every(isLegacyRow)) {
      warn(context, ['flags'], 'required', `add flags: ${MessageFlags.IS_COMPONENTS_V2}`)
    }
    lintAttachments(value, context, options, isV2)
  } catch {
    // A getter or proxy threw; validation reports it.
  }
  return context.issues
}

/**
 * Returns probable mistakes in a message, as warnings with their paths; empty if there are none. Never throws. Does not
 * repeat what `validateMessage` reports. It reports:
 *
 * - misspelt fields, such as `accentColor` or `flag`, and a forgotten IS_COMPONENTS_V2
 * - empty URLs, URLs without a scheme, and `javascript:`
 * - `attachment://` without its attachment, and attachments that no component shows
 * - empty messages, rows, labels and texts, buttons without label and emoji, labels longer than recommended
 * - accent colours out of range, `custom_id`s that differ only in case, spaces, `_` or `-`
 * - duplicate option values, more defaults than `max_values`
 *
 * @example
 * import { formatPath } from 'rapport-sdk/components'
 * import { lintMessage } from 'rapport-sdk/components/lint'
 *
 * const message = { flags: 32768, components: [{ type: 17, accentColor: 1, components: [{ type: 10, content: 'Hi' }] }] }
 * for (const { path, message: hint } of lintMessage(message)) console.log(formatPath(path), hint)
 */
export function lintMessage(value: unknown, options?: LintOptions): readonly Issue[] {
  return lint(value, false, options)
}

/**
 * Returns probable mistakes in a modal, as warnings with their paths: what {@link lintMessage} reports, rows, an empty
 * title, no components, and text inputs with a label of their own inside a label. Never throws.
 */
export function lintModal(value: unknown): readonly Issue[] {
  return lint(value, true)
}

export type { Issue, IssueCode } from '../internal/issue'
