// Reads what users did with buttons, selects and modals that were sent.
import type { ComponentError } from '../errors/client-errors'
import type { Modal, ModalInput } from './messages'
import { has, isComponent, isObject, unsafeCast } from './plain-object'
import { type Path, typeNameOf } from './rules'
import type { SelectInput } from './selects'
import type { Nothing } from './type-errors'
import {
  type ComponentOf,
  type ComponentSource,
  findByCustomId,
  invalidSource,
  isButton,
  type WireComponent,
} from './walk'

/** User, role or channel, as the service describes it; its fields are not shown in the API document. */
export type ResolvedRecord = Readonly<Record<string, unknown>>

/** Records by ID. Those that the adapter does not pass on are missing. */
export type ResolvedRecords = Readonly<Record<string, ResolvedRecord | undefined>>

/** Values of a select: those of its options if they are literals, else IDs or strings. */
export type SelectValue<Sent> = Sent extends {
  readonly type: 3
  readonly options: readonly { readonly value: infer Value }[]
}
  ? Extract<Value, string>
  : string

/** What a select selects, by its type. */
type ResolvedNames<Sent> = Sent extends { readonly type: 5 }
  ? 'users'
  : Sent extends { readonly type: 6 }
    ? 'roles'
    : Sent extends { readonly type: 7 }
      ? 'users' | 'roles'
      : Sent extends { readonly type: 8 }
        ? 'channels'
        : never

/** Values selected by default in the select that was sent. */
interface SelectDefaults<Sent> {
  /** Values selected by default in the select that was sent. */
  readonly defaults: readonly SelectValue<Sent>[]
}

/** What a user selected; see {@link readSelect}. */
export type SelectAnswer<Sent> = SelectDefaults<Sent> &
  (
    | (Readonly<Record<ResolvedNames<Sent>, ResolvedRecords>> & {
        /** Whether the data are a valid answer to the select. */
        readonly ok: true
        /** Selected values, in the order in which they were received. */
        readonly values: readonly SelectValue<Sent>[]
      })
    | {
        readonly ok: false
        /**
         * Why there is no answer: `missing` if the data have no `custom_id` or no values, `foreign` if they are of another
         * component, `unknown_values` if the select does not offer some of the values, `count` if there are too few or many.
         */
        readonly reason: 'missing' | 'foreign' | 'unknown_values' | 'count'
        /** `custom_id` that was received, if any. */
        readonly customId: string | undefined
        /** Values that the select does not offer, or all of them. */
        readonly values: readonly string[]
      }
  )

/** Options of {@link readSelect}. */
export interface ReadSelectOptions {
  /**
   * Whether to read the values also if the data have another `custom_id` than the select, such as one of `customId`.
   * @default false
   */
  readonly ignoreCustomId?: boolean | undefined
}

/** What a user pressed; see {@link readButton}. */
export type ButtonAnswer<Source> =
  | {
      /** Whether the message has the button, and it is not disabled. */
      readonly ok: true
      /** Its `custom_id`. */
      readonly customId: string
      /** The button of the message. */
      readonly button: Extract<ComponentOf<Source>, { readonly type: 2 }>
    }
  | {
      readonly ok: false
      /**
       * Why there is no answer: `missing` if the data have no `custom_id`, `foreign` if the message has no such button,
       * `disabled` if it is disabled there.
       */
      readonly reason: 'missing' | 'foreign' | 'disabled'
      /** `custom_id` that was received, if any. */
      readonly customId: string | undefined
    }

/**
 * Returns the button of a message that was pressed. The API document only shows that the interaction has the `custom_id`;
 * that its `data` have it is a convention. API, "Common component fields".
 *
 * @param data `data` of the interaction.
 * @param sent Message that was sent, or its components.
 * @throws ComponentError if `sent` does not consist of components.
 *
 * @example
 * import { button, messageV2, row } from 'rapport-sdk/components'
 * import { readButton } from 'rapport-sdk/interactions'
 *
 * const sent = messageV2(row(button.primary('yes', 'Yes'), button.secondary('no', 'No').withDisabled()))
 * const answer = readButton({ custom_id: 'yes' }, sent)
 * if (answer.ok) console.log(answer.button.style)
 */
export function readButton<Source extends ComponentSource>(data: unknown, sent: Source): ButtonAnswer<Source> {
  const customId = customIdOf(data)
  if (customId === undefined) return { ok: false, reason: 'missing', customId }
  const button = findByCustomId(sent, customId)
  if (!isButton(button)) return { ok: false, reason: 'foreign', customId }
  if (button.disabled === true) return { ok: false, reason: 'disabled', customId }
  return { ok: true, customId, button }
}

