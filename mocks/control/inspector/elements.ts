/** A section of the page with a list. */
export interface Section {
  readonly list: HTMLElement
  readonly count: HTMLElement
}

type Props = Readonly<Record<string, string | boolean | ((event: Event) => unknown) | undefined>>
type Basics = ReturnType<typeof createBasics>

export type Elements = Basics & ReturnType<typeof createControls> & ReturnType<typeof createLists>

// The page contains the text of these functions, so they must not use anything outside of them but types.

/** Creates elements. Everything from the service is shown as text, never as HTML. */
export function createBasics() {
  // The page has these elements.
  const byId = <T extends HTMLElement = HTMLElement>(id: string) => document.getElementById(id) as T

  /** Creates an element; functions are event listeners. */
  function element<Tag extends keyof HTMLElementTagNameMap>(
    tag: Tag,
    props: Props = {},
    ...children: (Node | string | undefined)[]
  ): HTMLElementTagNameMap[Tag] {
    const created = document.createElement(tag)
    for (const [name, value] of Object.entries(props)) {
      if (typeof value === 'function') created.addEventListener(name, value)
      else if (value !== undefined && value !== false) created.setAttribute(name, value === true ? '' : value)
    }
    created.append(...children.filter((child) => child !== undefined))
    return created
  }

  const bar = (...children: (Node | string | undefined)[]) => element('div', { class: 'bar' }, ...children)
  const strong = (text: string) => element('strong', {}, text)
  const status = (text: string, isGood: boolean) => element('span', { class: isGood ? 'good' : 'bad' }, text)
  /** Creates a line of parts with spaces between them. */
  const line = (...parts: (Node | string)[]) => element('div', {}, ...parts.flatMap((part) => [part, ' ']))
  const muted = (text: string) => element('span', { class: 'muted' }, text)
  const code = (text: string) => element('code', {}, text)
  const timeOf = (at: string) => element('time', { datetime: at, title: at, class: 'muted' }, at.slice(11, 19))
  const json = (value: unknown) => element('pre', { tabindex: '0' }, JSON.stringify(value, null, 2))

  return { byId, element, bar, strong, status, line, muted, code, timeOf, json }
}

/** Creates buttons and forms, and shows the errors of what they do. */
export function createControls({ byId, element }: Basics) {
  const [errorBox, errorText] = [byId('error'), byId('error-text')]

  function show(error: unknown): void {
    errorText.textContent = error instanceof Error ? error.message : String(error)
    errorBox.hidden = false
  }

  const dismiss = () => errorBox.toggleAttribute('hidden', true)

  function run(action: () => Promise<unknown>): void {
    dismiss()
    action().catch(show)
  }

  const button = (text: string, action: () => Promise<unknown>, label?: string) =>
    element('button', { type: 'button', 'aria-label': label, click: () => run(action) }, text)

  async function writeClipboard(text: string): Promise<void> {
    // Absent on pages without TLS, except those of this machine.
    const clipboard = navigator.clipboard as Clipboard | undefined
    if (clipboard !== undefined) return await clipboard.writeText(text)
    const area = element('textarea', {})
    area.value = text
    document.body.append(area)
    area.select()
    document.execCommand('copy')
    area.remove()
  }

  function copyButton(read: () => string | Promise<string>, label: string, text = 'Copy'): HTMLElement {
    const copy = button(
      text,
      async () => {
        await writeClipboard(await read())
        copy.focus()
        copy.textContent = 'Copied'
        setTimeout(() => copy.replaceChildren(text), 1500)
      },
      label,
    )
    return copy
  }

  /** Creates a form that sends its fields; the ones left empty are absent. */
  function form(
    name: string,
    fields: readonly HTMLElement[],
    submit: string,
    send: (values: FormData) => Promise<unknown>,
  ) {
    const created = element('form', { class: 'bar', 'aria-label': name }, ...fields, element('button', {}, submit))
    created.addEventListener('submit', (event) => {
      event.preventDefault()
      run(async () => {
        await send(new FormData(created))
        created.reset()
      })
    })
    return created
  }

  const field = (name: string, label: string, props: Props = {}) =>
    element('label', {}, label, element('input', { name, autocomplete: 'off', ...props }))

  /** Creates a select of the values that occur, with a first option for all of them. */
  function choice(label: string, change: () => void) {
    const select = element('select', { change, 'aria-label': `${label} of the requests` })
    return {
      label: element('label', {}, label, select),
      get value() {
        return select.value
      },
      offer(values: Iterable<string>, nameOf = (value: string) => value): void {
        const { value } = select
        const all = ['', ...new Set(value === '' ? values : [value, ...values])]
        const names = new Map(all.map((one) => [one, one === '' ? 'all' : nameOf(one)]))
        const sorted = all.sort((one, other) => (names.get(one) ?? '').localeCompare(names.get(other) ?? ''))
        const options = sorted.map((one) => element('option', { value: one }, names.get(one)))
        if (select.textContent === options.map((option) => option.textContent).join('')) return
        select.replaceChildren(...options.sort((one, other) => Number(one.value !== '') - Number(other.value !== '')))
        select.value = value
      },
      clear: () => void select.replaceChildren(),
    }
  }

  document.getElementById('dismiss')?.addEventListener('click', dismiss)

  return { show, dismiss, button, copyButton, form, field, choice }
}

/** Creates sections with lists, and fills them. */
export function createLists({ byId, element, bar }: Basics) {
  const [main, sections] = [byId('main'), byId('sections')]

  /** Creates a section in the column of what happens or of what is. */
  function section(
    column: 'traffic' | 'state',
    id: string,
    title: string,
    controls: readonly HTMLElement[],
    more: readonly HTMLElement[] = [],
  ): Section {
    const list = element('ul', { class: 'list', tabindex: '0', 'aria-labelledby': `${id}-title` })
    list.append(element('li', { class: 'empty' }, 'Loading…'))
    const count = element('span', { class: 'muted' })
    const heading = element('h2', { id: `${id}-title` }, title, ' ')
    const head = bar(heading, count, element('span', { class: 'space' }), ...controls)
    byId(column).append(element('section', { id, 'aria-labelledby': `${id}-title` }, head, ...more, list))
    sections.append(element('li', {}, element('a', { href: `#${id}` }, title)))
    return { list, count }
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

  function fill(
    { list, count }: Section,
    entries: readonly HTMLElement[],
    empty: string,
    total = entries.length,
  ): void {
    replace(list, entries.length > 0 ? entries : [element('li', { class: 'empty' }, empty)])
    count.textContent =
      total > entries.length ? `${entries.length} of ${number(total)}` : total > 0 ? number(total) : ''
  }

  const number = (value: number) => value.toLocaleString('en')

  /** Shows rows without moving those that are shown, so that they keep focus and selection; their order never changes. */
  function update({ list }: Section, rows: readonly HTMLElement[]): void {
    const kept = new Set<Element>(rows)
    for (const child of [...list.children]) if (!kept.has(child)) child.remove()
    for (const [index, row] of rows.entries()) {
      const next = list.children[index]
      if (next === undefined || !next.isSameNode(row)) list.insertBefore(row, next ?? null)
    }
  }

  /** Returns a function that loads a section, and shows in it why this fails. */
  const loader = (section: Section, load: () => Promise<void>) => async (): Promise<void> => {
    try {
      await load()
    } catch (error) {
      // Without an answer, the header says so, and the page keeps what it has.
      if (Object(error).status === 0) return
      fill(section, [], `Could not be loaded: ${error instanceof Error ? error.message : error}`)
    }
  }

  return { main, sections, section, replace, fill, update, loader, number }
}
