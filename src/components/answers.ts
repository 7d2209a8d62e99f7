// Reads what users did with buttons, selects and modals that were sent.
import { ComponentError } from '../errors/client-errors'
import { countCharacters, createIssue } from '../internal/issue'
import type { Modal, ModalInput } from './messages'
import { has, isObject } from './plain-object'
import type { SelectInput } from './selects'
import type { Nothing } from './type-errors'
import { type ComponentOf, type ComponentSource, findByCustomId, isButton } from './walk'

/** User, role or channel, as the service describes it; its fields are not shown in the API document. */
export type ResolvedRecord = Readonly<Record<string, unknown>>

/** Records by ID. Those that the adapter does not pass on are missing. */
export type ResolvedRecords = Readonly<Record<string, ResolvedRecord | undefined>>

/** Values of a select or group: those of its options if they are literals, else IDs or strings. */
export type SelectValue<Sent> = Sent extends { readonly options: readonly { readonly value: string }[] }
  ? Sent['options'][number]['value']
  : string

/** What a select selects, by its type. */
type ResolvedNames<Sent> = Sent extends { readonly type: infer Type extends 5 | 6 | 7 | 8 }
  ? { 5: 'users'; 6: 'roles'; 7: 'users' | 'roles'; 8: 'channels' }[Type]
  : never