/**
 * Returns what a user selected, typed by the select that was sent. The API document only shows that the interaction has the
 * `custom_id`; that its `data` have `values`, and `resolved` the `users`, `roles` and `channels` by ID, is a convention.
 * API, "String Select" and "User Select".
 *
 * @param data `data` of the interaction.
 * @param sent Select that was sent. If the values of its options are literals, so are those of the answer.
 *
 * @example
 * import { userSelect } from 'rapport-sdk/components'
 * import { readSelect } from 'rapport-sdk/interactions'
 *
 * const data = { custom_id: 'who', values: ['7'], resolved: { users: { 7: { username: 'ada' } } } }
 * const answer = readSelect(data, userSelect('who'))
 * if (answer.ok) console.log(answer.values.map((id) => answer.users[id]?.username))
 */
export function readSelect<const Sent extends SelectInput>(
  data: unknown,
  sent: Sent,
  options?: ReadSelectOptions,
): SelectAnswer<Sent>
export function readSelect(data: unknown, sent: SelectInput, { ignoreCustomId }: ReadSelectOptions = {}): unknown {
  const isString = sent.type === 3
  const offered = isString ? sent.options.map(({ value }) => value) : undefined
  const defaults = isString
    ? sent.options.flatMap((option) => (option.default ? [option.value] : []))
    : (sent.default_values ?? []).map(({ id }) => id)
  const customId = customIdOf(data)
  const values = isObject(data) && isStrings(data.values) ? data.values : undefined
  const fail = (reason: string, invalid: readonly string[] = values ?? []) => {
    return { ok: false, reason, customId, values: invalid, defaults }
  }
  if (customId === undefined && !ignoreCustomId) return fail('missing')
  if (customId !== sent.custom_id && !ignoreCustomId) return fail('foreign')
  if (values === undefined) return fail('missing')
  const unknown = values.filter((value) => offered?.includes(value) === false)
  if (unknown.length > 0) return fail('unknown_values', unknown)
  const { min_values = 1, max_values = 1 } = sent
  // In a modal, no value is needed if the select is optional.
  const isEmpty = values.length === 0 && sent.required === false
  if (!isEmpty && (values.length < min_values || values.length > max_values)) return fail('count')
  const resolved = NAMES[sent.type].map((name) => [name, recordsOf(data, name, values)])
  return { ok: true, values, defaults, ...Object.fromEntries(resolved) }
}

/** What a select selects, by its type. */
const NAMES = { 3: [], 5: ['users'], 6: ['roles'], 7: ['users', 'roles'], 8: ['channels'] }

/** Returns the records of IDs that the adapter passes on. */
function recordsOf(data: unknown, name: string, ids: readonly string[]): ResolvedRecords {
  const resolved = isObject(data) && isObject(data.resolved) ? data.resolved[name] : undefined
  const records = isObject(resolved) ? resolved : {}
  const entries = ids.flatMap((id) => (has(records, id) && isObject(records[id]) ? [[id, records[id]]] : []))
  // Without a prototype: an ID such as `constructor` has no record.
  return Object.assign(Object.create(null), Object.fromEntries(entries))
}

const customIdOf = (data: unknown): string | undefined =>
  isObject(data) && typeof data.custom_id === 'string' ? data.custom_id : undefined

/** Uploaded file, as the service describes it; its fields are a convention. API, "File Upload". */
export interface ModalFile {
  /** ID of the file. */
  readonly id: string
  /** Other fields, such as `filename`, `url` and `size`, if the service sent them. */
  readonly [field: string]: unknown
}

/** Answer to a form control. */
export type ModalAnswer = string | readonly string[] | boolean | readonly ModalFile[] | null

/** Answer by the type of the form control. */
type AnswerOf<Control> = Control extends { readonly type: 4 }
  ? string
  : Control extends { readonly type: 19 }
    ? readonly ModalFile[]
    : Control extends { readonly type: 21 }
      ? string | null
      : Control extends { readonly type: 23 }
        ? boolean
        : readonly string[]

/** Form controls among the arguments of `modal`. */
type ControlsIn<Given> = Given extends Nothing | string
  ? never
  : Given extends readonly (infer Item)[]
    ? ControlsIn<Item>
    : Given extends { readonly component: infer Control }
      ? Control
      : Given extends { readonly type: 1; readonly components: readonly (infer Control)[] }
        ? Control
        : never

/** Form controls that do not depend on a condition, so that the modal always has them. */
type CertainIn<Given> = [Extract<Given, Nothing>] extends [never]
  ? Given extends readonly unknown[]
    ? { [Index in keyof Given]: CertainIn<Given[Index]> }[number]
    : ControlsIn<Given>
  : never

