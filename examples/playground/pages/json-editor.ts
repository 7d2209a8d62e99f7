import { h, uniqueId } from '../ui/element'
import { lineOf, type TextRange } from './json-ranges'

/** A text area with line numbers, in which lines with errors are marked. */
export interface JsonEditor {
  readonly element: HTMLElement
  text: string
  /** Marks the lines of text ranges. */
  mark(ranges: readonly TextRange[]): void
  /** Selects a range and scrolls it into view. */
  goTo(range: TextRange): void
}

export function createJsonEditor(label: string, descriptionId: string, onChange: () => void): JsonEditor {
  const id = uniqueId()
  const numbers = h('div', { class: 'numbers' })
  const gutter = h('div', { class: 'gutter', 'aria-hidden': 'true' }, numbers)
  const area = h('textarea', {
    id,
    class: 'json',
    spellcheck: 'false',
    autocapitalize: 'off',
    autocomplete: 'off',
    wrap: 'off',
    'aria-describedby': descriptionId,
    oninput: () => onChange(),
    onscroll: () => {
      numbers.style.translate = `0 ${-area.scrollTop}px`
    },
  })
  const lineHeight = () => Number.parseFloat(getComputedStyle(area).lineHeight)
  return {
    element: h('div', { class: 'field' }, h('label', { for: id }, label), h('div', { class: 'editor' }, gutter, area)),
    get text() {
      return area.value
    },
    set text(text) {
      area.value = text
      area.scrollTop = 0
      area.scrollLeft = 0
    },
    mark(ranges) {
      const marked = new Set(ranges.map(({ start }) => lineOf(area.value, start)))
      const lines = area.value.split('\n').map((_, index) => {
        const line = h('span', {}, String(index + 1))
        line.classList.toggle('marked', marked.has(index + 1))
        return line
      })
      numbers.replaceChildren(...lines)
      if (marked.size > 0) area.setAttribute('aria-invalid', 'true')
      else area.removeAttribute('aria-invalid')
    },
    goTo({ start, end }) {
      area.focus()
      area.setSelectionRange(start, end)
      area.scrollTop = Math.max(0, (lineOf(area.value, start) - 4) * lineHeight())
      area.scrollLeft = 0
    },
  }
}
