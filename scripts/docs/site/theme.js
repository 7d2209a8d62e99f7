// The theme of the documentation site: TypeDoc's own, with a toolbar, a menu in groups, and links to the pages next to each.
import { readdirSync, readFileSync } from 'node:fs'
import { DefaultTheme, DefaultThemeRenderContext, JSX, ReflectionKind } from 'typedoc'
import { firstSentences, keywordsIn, sectionsOf } from './markdown.ts'
import { NAVIGATION, PLAYGROUND, pagesOf } from './navigation.ts'
import { commentOf } from './rows.js'

const h = JSX.createElement
const { version } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'))

/** The page that a page belongs to in the menu: itself, or the entry that exports it. */
function menuPage(model) {
  let page = model
  while (!page.isProject() && !page.isDocument() && !page.kindOf(ReflectionKind.Module)) page = page.parent
  return page
}

/** Returns the Markdown of a page of the menu. */
export function markdownOf(page) {
  const parts = page.isProject() || page.kindOf(ReflectionKind.Module) ? page.readme : page.content
  return parts?.map(({ text }) => text).join('') ?? ''
}

const keywordsFolder = new URL('../../../docs/keywords/', import.meta.url)
/** The texts of `docs/keywords`, by the name of their page, which is their title. */
const keywords = new Map(
  readdirSync(keywordsFolder).map((file) => {
    const words = keywordsIn(readFileSync(new URL(file, keywordsFolder), 'utf8'))
    return [[...words.keys()][0], words]
  }),
)

/** Returns the keywords of a page of the menu and of its sections, by their headings. */
export const keywordsOf = (/** @type {string} */ page) => keywords.get(page) ?? new Map()

class SiteContext extends DefaultThemeRenderContext {
  sidebarLinks = () => null

  /** Returns the attributes of a link to a page of the menu. */
  linkTo({ reflection, name }) {
    const isHere = reflection === this.page.model
    return {
      href: reflection.isProject() ? this.relativeURL('index.html') : this.urlTo(reflection),
      class: /^rapport-sdk/.test(name) ? 'site-code' : undefined,
      'aria-current': isHere ? 'page' : reflection === menuPage(this.page.model) ? 'true' : undefined,
    }
  }

  toolbar = () =>
    h(
      'header',
      { class: 'tsd-page-toolbar' },
      h('a', { href: '#content', class: 'site-skip' }, 'Skip to the content'),
      h(
        'div',
        { class: 'tsd-toolbar-contents container' },
        h('a', { href: this.relativeURL('index.html'), class: 'title' }, 'Rapport'),
        h('a', { href: this.linkTo(this.theme.pageNamed('Changelog')).href, class: 'site-version' }, version),
        h('a', { href: this.relativeURL('playground/index.html'), class: 'site-playground' }, 'Playground'),
        h(
          'button',
          { id: 'tsd-search-trigger', type: 'button', 'aria-label': 'Search', 'aria-haspopup': 'dialog' },
          this.icons.search(),
          h('span', null, 'Search'),
          h('kbd', null, '/'),
        ),
        h(
          'dialog',
          { id: 'tsd-search', 'aria-label': 'Search' },
          h('input', {
            role: 'combobox',
            id: 'tsd-search-input',
            'aria-label': 'Search the documentation',
            'aria-controls': 'tsd-search-results',
            'aria-autocomplete': 'list',
            'aria-expanded': 'true',
            spellcheck: false,
            autocapitalize: 'off',
            autocomplete: 'off',
            placeholder: 'Search the documentation',
            maxLength: 100,
          }),
          h('div', { role: 'listbox', id: 'tsd-search-results', 'aria-label': 'Results' }),
          h('div', { id: 'tsd-search-status', 'aria-live': 'polite', 'aria-atomic': 'true' }),
        ),
        h(
          'button',
          { id: 'site-menu-trigger', type: 'button', 'aria-label': 'Menu', 'aria-expanded': 'false' },
          this.icons.menu(),
        ),
      ),
    )

