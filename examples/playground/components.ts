import { formatPath } from 'rapport-sdk'
import { validateMessage, validateModal } from 'rapport-sdk/components'
import { lintMessage, lintModal } from 'rapport-sdk/components/lint'
import { button, card, h, uniqueId } from './element'
import { field } from './field'
import { createJsonEditor } from './json-editor'
import { lineOf, rangeOf, syntaxErrorRange, type TextRange } from './json-ranges'
import { createPreview } from './preview'
import { SAMPLES } from './samples'

/** An error or warning, and its place in the text. */
interface Finding {
  readonly range: TextRange
  readonly path: string
  readonly message: string
  readonly severity: 'error' | 'warning'
}

/** An editor for the JSON of messages and modals, with validation and a preview. */
export function createComponents(): HTMLElement {
  const summary = h('p', { class: 'note', role: 'status' })
  const list = h('ul', { class: 'issues', id: uniqueId() })
  const preview = createPreview()
  const render = () => {
    const { value, findings } = validate(editor.text)
    const errors = findings.filter(({ severity }) => severity === 'error')
    editor.mark(errors.map(({ range }) => range))
    list.replaceChildren(...findings.map(row))
    summary.textContent = errors.length === 0 ? 'No errors' : `Errors: ${errors.length}`
    summary.dataset.tone = errors.length === 0 ? 'good' : 'bad'
    if (value === undefined) preview.markStale()
    else preview.show(value)
  }
  const editor = createJsonEditor('JSON', list.id, render)
  const row = ({ range, path, message, severity }: Finding) => {
    const go = button('', () => editor.goTo(range), { class: `issue ${severity}` })
    go.append(
      h('span', { class: 'line' }, `Line ${lineOf(editor.text, range.start)}`),
      h('span', { class: 'message' }, message),
      ...(path === '' ? [] : [h('code', {}, path)]),
    )
    return h('li', {}, go)
  }
  const names = Object.keys(SAMPLES)
  const loadSample = () => {
    editor.text = JSON.stringify(SAMPLES[sample.value], null, 2)
    render()
  }
  const sample = h('select', { onchange: loadSample }, ...names.map((name) => h('option', {}, name)))
  loadSample()
  return h(
    'div',
    { class: 'columns' },
    card('Edit components', field('Sample', sample).element, editor.element, summary, list),
    card('Preview', preview.element),
  )
}

/** Parses and validates a text. A value with a title is validated as a modal, any other value as a message. */
function validate(text: string): { value?: unknown; findings: readonly Finding[] } {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    const message = 'Invalid JSON from here on'
    return { findings: [{ range: syntaxErrorRange(text), path: '', message, severity: 'error' }] }
  }
  const isModal = typeof value === 'object' && value !== null && 'title' in value
  const result = isModal ? validateModal(value) : validateMessage(value)
  const issues = [...(result.ok ? [] : result.issues), ...(isModal ? lintModal(value) : lintMessage(value))]
  const findings = issues.map(({ path, message, severity }) => {
    return { range: rangeOf(text, path), path: formatPath(path), message, severity }
  })
  return { value, findings }
}
