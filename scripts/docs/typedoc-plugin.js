// TypeDoc plugin of the documentation site: its theme, names of documents and entries, pages of entries, missing comments,
// the search and the playground.
import { copyFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { deflate } from 'node:zlib'
import { build as bundle } from 'esbuild'
import { register } from 'tsx/esm/api'
import { Application, Converter, IndexEvent, PageEvent, ReflectionKind, RendererEvent } from 'typedoc'
import { build as buildPlayground } from 'vite'

// TypeDoc loads plugins without a compiler.
register()
const { createIndex } = await import('./site/find.ts')
const { searchRows } = await import('./site/rows.js')
const { finishPage, keywordsOf, markdownOf, SiteTheme } = await import('./site/theme.js')

/** Partial types of interfaces; TypeDoc drops the comments of their methods. */
const PARTS = new Map([
  ['PolicyChanges', 'Policy'],
  ['GatewayPolicyChanges', 'GatewayPolicy'],
])

const pathOf = (/** @type {string} */ relative) => fileURLToPath(new URL(relative, import.meta.url))

/**
 * Fills in the type arguments of live stores in their inherited methods, which TypeDoc drops or leaves as parameters.
 *
 * @param {import('typedoc').DeclarationReflection} store
 */
function nameStoreTypes(store) {
  const base = store.extendedTypes?.[0]
  if (base?.type !== 'reference' || base.name !== 'LiveStore') return
  const parameterOf = (name) => store.getChildByName([name])?.signatures?.[0]?.parameters?.[0]
  parameterOf('filter').type = base.typeArguments[2]
  parameterOf('select').type.declaration.signatures[0].parameters[0].type.typeArguments = base.typeArguments
}

/**
 * Gives each entry the section of the document "Entry points" about it: what it is for, its first example and its guide. The
 * languages share a section, with the example of one of them.
 *
 * @param {import('typedoc').ProjectReflection} project
 */
function describeEntries(project) {
  /** @type {Map<string, import('typedoc').CommentDisplayPart[]>} */
  const sections = new Map()
  let section = []
  let isHeading = false
  for (const part of project.documents.find(({ name }) => name === 'Entry points').content) {
    if (isHeading && part.kind === 'code') {
      section = []
      sections.set(part.text.replaceAll('`', ''), section)
    } else section.push({ ...part, text: part.text.replace(/^## $/m, '') })
    isHeading = part.text.endsWith('\n## ')
  }
  for (const entry of project.getChildrenByKind(ReflectionKind.Module)) {
    const name = entry.name.replace(/(?<=\/locales\/).*/, 'de')
    entry.readme = sections.get(name)
    if (entry.readme === undefined) throw new Error(`docs/guides/entry-points.md has no section "${name}".`)
  }
}

/**
 * Copies linked TypeScript files as text. Servers that take `.ts` for a video would let the browser download them.
 *
 * @param {import('typedoc').Models.FileRegistry} files
 */
function showSources(files) {
  const nameOf = files.getName.bind(files)
  const pathsByName = files.getNameToAbsoluteMap.bind(files)
  /** @param {string} name */
  const asText = (name) => name.replace(/\.tsx?$/, '$&.txt')
  files.getName = (id) => asText(nameOf(id) ?? '') || undefined
  files.getNameToAbsoluteMap = () => new Map([...pathsByName()].map(([name, path]) => [asText(name), path]))
}

/**
 * Writes the search, which replaces TypeDoc's: its script, and its index, which a page loads when one searches.
 *
 * @param {string} assets
 * @param {ReturnType<typeof createIndex>} index
 */
async function writeSearch(assets, index) {
  const packed = await promisify(deflate)(JSON.stringify(index))
  await writeFile(join(assets, 'search-index.js'), `window.rapportSearch = "${packed.toString('base64')}"`)
  await bundle({
    entryPoints: [pathOf('site/page.ts')],
    outfile: join(assets, 'search.js'),
    bundle: true,
    minify: true,
    target: 'es2022',
    logLevel: 'error',
  })
}

/** @param {import('typedoc').Application} app */
export function load(app) {
  app.renderer.defineTheme('site', SiteTheme)
  // `{user.id}` in a path is no host.
  app.on(Application.EVENT_BOOTSTRAP_END, () =>
    app.options.setValue('markdownItLoader', ({ linkify }) => linkify.set({ fuzzyLink: false })),
  )
  app.renderer.on(RendererEvent.BEGIN, ({ project, outputDirectory }) => {
    showSources(project.files)
    const { theme, router } = app.renderer
    theme.findPages(project)
    app.renderer.postRenderAsyncJobs.push(
      () => copyFile(pathOf('site/404.html'), join(outputDirectory, '404.html')),
      () =>
        writeSearch(
          join(outputDirectory, 'assets'),
          createIndex(searchRows(project, router, theme.pages, markdownOf, keywordsOf)),
        ),
      () =>
        buildPlayground({
          configFile: pathOf('../../examples/playground/vite.config.ts'),
          logLevel: 'warn',
          build: { outDir: join(outputDirectory, 'playground') },
          plugins: [
            { name: 'docs-link', transformIndexHtml: (html) => html.replace('<html', '$& data-docs="../index.html"') },
          ],
        }),
    )
  })
  app.renderer.on(IndexEvent.PREPARE_INDEX, ({ searchResults }) => void searchResults.splice(0))
  app.renderer.on(PageEvent.END, (page) => {
    page.contents = page.contents && finishPage(page.contents, page, app.renderer.theme)
  })

  // Names documents by their first heading. Front matter would do as well, but other viewers show it as a table.
  app.converter.on(Converter.EVENT_CREATE_DOCUMENT, (_context, document) => {
    const [, title] = /^# (.+)$/m.exec(document.content[0]?.text ?? '') ?? []
    if (title === undefined) throw new Error(`${document.name} has no heading.`)
    document.name = /\binterface$/.test(document.name) ? 'API document' : title
  })

  // Names entries by their import path.
  app.converter.on(Converter.EVENT_CREATE_DECLARATION, (_context, reflection) => {
    if (reflection.kind === ReflectionKind.Module)
      reflection.name = `rapport-sdk/${reflection.name}`.replace(/\/(?:src|fixtures)\b|\/client$/g, '')
  })

  app.converter.on(Converter.EVENT_RESOLVE_BEGIN, ({ project }) => {
    for (const each of project.getReflectionsByKind(ReflectionKind.Interface)) nameStoreTypes(each)
    const named = new Map(Object.values(project.reflections).map((reflection) => [reflection.name, reflection]))
    for (const [part, whole] of PARTS) {
      for (const child of named.get(part)?.children ?? []) {
        const source = named.get(whole)?.getChildByName([child.name])
        child.comment ??= (source?.comment ?? source?.signatures?.[0]?.comment)?.clone()
      }
    }
  })
  app.converter.on(Converter.EVENT_RESOLVE_END, ({ project }) => describeEntries(project))
}