  navigation = () => {
    const here = this.theme.pages.find(({ reflection }) => reflection === menuPage(this.page.model))
    const listOf = ({ pages, playground = [] }, depth) => [
      ...pages.map((page) =>
        typeof page === 'string'
          ? h('li', null, h('a', this.linkTo(this.theme.pageNamed(page)), page.replace(/^rapport-sdk\//, '')))
          : h('li', null, groupOf(page, 'site-subgroup', depth)),
      ),
      ...playground.map((route) => {
        const href = `${this.relativeURL('playground/index.html')}#${route}`
        return h('li', null, h('a', { href, class: 'site-try' }, `Playground: ${PLAYGROUND[route]}`))
      }),
    ]
    const groupOf = (group, kind, depth = 0) =>
      h(
        'details',
        { class: kind, open: here?.path[depth] === group.title },
        h('summary', null, group.title),
        h('ul', null, listOf(group, depth + 1)),
      )
    return h(
      'nav',
      { class: 'site-navigation', 'aria-label': 'Documentation' },
      NAVIGATION.map((group) => groupOf(group, 'site-group')),
    )
  }

  /** Returns the links to the pages before and after this one in the menu. */
  pager() {
    const at = this.theme.pages.findIndex(({ reflection }) => reflection === this.page.model)
    if (at < 0 || this.page.url === 'modules.html') return null
    const link = (rel, page, label) =>
      page && h('a', { href: this.linkTo(page).href, rel }, h('span', null, label), h('strong', null, page.name))
    return h(
      'nav',
      { class: 'site-pager', 'aria-label': 'Previous and next page' },
      link('prev', this.theme.pages[at - 1], 'Previous'),
      link('next', this.theme.pages[at + 1], 'Next'),
    )
  }
}

export class SiteTheme extends DefaultTheme {
  ContextClass = SiteContext
  /** The pages of the menu, in their order. @type {{ name: string, path: readonly string[], reflection: object }[]} */
  pages = []

  buildNavigation = () => []

  /** Finds the pages of the menu. Throws if one does not exist, or if the menu lacks one. */
  findPages(project) {
    const all = new Map([...(project.documents ?? []), ...project.children].map((page) => [page.name, page]))
    all.set('Getting started', project)
    this.pages = pagesOf().map(({ name, path }) => {
      const reflection = all.get(name)
      if (!all.delete(name)) throw new Error(`The menu lists ${name}, which does not exist or is listed before.`)
      return { name, path, reflection }
    })
    if (all.size > 0) throw new Error(`The menu does not list ${[...all.keys()].join(', ')}.`)
    for (const [name, words] of keywords) {
      const page = this.pageNamed(name)
      const headings = page ? [name, ...sectionsOf(markdownOf(page.reflection)).map(({ heading }) => heading)] : []
      const unknown = [...words.keys()].filter((heading) => !headings.includes(heading))
      if (unknown.length > 0) throw new Error(`docs/keywords: the page ${name} lacks ${unknown.join(', ')}.`)
    }
  }

  pageNamed(name) {
    return this.pages.find((page) => page.name === name)
  }

  /** Returns the keywords of a page of the menu. */
  keywordsOf(model) {
    const name = this.pages.find(({ reflection }) => reflection === model)?.name ?? ''
    const section = `\`${name.replace(/(?<=\/locales\/).*/, 'de')}\``
    return keywordsOf(name).get(name) ?? keywordsOf('Entry points').get(section)
  }

  /** Returns what a page is about, for search engines and previews of links. */
  describe(model) {
    const page = menuPage(model)
    if (page === model) return firstSentences(markdownOf(model).replace(/^# .*$/m, ''))
    const what = `${ReflectionKind.singularString(model.kind)} ${model.name} of ${page.name}`
    const comment = firstSentences(commentOf(model), 120)
    return comment ? `${what}: ${comment}` : `${what}.`
  }
}

const attribute = (/** @type {string} */ text) =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')

/**
 * Adds to the HTML of a page what TypeDoc's layout has no place for: its description, landmarks, headings without gaps in
 * their levels, group titles without a link in a button, and labels of outputs. Shows the page at once: TypeDoc hides it until
 * its script has built the menu.
 *
 * @param {string} html
 * @param {import('typedoc').PageEvent} page
 * @param {SiteTheme} theme
 */
export function finishPage(html, page, theme) {
  let last = 0
  // Those of its sections are for the search only.
  const words = theme.keywordsOf(page.model)
  const pager = JSX.renderElement(theme.getRenderContext(page).pager() ?? '')
  return (
    html
      .replace(
        /<meta name="description"[^>]*>/,
        () =>
          `<meta name="description" content="${attribute(theme.describe(page.model))}"/>` +
          (words ? `<meta name="keywords" content="${attribute(words)}"/>` : ''),
      )
      .replace(/<script async src="[^"]*navigation\.js"[^>]*><\/script>/, '')
      // It needs the elements of the page.
      .replace(/<script async(?= src="[^"]*search\.js")/, '<script defer')
      .replace(/document\.body\.style\.display="none";setTimeout\(.*?,500\)/, '')
      .replace('<div class="col-content">', '<div class="col-content" role="main" id="content" tabindex="-1">')
      .replace(/(?=<\/div>\s*<div class="col-sidebar">)/, pager)
      .replace('<div class="page-menu">', '<div class="page-menu" role="complementary" aria-label="This page">')
      .replace(
        /(<summary[^>]*>(?:(?!<\/summary>)[\s\S])*?)<a [^>]*class="tsd-anchor-icon"(?:(?!<\/a>)[\s\S])*<\/a>/g,
        '$1',
      )
      // Pages of `file:` have no index.
      .replace(/ href="((?:\.\.?\/)+)(?=["#])/g, ' href="$1index.html')
      // What a block prints is no code.
      .replace(
        /(<code class="tsx?">(?:(?!<\/pre>)[\s\S])*<\/pre>\s*)<pre><code class="text">((?:(?!<\/code>)[\s\S])*<\/code>)(?:(?!<\/pre>)[\s\S])*<\/pre>/g,
        '$1<div class="site-output"><p>Output</p><pre tabindex="0"><code class="text">$2</pre></div>',
      )
      // A table that scrolls can be scrolled with the keyboard.
      .replaceAll('<table>', '<table tabindex="0">')
      .replace(/<h([1-6])(?=[\s>])/g, (tag, given) => {
        last = Math.min(Number(given), last + 1)
        return last === Number(given) ? tag : `${tag} aria-level="${last}"`
      })
  )
}
