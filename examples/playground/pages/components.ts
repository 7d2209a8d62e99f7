import { formatPath } from 'rapport-sdk'
import { validateMessage, validateModal } from 'rapport-sdk/components'
import { lintMessage, lintModal } from 'rapport-sdk/components/lint'
import { createCodePanel } from '../code/code-panel'
import { componentCode } from '../code/component-code'
import { hasSecret } from '../journal/redaction'
import type { Page } from '../playground'
import { createCard } from '../ui/card'
import { button, h, uniqueId } from '../ui/element'
import type { PageState, Router } from '../ui/router'
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

/** An editor for the JSON of messages and modals, with validation, a preview and the code that builds it. */
export function createComponentsPage(router: Router): Page {
  const codeNote = h('p', { class: 'note', role: 'status' })
  const summary = h('p', { class: 'note', role: 'status' })
  const list = h('ul', { class: 'issues', id: uniqueId() })
  const preview = createPreview()
  let code = ''
  const panel = createCodePanel(router, 'components/code', [{ name: 'code', title: 'Build it', code: () => code }])
  const render = () => {
    const { value, findings } = validate(editor.text)
    const errors = findings.filter(({ severity }) => severity === 'error')
    editor.mark(errors.map(({ range }) => range))
    list.replaceChildren(...findings.map(row))
    summary.textContent = errors.length === 0 ? 'No errors' : `Errors: ${errors.length}`
    summary.dataset.tone = errors.length === 0 ? 'good' : 'bad'
    panel.element.classList.toggle('stale', value === undefined)
    if (value === undefined) {
      const line = lineOf(editor.text, findings[0]?.range.start ?? 0)
      const what = code === '' ? 'There is nothing to show.' : 'This is of the last valid JSON.'
      codeNote.textContent = `The JSON is broken from line ${line} on. ${what}`
      panel.refresh()
      return preview.markStale(codeNote.textContent)
    }
    codeNote.textContent = ''
    preview.show(value)
    code = codeOf(value)
    panel.refresh()
  }
  const originals = SAMPLES.map(({ value }) => JSON.stringify(value, null, 2))
  const editor = createJsonEditor('JSON', list.id, render)
  let isOpen = false
  const row = ({ range, path, message, severity }: Finding) => {
    const go = button('', () => editor.goTo(range), { class: `issue ${severity}` })
    go.append(
      h('span', { class: 'line' }, `Line ${lineOf(editor.text, range.start)}`),
      h('span', { class: 'message' }, message),
      ...(path === '' ? [] : [h('code', {}, path)]),
    )
    return h('li', {}, go)
  }
  /** Shows a text, and which example it began with, if that is known. */
  const show = (next: number, text = originals[next] ?? '') => {
    isOpen = true
    editor.text = text
    code = ''
    preview.show([])
    for (const [at, link] of links.entries()) {
      if (at === next) link.setAttribute('aria-current', 'true')
      else link.removeAttribute('aria-current')
    }
    render()
  }
  const links = SAMPLES.map(({ name, title }, at) => {
    // Otherwise the change of the URL shows it.
    const load = () => {
      if (location.hash === `#components/${name}`) show(at)
    }
    return h('a', { href: `#components/${name}`, onclick: load }, title)
  })
  const element = h(
    'div',
    { class: 'page' },
    h('nav', { class: 'samples', 'aria-label': 'Examples' }, ...links),
    h(
      'div',
      { class: 'columns three' },
      createCard(router, 'components/json', {
        title: 'Components',
        intro: 'Edit the JSON of a message or a modal.',
        controls: [editor.element, summary, list],
      }),
      createCard(router, 'components/preview', {
        title: 'Preview',
        intro: 'What toHtml of rapport-sdk/preview returns.',
        controls: [preview.element],
      }),
      createCard(router, 'components/code', {
        title: 'Code',
        intro: 'Returns the same JSON. Invalid structures do not compile.',
        controls: [codeNote, panel.element],
      }),
    ),
  )
  /** Returns the index of the example that a route names, or -1. */
  const exampleOf = (route: string) => SAMPLES.findIndex(({ name }) => route === `components/${name}`)
  const state: PageState = {
    save(route) {
      const { text } = editor
      if (text === originals[Math.max(0, exampleOf(route))] || hasSecret(text)) return []
      const short = withoutSpaces(text)
      return text.includes('\n') && withSpaces(short) === text ? [['json', short]] : [['text', text]]
    },
    restore(route, state) {
      const at = exampleOf(route)
      const [json, text] = [state.get('json'), state.get('text')]
      if (text !== null || json !== null) show(at, text ?? withSpaces(json ?? ''))
      else if (at >= 0 || !isOpen) show(Math.max(0, at))
    },
  }
  return { name: 'components', title: 'Components', element, state }
}

/** Returns a JSON text in its shortest form, or as it is if it is broken. */
const withoutSpaces = (text: string): string => reformat(text)
/** Returns a JSON text as the editor shows an example, or as it is if it is broken. */
const withSpaces = (text: string): string => reformat(text, 2)

function reformat(text: string, indent?: number): string {
  try {
    return JSON.stringify(JSON.parse(text), null, indent)
  } catch {
    return text
  }
}

function codeOf(value: unknown): string {
  try {
    return componentCode(value)
  } catch {
    return '// Nested too deeply to show.\n'
  }
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
