// Elements, actions and lists of the inspector. The page contains the text of these functions, so they must not use anything
// outside of them but types.
import type { Connection } from './connection'

type Props = Readonly<Record<string, string | boolean | ((event: Event) => unknown) | undefined>>
type Child = Node | string | undefined

export type Actions = ReturnType<typeof createActions>
export type Elements = ReturnType<typeof createElements> & ReturnType<typeof createLists>

/**
 * Makes the calls of buttons and forms: `data-call` is their method and path, `data-body` the body of a button. Shows the
 * errors of what they do.
 * @param onDone called after each of them.
 */
export function createActions(connection: Connection, onDone: () => Promise<unknown>) {
  const [box, text] = [document.getElementById('error'), document.getElementById('error-text')]
  const dismiss = () => box?.toggleAttribute('hidden', true)

  function show(error: unknown): void {
    if (text !== null) text.textContent = error instanceof Error ? error.message : String(error)
    box?.toggleAttribute('hidden', false)
  }

  function run(action: () => Promise<unknown>): void {
    dismiss()
    action().catch(show)
  }

  /** Makes calls, separated by commas, and reads the name of a record in the path from the values. */
  async function make(calls: string, { name, ...values }: Record<string, unknown>): Promise<void> {
    for (const call of calls.split(', ')) {
      const [method = '', path = ''] = call.replace('{name}', encodeURIComponent(String(name))).split(' ')
      await connection.call(method, path, Object.keys(values).length > 0 ? values : undefined)
    }
    await onDone()
  }

  /** Returns the fields of a form; the ones left empty are absent. */
  function valuesOf(form: HTMLFormElement): Record<string, unknown> {
    const inputs = [...form.querySelectorAll<HTMLInputElement>('[name]')]
    const filled = inputs.filter(({ type, checked, value }) => (type === 'checkbox' ? checked : value !== ''))
    const read = ({ type, value }: HTMLInputElement) =>
      type === 'checkbox' ? [value] : type === 'number' ? Number(value) : value
    return Object.fromEntries(filled.map((input) => [input.name, read(input)]))
  }

  document.addEventListener('click', ({ target }) => {
    const button = target instanceof Element ? target.closest('button') : null
    const { call, body = '{}', confirm: question } = button?.dataset ?? {}
    if (button?.id === 'dismiss') dismiss()
    if (call !== undefined && (question === undefined || confirm(question))) run(() => make(call, JSON.parse(body)))
  })
  document.addEventListener('submit', (event) => {
    event.preventDefault()
    const form = event.target
    const { call, body = '{}' } = form instanceof HTMLFormElement ? form.dataset : {}
    if (!(form instanceof HTMLFormElement) || call === undefined) return
    run(async () => {
      await make(call, { ...JSON.parse(body), ...valuesOf(form) })
      form.reset()
    })
  })
  return { show, dismiss, run }
}

