import { formatPath } from 'rapport-sdk'
import { validateMessage, validateModal } from 'rapport-sdk/components'
import { button, card, h, newId } from './element'
import { field } from './field'
import { createJsonEditor } from './json-editor'
import { lineOf, type Place, placeOf, placeOfMistake } from './json-places'
import { createPreview } from './preview'
import { SAMPLES } from './samples'

/** Something that is wrong with the text, and where. */
interface Finding {
  readonly place: Place
  readonly path: string
  readonly message: string
  readonly severity: 'error' | 'warning'
}

/** An editor for the JSON of messages and modals, with what is wrong at its place and a preview. */
export function createComponents(): HTMLElement {
  const summary = h('p', { class: 'note', role: 'status' })
  const list = h('ul', { class: 'issues', id: newId() })
  const preview = createPreview()
  const render = () => {
    const { value, findings } = read(editor.text)
    const errors = findings.filter(({ severity }) => severity === 'error')
    editor.mark(errors.map(({ place }) => place))
    list.replaceChildren(...findings.map(row))
    summary.textContent = errors.length === 0 ? 'It fits the interface.' : `${errors.length} to mend:`
    summary.dataset.tone = errors.length === 0 ? 'good' : 'bad'
    if (value === undefined) preview.growOld()
    else preview.show(value)
  }
  const editor = createJsonEditor('JSON', list.id, render)
  const row = ({ place, path, message, severity }: Finding) => {
    const go = button('', () => editor.goTo(place), { class: `issue ${severity}` })
    go.append(
      h('span', { class: 'line' }, `Line ${lineOf(editor.text, place.start)}`),
      h('span', { class: 'message' }, message),
      ...(path === '' ? [] : [h('code', {}, path)]),
    )
    return h('li', {}, go)
  }
  const names = Object.keys(SAMPLES)
  const take = () => {
    editor.text = JSON.stringify(SAMPLES[sample.value], null, 2)
    render()
  }
  const sample = h('select', { onchange: take }, ...names.map((name) => h('option', {}, name)))
  take()
  return h(
    'div',
    { class: 'columns' },
    card('Write components', field('Start with', sample).element, editor.element, summary, list),
    card('Preview', preview.element),
  )
}

/** What a text says and what is wrong with it. What has a title is a modal, anything else a message. */
function read(text: string): { value?: unknown; findings: readonly Finding[] } {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    const message = 'From here on it is no JSON'
    return { findings: [{ place: placeOfMistake(text), path: '', message, severity: 'error' }] }
  }
  const isModal = typeof value === 'object' && value !== null && 'title' in value
  const result = isModal ? validateModal(value) : validateMessage(value)
  const issues = result.ok ? result.warnings : result.issues
  const findings = issues.map(({ path, message, severity }) => {
    return { place: placeOf(text, path), path: formatPath(path), message, severity }
  })
  return { value, findings }
}
