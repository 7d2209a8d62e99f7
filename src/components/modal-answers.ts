import { ComponentError } from '../errors/client-errors'
import { createIssue } from '../internal/issue'
import type { Modal, ModalInput } from './messages'
import { isObject, unsafeCast } from './plain-object'
import type { Nothing } from './type-errors'
import { walk } from './walk'

/** Uploaded file, as the service describes it; its fields are a convention. Interface, "File Upload". */
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

/** Those of them that are certainly in the modal. */
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

const EMPTY = new Map<number, ModalAnswer>([
  [4, ''],
  [21, null],
  [23, false],
])

const isStrings = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'string')

/**
 * Returns the answers to a modal, typed by the modal that was sent. Controls without an answer have an empty one: `''`,
 * `false`, `null` or an empty array. The interface document only shows that the interaction has the `custom_id`; that
 * the components of its `data` have a `value` or `values`, and `resolved.attachments` the files by ID, is a convention.
 * Interface, "Common component fields".
 *
 * @param data `data` of the interaction.
 * @param sent Modal that was sent, as `modal` returned it.
 * @throws ComponentError if the data are not of a modal, or an answer has another type than its control.
 *
 * @example
 * import { checkbox, label, modal, readModalAnswers, textInput } from 'rapport-sdk/components'
 *
 * const feedback = modal('feedback', 'Feedback', label('Text', textInput.paragraph('text')), label('Public', checkbox('ok')))
 * const data = { components: [{ type: 18, component: { type: 4, custom_id: 'text', value: 'Good' } }] }
 * const { text, ok } = readModalAnswers(data, feedback)
 */
export function readModalAnswers<Sent extends ModalInput>(data: unknown, sent: Sent): ModalAnswers<Sent> {
  const resolved = isObject(data) && isObject(data.resolved) ? data.resolved.attachments : undefined
  const submitted = new Map(
    walk(unsafeCast(data)).map(({ component, path }) => {
      const { custom_id, value, values } = unsafeCast<Readonly<Record<string, unknown>>>(component)
      return [custom_id, { answer: values ?? value, path }]
    }),
  )
  const answers: [customId: string, answer: unknown][] = []
  for (const { component } of walk(sent)) {
    const { custom_id, type } = unsafeCast<{ readonly custom_id?: string; readonly type: number }>(component)
    if (custom_id === undefined) continue
    const empty = EMPTY.has(type) ? EMPTY.get(type) : []
    const { answer = empty, path = [] } = submitted.get(custom_id) ?? {}
    const isValid = Array.isArray(empty)
      ? isStrings(answer)
      : typeof answer === typeof (empty ?? '') || answer === empty
    if (!isValid) {
      throw new ComponentError('the answers', [createIssue(path, 'invalid_type', `not an answer to ${custom_id}`)])
    }
    const toFile = (id: string) => ({ ...(isObject(resolved) && Object(resolved[id])), id })
    answers.push([custom_id, type === 19 && isStrings(answer) ? answer.map(toFile) : answer])
  }
  return unsafeCast(Object.fromEntries(answers))
}