/** What a user selected; see {@link readSelect}. */
export type SelectAnswer<Sent> = {
  /** Values selected by default in the select that was sent. */
  readonly defaults: readonly SelectValue<Sent>[]
} & (
  | (Readonly<Record<ResolvedNames<Sent>, ResolvedRecords>> & {
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

/** Options of {@link readSelect} and {@link readModalAnswers}. */
export interface ReadSelectOptions {
  /**
   * Whether to read the data even if their `custom_id` is not the one that was sent, such as one of `customId`.
   * @default false
   */
  readonly ignoreCustomId?: boolean | undefined
}

/** What a user pressed; see {@link readButton}. */
export type ButtonAnswer<Source> =
  | {
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
export function readSelect(data: unknown, sent: SelectInput, options?: ReadSelectOptions): unknown {
  const customId = customIdOf(data)
  const { values, problem, refused = values } = readControl(sent, isObject(data) ? data.values : undefined)
  const defaults = defaultsOf(sent)
  const mismatch = mismatchOf(customId, sent, options)
  if (mismatch) return { ok: false, reason: mismatch, customId, values, defaults }
  if (problem) return { ok: false, reason: problem, customId, values: refused, defaults }
  const resolved = Object.entries(RESOLVED).filter(([, types]) => types.includes(sent.type))
  const records = resolved.map(([name]) => [name, recordsOf(data, name, values)])
  return { ok: true, values, defaults, ...Object.fromEntries(records) }
}

/** Types of the selects that select each kind of record. */
const RESOLVED = { users: [5, 7], roles: [6, 7], channels: [8] }

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

/** Returns why data are not of the component or modal that was sent. */
const mismatchOf = (customId: unknown, sent: { readonly custom_id: string }, options?: ReadSelectOptions) =>
  options?.ignoreCustomId || customId === sent.custom_id ? undefined : customId === undefined ? 'missing' : 'foreign'

/** Fields of selects and form controls that decide which answers are valid. */
interface Control {
  readonly type: number
  readonly custom_id: string
  readonly options?: readonly { readonly value: string; readonly default?: boolean }[]
  readonly default_values?: readonly { readonly id: string }[]
  readonly default?: boolean
  readonly value?: string
  readonly required?: boolean
  readonly min_values?: number
  readonly max_values?: number
  readonly min_length?: number
  readonly max_length?: number
}

/** Values that were received for a control, why they are no answer, and those that it does not offer. */
interface ControlReading {
  readonly values: readonly string[]
  readonly problem?: InvalidAnswer['reason']
  readonly refused?: readonly string[]
}

/** Answers to unanswered controls, by type; an empty array for all others. */
const EMPTY: Readonly<Record<number, string | boolean | null>> = { 4: '', 21: null, 23: false }

/** Minimum number of values or characters, and whether none are needed. */
function minimumOf({ type, required, min_values, min_length }: Control) {
  const min = min_values ?? min_length ?? (type === 19 || type === 23 ? 0 : 1)
  return { min, isOptional: required === false || (!required && min === 0) }
}

const isStrings = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'string')

/** Reads the `value` or `values` that were received for a control. */
function readControl(sent: Control, given: unknown): ControlReading {
  const { type, options } = sent
  const { [type]: empty } = EMPTY
  const values = isStrings(given) ? given : typeof given === 'string' ? [given] : []
  const isValid = empty === undefined ? values === given : given === empty || typeof given === typeof (empty ?? '')
  if (!isValid) return { values, problem: 'missing' }
  const refused = options ? values.filter((value) => !options.some((option) => option.value === value)) : []
  if (refused.length > 0) return { values, problem: 'unknown_values', refused }
  const [text] = type === 4 ? values : []
  const { length } = text ?? values
  const { min, isOptional } = minimumOf(sent)
  const max = sent.max_values ?? sent.max_length ?? { 4: Infinity, 19: 10, 22: options?.length }[type] ?? 1
  // Whether the service counts code points or UTF-16 units is not shown: what may be valid is.
  const isMany = (text === undefined ? length : countCharacters(text)) > max
  return isMany || (length === 0 ? !isOptional : length < min) ? { values, problem: 'count' } : { values }
}

/** Returns the values that are selected or entered at first. */
const defaultsOf = ({ options = [], default_values = [] }: Control): readonly string[] => [
  ...options.flatMap((option) => (option.default ? [option.value] : [])),
  ...default_values.map(({ id }) => id),
]

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
type AnswerOf<Control> = Control extends { readonly type: infer Type extends 4 | 19 | 21 | 23 }
  ? { 4: string; 19: readonly ModalFile[]; 21: SelectValue<Control> | null; 23: boolean }[Type]
  : readonly SelectValue<Control>[]

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
 * arrays of values for selects and checkbox groups, of files for uploads, a value or `null` for radio groups. Values of
 * options are literals if those of the modal are. Answers of controls that the modal may lack are optional.
 */
export type ModalAnswers<Sent extends ModalInput> =
  Sent extends Modal<infer Given>
    ? unknown extends Given
      ? Readonly<Record<string, ModalAnswer>>
      : { readonly [Control in CertainIn<Given> as IdOf<Control>]: AnswerOf<Control> } & {
          readonly [Control in ControlsIn<Given> as IdOf<Control>]?: AnswerOf<Control>
        }
    : Readonly<Record<string, ModalAnswer>>

/** Valid answers to a modal. Optional controls without an answer have an empty one: `''`, `false`, `null` or `[]`. */
export interface ModalSubmission<Sent extends ModalInput> {
  /** Answers by the `custom_id` of their form control. */
  readonly answers: ModalAnswers<Sent>
  /** Answers that the modal had at first. */
  readonly defaults: ModalAnswers<Sent>
  /** Selected users. */
  readonly users: ResolvedRecords
  /** Selected roles. */
  readonly roles: ResolvedRecords
  /** Selected channels. */
  readonly channels: ResolvedRecords
}

/** Form control whose answer is not valid. */
export interface InvalidAnswer {
  /** `custom_id` of the control. */
  readonly customId: string
  /**
   * `missing` if the control has no answer of its type, `unknown_values` if it does not offer some of the values, `count`
   * if there are too few or too many values or characters.
   */
  readonly reason: 'missing' | 'unknown_values' | 'count'
  /** Values that the control does not offer, or all of them. */
  readonly values: readonly string[]
}

/** What a user submitted; see {@link readModalAnswers}. `defaults` are the answers that the modal had at first. */
export type ModalResult<Sent extends ModalInput> =
  | (ModalSubmission<Sent> & {
      readonly ok: true
    })
  | (Pick<ModalSubmission<Sent>, 'defaults'> & {
      readonly ok: false
      /**
       * Why there are no answers: `missing` if the data have no `custom_id` or no components, `foreign` if they are of
       * another modal, `invalid` if answers are not valid.
       */
      readonly reason: 'missing' | 'foreign' | 'invalid'
      /** `custom_id` that was received, if any. */
      readonly customId: string | undefined
      /** Answers that are not valid. */
      readonly invalid: readonly InvalidAnswer[]
    })

/**
 * Returns the answers to a modal, typed by the modal that was sent. The API document only shows that the interaction has
 * the `custom_id`; that the components of its `data` have a `value` or `values`, and `resolved` the `users`, `roles`,
 * `channels` and `attachments` by ID, is a convention. API, "Common component fields".
 *
 * @param data `data` of the interaction.
 * @param sent Modal that was sent, as `modal` returned it.
 *
 * @example
 * import { checkbox, label, modal, textInput } from 'rapport-sdk/components'
 * import { readModalAnswers } from 'rapport-sdk/interactions'
 *
 * const sent = modal('feedback', 'Feedback', label('Text', textInput.paragraph('text')), label('Public', checkbox('ok')))
 * const components = [{ type: 18, component: { type: 4, custom_id: 'text', value: 'Good' } }]
 * const result = readModalAnswers({ custom_id: 'feedback', components }, sent)
 * if (result.ok) console.log(result.answers.text, result.answers.ok)
 */
export function readModalAnswers<Sent extends ModalInput>(
  data: unknown,
  sent: Sent,
  options?: ReadSelectOptions,
): ModalResult<Sent>
export function readModalAnswers(data: unknown, sent: ModalInput, options?: ReadSelectOptions): unknown {
  const controls = sent.components.flatMap((outer): readonly Control[] =>
    outer.type === 18 ? [outer.component] : outer.type === 1 ? outer.components : [],
  )
  const defaults = Object.fromEntries(controls.map((control) => [control.custom_id, defaultOf(control)]))
  const customId = customIdOf(data)
  const fail = (reason: string, invalid: unknown = []) => ({ ok: false, reason, customId, invalid, defaults })
  const mismatch = mismatchOf(customId, sent, options)
  if (mismatch) return fail(mismatch)
  if (!isObject(data) || !Array.isArray(data.components)) return fail('missing')
  const received = data.components
    .filter(isObject)
    .flatMap(({ component, components }) => [component, components].flat())
  const readings = controls.map((control) => {
    const { type, custom_id } = control
    const { [type]: empty = [] } = EMPTY
    const found = received.filter(isObject).find((other) => other.custom_id === custom_id)
    const given = found?.[type in EMPTY ? 'value' : 'values'] ?? (minimumOf(control).isOptional ? empty : undefined)
    return { type, custom_id, given, ...readControl(control, given) }
  })
  const invalid = readings.flatMap(({ custom_id, problem, values, refused = values }) =>
    problem ? [{ customId: custom_id, reason: problem, values: refused }] : [],
  )
  if (invalid.length > 0) return fail('invalid', invalid)
  const toFile = (id: string) => ({ ...recordsOf(data, 'attachments', [id])[id], id })
  const answers = readings.map((reading) => {
    return [reading.custom_id, reading.type === 19 ? reading.values.map(toFile) : reading.given]
  })
  const resolved = Object.entries(RESOLVED).map(([name, types]) => {
    const ids = readings.flatMap(({ type, values }) => (types.includes(type) ? values : []))
    return [name, recordsOf(data, name, ids)]
  })
  return { ok: true, answers: Object.fromEntries(answers), defaults, ...Object.fromEntries(resolved) }
}

/** Returns the answer that a control of a modal has at first. */
function defaultOf(control: Control): ModalAnswer {
  const { [control.type]: empty } = EMPTY
  const values = defaultsOf(control)
  return empty === undefined ? values : (control.value ?? control.default ?? values[0] ?? empty)
}

/** Returns the answers to a modal whose `custom_id` was checked. Throws ComponentError if they are not valid. @internal */
export function checkedAnswers<Sent extends ModalInput>(data: unknown, sent: Sent): ModalSubmission<Sent> {
  const result = readModalAnswers(data, sent, { ignoreCustomId: true })
  if (result.ok) return result
  const issues = result.invalid.map(({ customId, reason }) =>
    createIssue([customId], reason === 'missing' ? 'required' : 'invalid_value', `no valid answer: ${reason}`),
  )
  const missing = createIssue(['components'], 'required', 'required: pass the data of the interaction')
  throw new ComponentError('the answers', issues.length > 0 ? issues : [missing])
}