/** Creates elements. Everything from the service is shown as text, never as HTML. */
export function createElements({ run }: Actions) {
  // The page has these elements.
  const byId = <T extends HTMLElement = HTMLElement>(id: string) => document.getElementById(id) as T

  /** Creates an element; functions are event listeners. */
  function element<Tag extends keyof HTMLElementTagNameMap>(
    tag: Tag,
    props: Props = {},
    ...children: Child[]
  ): HTMLElementTagNameMap[Tag] {
    const created = document.createElement(tag)
    for (const [name, value] of Object.entries(props)) {
      if (typeof value === 'function') created.addEventListener(name, value)
      else if (value !== undefined && value !== false) created.setAttribute(name, value === true ? '' : value)
    }
    created.append(...children.filter((child) => child !== undefined))
    return created
  }

  const bar = (...children: Child[]) => element('div', { class: 'bar' }, ...children)
  const strong = (text: string) => element('strong', {}, text)
  const status = (text: string, isGood: boolean) => element('span', { class: isGood ? 'good' : 'bad' }, text)
  /** Creates a line of parts with spaces between them. */
  const line = (...parts: (Node | string)[]) => element('div', {}, ...parts.flatMap((part) => [part, ' ']))
  const muted = (text: string) => element('span', { class: 'muted' }, text)
  const code = (text: string) => element('code', {}, text)
  const timeOf = (at: string) => element('time', { datetime: at, title: at, class: 'muted' }, at.slice(11, 19))
  const number = (value: number) => value.toLocaleString('en')

  /** Creates a button that makes a call. */
  const button = (text: string, call: string, label?: string, body: object = {}) => {
    const data = { 'data-call': call, 'data-body': JSON.stringify(body) }
    return element('button', { type: 'button', 'aria-label': label, ...data }, text)
  }

  async function writeClipboard(text: string): Promise<void> {
    // Absent on pages without TLS, except those of this machine.
    const clipboard = navigator.clipboard as Clipboard | undefined
    if (clipboard !== undefined) return await clipboard.writeText(text)
    const area = element('textarea', {}, text)
    document.body.append(area)
    area.select()
    document.execCommand('copy')
    area.remove()
  }

  function copyButton(read: () => string | Promise<string>, label: string, text = 'Copy'): HTMLElement {
    const copy = async () => {
      await writeClipboard(await read())
      created.focus()
      created.textContent = 'Copied'
      setTimeout(() => created.replaceChildren(text), 1500)
    }
    const created = element('button', { type: 'button', 'aria-label': label, click: () => run(copy) }, text)
    return created
  }

  return { byId, element, bar, strong, status, line, muted, code, timeOf, number, button, copyButton }
}

/** Fills the lists of sections. */
export function createLists({ byId, element, number }: ReturnType<typeof createElements>) {
  /** Returns the part of a section that a selector finds; by default its list. */
  const part = (id: string, selector = 'ul') => byId(id).querySelector<HTMLElement>(selector) ?? byId(id)

  function setCount(id: string, text: string): void {
    part(id, 'h2 + span').textContent = text
  }

  /** Replaces the children of a container. A focused button in it is followed: its row is found by `data-key`. */
  function replace(container: HTMLElement, children: readonly HTMLElement[]): void {
    const focused = document.activeElement
    const row = focused?.closest<HTMLElement>('[data-key]')
    const buttonsIn = (parent?: Element) => [...(parent ?? container).querySelectorAll<HTMLElement>('button')]
    const index = buttonsIn(row ?? container).findIndex((button) => button.isSameNode(focused))
    const hadFocus = focused !== container && container.contains(focused)
    container.replaceChildren(...children)
    if (!hadFocus || index < 0) return
    const sameRow = children.find((child) => child.dataset.key === row?.dataset.key)
    const candidates = sameRow ? buttonsIn(sameRow) : []
    // A removed row has no button to follow.
    const next = candidates[index] ?? candidates.at(-1) ?? container
    next.focus({ preventScroll: true })
  }

  function fill(id: string, entries: readonly HTMLElement[], empty: string, total = entries.length): void {
    replace(part(id), entries.length > 0 ? entries : [element('li', { class: 'empty' }, empty)])
    setCount(id, total > entries.length ? `${entries.length} of ${number(total)}` : total > 0 ? number(total) : '')
  }

  /** Shows rows without moving those that are shown, so that they keep focus and selection; their order never changes. */
  function update(id: string, rows: readonly HTMLElement[]): void {
    const list = part(id)
    const kept = new Set<Element>(rows)
    for (const child of [...list.children]) if (!kept.has(child)) child.remove()
    for (const [index, row] of rows.entries()) {
      const next = list.children[index]
      if (next === undefined || !next.isSameNode(row)) list.insertBefore(row, next ?? null)
    }
  }

  /** Loads a section, and shows in it why this fails. */
  async function load(id: string, run: () => Promise<void>): Promise<void> {
    try {
      await run()
    } catch (error) {
      // Without an answer, the header says so, and the page keeps what it has.
      if (Object(error).status === 0) return
      fill(id, [], `Could not be loaded: ${error instanceof Error ? error.message : error}`)
    }
  }

  return { part, setCount, replace, fill, update, load }
}