type IdOf<Control> = Control extends { readonly custom_id: infer Id extends string } ? Id : never

/**
 * Answers to a modal, by the `custom_id` of their form control: `string` for text inputs, `boolean` for checkboxes,
 * arrays of strings for selects and checkbox groups, of files for uploads, `string | null` for radio groups. Those of
 * controls that the modal may lack are optional.
 */
export type ModalAnswers<Sent extends ModalInput> =
  Sent extends Modal<infer Given>
    ? unknown extends Given
      ? Readonly<Record<string, ModalAnswer>>
      : { readonly [Control in CertainIn<Given> as IdOf<Control>]: AnswerOf<Control> } & {
          readonly [Control in ControlsIn<Given> as IdOf<Control>]?: AnswerOf<Control>
        }
    : Readonly<Record<string, ModalAnswer>>

/** Options of {@link readModalAnswers}. */
export interface ReadModalAnswersOptions {
  /**
   * Whether to read the answers also if the data have another `custom_id` than the modal, such as `'report:42'`.
   * @default false
   */
  readonly ignoreCustomId?: boolean | undefined
}

/** Answers to unanswered controls, by type; an empty array for all others. */
const EMPTY: Readonly<Record<number, ModalAnswer>> = { 4: '', 21: null, 23: false }

const isStrings = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'string')

/** Returns the form controls of a modal. Without the specs of all components, which apps that only read answers do not need. */
function controlsOf(
  components: unknown,
  fail: (path: Path, message: string) => ComponentError,
): readonly WireComponent[] {
  if (!Array.isArray(components)) throw fail(['components'], 'expected an array')
  return components.flatMap((outer: unknown, index) => {
    const inner = isComponent(outer) ? (outer.components ?? outer.component ?? []) : outer
    return [inner].flat().map((control: unknown) => {
      if (!isComponent(control)) throw fail(['components', index], 'expected a component')
      return control
    })
  })
}

/**
 * Returns the answers to a modal, typed by the modal that was sent. Controls without an answer have an empty one: `''`,
 * `false`, `null` or an empty array. The API document only shows that the interaction has the `custom_id`; that
 * the components of its `data` have a `value` or `values`, and `resolved.attachments` the files by ID, is a convention.
 * API, "Common component fields".
 *
 * @param data `data` of the interaction.
 * @param sent Modal that was sent, as `modal` returned it.
 * @throws ComponentError if the data are not of a modal or have another `custom_id` than `sent`, or if an answer has
 * another type than its control.
 *
 * @example
 * import { checkbox, label, modal, readModalAnswers, textInput } from 'rapport-sdk/components'
 *
 * const feedback = modal('feedback', 'Feedback', label('Text', textInput.paragraph('text')), label('Public', checkbox('ok')))
 * const data = { components: [{ type: 18, component: { type: 4, custom_id: 'text', value: 'Good' } }] }
 * const { text, ok } = readModalAnswers(data, feedback)
 */
export function readModalAnswers<Sent extends ModalInput>(
  data: unknown,
  sent: Sent,
  { ignoreCustomId }: ReadModalAnswersOptions = {},
): ModalAnswers<Sent> {
  const fail = (path: Path, message: string) => invalidSource('invalid_type', message, path, 'the answers')
  if (!isObject(data) || data.components === undefined) {
    throw fail(['components'], 'required: pass the data of the interaction')
  }
  if (!ignoreCustomId && data.custom_id !== undefined && data.custom_id !== sent.custom_id) {
    throw fail(['custom_id'], 'of another modal')
  }
  const files = Object(Object(data.resolved).attachments)
  const submitted = controlsOf(data.components, fail)
  const answers: [customId: string, answer: unknown][] = []
  for (const { custom_id, type } of controlsOf(sent.components, fail)) {
    if (typeof custom_id !== 'string') continue
    const { [type]: empty = [] } = EMPTY
    const control = submitted.find((other) => other.custom_id === custom_id)
    const answer = control?.values ?? control?.value ?? empty
    const expected = Array.isArray(empty) ? 'array of strings' : typeof (empty ?? '')
    if (answer !== empty && typeof answer !== expected && !(Array.isArray(empty) && isStrings(answer))) {
      throw fail([custom_id], `expected ${expected}, got ${typeNameOf(answer)}`)
    }
    const toFile = (id: string) => ({ ...Object(files[id]), id })
    answers.push([custom_id, type === 19 && isStrings(answer) ? answer.map(toFile) : answer])
  }
  // Each custom ID of `sent` has an answer of the kind that was checked above.
  return unsafeCast(Object.fromEntries(answers))
}
