// The script of the site's pages: the search, and the menu. TypeDoc's script opens and closes the dialog of the search and
// moves the selection through its results; it has no index of its own here.
import type MiniSearch from 'minisearch'
import { type Found, find, readIndex } from './find'

/** Maximum number of results. */
const MAX_RESULTS = 12

function element(id: string): HTMLElement {
  const found = document.getElementById(id)
  if (!found) throw new Error(`The page has no #${id}.`)
  return found
}

const root = document.documentElement
const dialog = element('tsd-search')
const input = element('tsd-search-input')
const results = element('tsd-search-results')
const status = element('tsd-search-status')
const { base = './' } = root.dataset

let loading: Promise<void> | undefined
let index: MiniSearch | undefined

/** Loads the index, as a script, because pages of `file:` cannot fetch. */
async function loadIndex(): Promise<void> {
  await new Promise((resolve, reject) => {
    const script = document.createElement('script')
    script.src = `${base}assets/search-index.js`
    script.onload = resolve
    script.onerror = reject
    document.head.append(script)
  })
  const bytes = Uint8Array.from(atob(Reflect.get(window, 'rapportSearch')), (character) => character.charCodeAt(0))
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate'))
  index = readIndex(await new Response(stream).json())
  showResults()
}

function load(): void {
  loading ??= loadIndex().catch(() => {
    loading = undefined
    status.textContent = 'The search does not load.'
  })
}

function span(className: string, text: string): HTMLElement {
  const created = document.createElement('span')
  created.className = className
  created.textContent = text
  return created
}

function resultOf({ title, url, where, about, kind }: Found, at: number): HTMLElement {
  const link = document.createElement('a')
  link.id = `site-result-${at}`
  link.href = base + url
  link.tabIndex = -1
  link.role = 'option'
  link.ariaSelected = 'false'
  link.append(
    span(kind === 'guide' ? 'site-title' : 'site-title site-code', title),
    span('site-where', where),
    span('site-about', about),
  )
  return link
}

function searched(): string {
  return input instanceof HTMLInputElement ? input.value.trim() : ''
}

function showResults(): void {
  const search = searched()
  const found = index && find(index, search)
  results.replaceChildren(...(found?.slice(0, MAX_RESULTS).map(resultOf) ?? []))
  input.setAttribute('aria-activedescendant', '')
  if (search === '') status.textContent = ''
  else if (found === undefined) status.textContent = 'Loading…'
  else if (found.length === 0) status.textContent = `Nothing found for “${search}”. Try fewer or other words.`
  else status.textContent = found.length === 1 ? '1 result' : `${found.length} results`
}

element('tsd-search-trigger').addEventListener('pointerenter', load)
input.addEventListener('focus', load)
input.addEventListener('input', showResults)
// Enter opens the result that an arrow key has selected, or else the first one.
input.addEventListener('keydown', ({ key, isComposing }) => {
  if (key !== 'Enter' || isComposing) return
  const selected = document.getElementById(input.getAttribute('aria-activedescendant') ?? '')
  loading?.then(() => (selected ?? results.querySelector('a'))?.click())
})
// A result on the same page loads no page, which would close the search.
results.addEventListener('click', ({ ctrlKey, metaKey }) => {
  if (!ctrlKey && !metaKey) dialog.dispatchEvent(new Event('cancel'))
})

/** Shows pictures in the theme that the page is switched to: a `media` attribute knows only that of the system. */
function showPictures(): void {
  const { theme } = root.dataset
  for (const source of document.querySelectorAll<HTMLSourceElement>('picture > source')) {
    source.dataset.media ??= source.media
    if (theme === 'light' || theme === 'dark') source.media = source.dataset.media.includes(theme) ? 'all' : 'not all'
    else source.media = source.dataset.media
  }
}
showPictures()
new MutationObserver(showPictures).observe(root, { attributeFilter: ['data-theme'] })

/** Scrolls the menu to the open page. */
function showPlace(): void {
  const here = document.querySelector('.site-navigation [aria-current]')
  if (!here) return
  for (const menu of document.querySelectorAll('.site-menu, .col-sidebar'))
    menu.scrollTop += here.getBoundingClientRect().top - menu.getBoundingClientRect().top - menu.clientHeight / 3
}
showPlace()

// On a narrow page, a button opens the menu.
const menuTrigger = element('site-menu-trigger')
const isOpen = (): boolean => root.classList.contains('has-menu')
function openMenu(open: boolean): void {
  root.classList.toggle('has-menu', open)
  menuTrigger.ariaExpanded = String(open)
  if (!open) return
  showPlace()
  const menu = document.querySelector('.site-navigation')
  const first = menu?.querySelector<HTMLElement>('[aria-current]') ?? menu?.querySelector('summary')
  first?.focus({ preventScroll: true })
}
document.addEventListener('click', ({ target }) => {
  if (!(target instanceof Element)) return
  if (menuTrigger.contains(target)) openMenu(!isOpen())
  else if (isOpen() && (!target.closest('.col-sidebar') || target.closest('a'))) openMenu(false)
})
document.addEventListener('keydown', ({ key }) => {
  if (key !== 'Escape' || !isOpen()) return
  openMenu(false)
  menuTrigger.focus()
})
