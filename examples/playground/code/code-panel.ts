import { h } from '../ui/element'
import type { Router } from '../ui/router'
import { highlight } from './highlight'

/** Code of an action. */
export interface Snippet {
  /** Last part of its route. */
  readonly name: string
  readonly title: string
  /** Returns the code with the current values of the form. */
  code(): string
  /** Returns what is copied, if that is more than the code: a module that runs by itself. */
  module?(): string
}

/** A panel that shows the code of actions, one at a time, ready to copy. */
export interface CodePanel {
  readonly element: HTMLElement
  /** Shows the code of an action. */
  show(name: string): void
  /** Shows the code with the current values. */
  refresh(): void
}

/** Creates a panel. The code of each action has a route: that of the card, followed by the name of the action. */
export function createCodePanel(router: Router, route: string, snippets: readonly Snippet[]): CodePanel {
  let shown = snippets[0]
  const code = h('code')
  const block = h('pre', { tabindex: '0', role: 'group' }, code)
  const links = snippets.map(({ name, title }) => h('a', { href: `#${route}/${name}` }, title))
  const head = snippets.length > 1 ? h('div', { class: 'code-choice' }, ...links) : h('span', {}, 'TypeScript')
  const refresh = (): void => {
    if (shown === undefined) return
    const text = shown.code()
    if (code.textContent !== text) code.replaceChildren(...highlight(text))
    block.setAttribute('aria-label', `Code: ${shown.title}`)
    for (const [at, link] of links.entries()) {
      if (snippets[at] === shown) link.setAttribute('aria-current', 'true')
      else link.removeAttribute('aria-current')
    }
  }
  const show = (name: string): void => {
    shown = snippets.find((each) => each.name === name) ?? shown
    refresh()
  }
  const element = h(
    'div',
    { class: 'code-panel' },
    h(
      'div',
      { class: 'code-head' },
      head,
      createCopyButton(
        snippets.some((each) => each.module) ? 'Copy with setup' : 'Copy',
        () => shown?.module?.() ?? code.textContent ?? '',
        block,
      ),
    ),
    block,
  )
  if (snippets.length > 1) {
    for (const [at, { name }] of snippets.entries()) {
      router.on(`${route}/${name}`, () => {
        show(name)
        // A click on its link does not move the page.
        if (links[at] === document.activeElement) return
        const card = element.closest('.card') ?? element
        card.scrollIntoView({ block: 'start' })
        links[at]?.focus({ preventScroll: true })
      })
    }
  }
  refresh()
  return { element, show, refresh }
}

/** Time for which the button says that the code was copied. */
const COPIED_MS = 2000

/** Creates a button that copies a text, or selects it in `block` if the browser refuses. */
function createCopyButton(label: string, text: () => string, block: HTMLElement): HTMLButtonElement {
  const element = h('button', { type: 'button', class: 'copy', 'aria-live': 'polite' }, label)
  let timer: ReturnType<typeof setTimeout> | undefined
  const say = (words: string) => {
    element.textContent = words
    clearTimeout(timer)
    timer = setTimeout(() => {
      element.textContent = label
    }, COPIED_MS)
  }
  element.addEventListener('click', async () => {
    try {
      await navigator.clipboard.writeText(text())
      say('Copied')
    } catch {
      getSelection()?.selectAllChildren(block)
      say('Selected')
    }
  })
  return element
}
