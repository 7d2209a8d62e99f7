import { existsSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { filesIn } from '../sources'
import { pagesOf } from './navigation'

/** What each page of an entry must have: an example, and a link to a guide. */
const ENTRY_PARTS: readonly (readonly [name: string, pattern: RegExp])[] = [
  ['an example', /<pre><code class="tsx?">/],
  ['a guide', /Guides?: <a href="(?:\.\.\/)?(?:documents\/|index\.html)/],
]

const linksIn = (html: string): string[] =>
  [...html.matchAll(/ href="([^"#]+)(?:#[^"]*)?"/g)].map(([, url = '']) => url)

/** Returns what is wrong with a page: its description, its menu, its version, its outputs, its links. */
function problemsOf(html: string, path: string, site: string, version: string): string[] {
  const [, description = ''] = /<meta name="description" content="([^"]*)"/.exec(html) ?? []
  const [menu = ''] = /<nav class="site-navigation".*?<\/nav>/s.exec(html) ?? []
  const broken = linksIn(html)
    .filter((url) => !/^[a-z]+:/.test(url))
    .filter((url) => !existsSync(join(site, decodeURIComponent(posix.join(posix.dirname(path), url)))))
  const parts = /^modules\//.test(path) ? ENTRY_PARTS.filter(([, pattern]) => !pattern.test(html)) : []
  return [
    ...(description.length < 10 || description.startsWith('Documentation for') ? ['it has no description'] : []),
    ...(menu.includes(' aria-current="') || path === 'modules.html' ? [] : ['the menu does not show its place']),
    ...(html.includes(`>${version}</a>`) ? [] : ['it does not show the version']),
    ...parts.map(([name]) => `it has not ${name}`),
    ...(/<\/pre>\s*<pre><code class="text">/.test(html) ? ['the output of a block has no label'] : []),
    ...new Set(broken.map((url) => `${url} does not exist`)),
  ]
}

/** Returns what is wrong with the HTML of all pages. */
export function checkPages(site: string): string[] {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8'))
  const pages = filesIn(site, '.html').map((file) => posix.relative(site, file))
  const texts = new Map(pages.map((path) => [path, readFileSync(join(site, path), 'utf8')]))
  const problems = [...texts].flatMap(([path, html]) =>
    path.startsWith('playground/') || path === '404.html'
      ? []
      : problemsOf(html, path, site, version).map((problem) => `${path}: ${problem}`),
  )
  // One reads the whole site from page to page.
  const seen = new Set<string>()
  for (let path: string | undefined = 'index.html'; path !== undefined && !seen.has(path); ) {
    seen.add(path)
    const [, next]: string[] = /<a href="([^"]*)"[^>]* rel="next"/.exec(texts.get(path) ?? '') ?? []
    path = next && decodeURIComponent(posix.join(posix.dirname(path), next))
  }
  const all = pagesOf().length
  if (seen.size !== all) problems.push(`The links to next pages lead through ${seen.size} of ${all} pages.`)
  const bytes = [...texts.values()].map((html) => Buffer.byteLength(html)).sort((one, other) => one - other)
  const kB = (size = 0) => `${Math.round(size / 1000)} kB`
  console.log(
    `${pages.length} pages: ${kB(bytes[Math.floor(bytes.length / 2)])} in the median, ${kB(bytes.at(-1))} at most.`,
  )
  return problems
}
