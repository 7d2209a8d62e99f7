// TypeDoc plugin: names of documents and entries, missing comments, and sections of documents as search results.
import {
  Application,
  Converter,
  DocumentReflection,
  IndexEvent,
  KindRouter,
  PageEvent,
  ReflectionKind,
  RendererEvent,
} from 'typedoc'

/** Partial types of interfaces; TypeDoc drops the comments of their methods. */
const PARTS = new Map([
  ['PolicyChanges', 'Policy'],
  ['GatewayPolicyChanges', 'GatewayPolicy'],
])

/** Weights in the search. Names of API entries have 10, comments and texts 1. */
const SEARCH_WEIGHTS = { words: 200_000, task: 20_000, title: 3000, heading: 300, guide: 100 }

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

/** Addresses of the sections of documents. @type {Map<object, string>} */
const sectionUrls = new Map()

class SectionRouter extends KindRouter {
  getFullUrl(target) {
    return sectionUrls.get(target) ?? super.getFullUrl(target)
  }
}

/**
 * Splits a document at its headings of the second level; the first part is the one above them.
 *
 * @param {string} text
 */
function sectionsOf(text) {
  const [intro = '', ...sections] = text.split(/^## /m)
  return {
    intro,
    sections: sections.map((section) => {
      const [heading = ''] = section.split('\n', 1)
      return { heading: heading.replaceAll('`', '').trim(), text: section.slice(heading.length) }
    }),
  }
}

/**
 * Returns a text with the singular of its words in -ies, which a search finds as no part of them.
 *
 * @param {string} text
 */
const withSingular = (text) =>
  [text, ...(text.match(/\w+ies\b/g) ?? []).map((word) => word.replace(/ies$/, 'y'))].join(' ')

/**
 * Returns a text without numbers of several parts, such as versions and `2_000`: lunr confuses the endings of two of them
 * with those of other words, and then fails.
 *
 * @param {string} text
 */
const withoutNumbers = (text) => text.replaceAll(/\b\d+(?:[.,_:]\d+)+/g, '')

/**
 * Returns the other words under which the search finds a text.
 *
 * @param {string} text
 */
const searchWords = (text) => /<!-- search: (.+) -->/.exec(text)?.[1].replaceAll(',', '') ?? ''

/**
 * Lets the search find guides before API entries, and the section of a document instead of the document.
 *
 * @param {import('typedoc').IndexEvent} event
 * @param {import('typedoc').BaseRouter} router
 */
function addSections(event, router) {
  Object.assign(event.searchFieldWeights, SEARCH_WEIGHTS)
  // Guides are about a client as well, but `Client` is the class.
  const main = event.searchResults.findIndex(({ name, kind }) => name === 'Client' && kind === ReflectionKind.Class)
  event.searchFields[main] = { words: 'Client' }
  // Its name differs from that of its result by the case of a letter, which the search ignores.
  const factory = event.searchResults.findIndex(({ name }) => name === 'messageV2')
  event.searchFields[factory] = { words: 'messageV2' }

  const { project } = event.searchResults[main]
  const readme = new DocumentReflection('Getting started', project, project.readme ?? [], {})
  sectionUrls.set(readme, 'index.html')
  const guides = event.searchResults.filter((result) => result.isDocument() && result.name !== 'Changelog')
  const documents = [readme, ...guides]
  event.searchResults.push(readme)
  for (const [order, document] of documents.entries()) {
    const { intro, sections } = sectionsOf(document.content.map(({ text }) => text).join(''))
    // The most common documents and tasks come first.
    document.relevanceBoost = 2 - order / documents.length
    const fields = { document: intro, title: withSingular(document.name), words: searchWords(intro) }
    event.searchFields[event.searchResults.indexOf(document)] = fields
    const { constructor: Slugger, options } = router.getSlugger(document === readme ? project : document)
    const slugger = new Slugger(options)
    for (const [position, { heading, text }] of sections.entries()) {
      const isTask = document.name === 'How do I…'
      const name = isTask ? `How do I ${heading[0]?.toLowerCase()}${heading.slice(1)}?` : `${document.name}: ${heading}`
      const section = new DocumentReflection(name, document.project, [{ kind: 'text', text: withoutNumbers(text) }], {})
      section.relevanceBoost = isTask ? 2 - position / sections.length : document.relevanceBoost
      sectionUrls.set(section, `${router.getFullUrl(document)}#${slugger.slug(heading)}`)
      event.searchResults.push(section)
      const field = isTask ? 'task' : 'heading'
      const guide = isTask ? '' : document.name
      event.searchFields.push({ [field]: withSingular(heading), guide, words: searchWords(text) })
    }
  }
}

/**
 * Adds what the theme lacks: landmarks, headings without gaps in their levels, and group titles without a link in a button.
 *
 * @param {string} html
 */
function accessible(html) {
  let last = 0
  return (
    html
      .replace('<div class="col-content">', '<div class="col-content" role="main">')
      .replace('<div class="page-menu">', '<div class="page-menu" role="complementary" aria-label="This page">')
      .replace(
        /(<summary[^>]*>(?:(?!<\/summary>)[\s\S])*?)<a [^>]*class="tsd-anchor-icon"(?:(?!<\/a>)[\s\S])*<\/a>/g,
        '$1',
      )
      // A table that scrolls can be scrolled with the keyboard.
      .replaceAll('<table>', '<table tabindex="0">')
      .replace(/<h([1-6])(?=[\s>])/g, (tag, given) => {
        last = Math.min(Number(given), last + 1)
        return last === Number(given) ? tag : `${tag} aria-level="${last}"`
      })
  )
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

/** @param {import('typedoc').Application} app */
export function load(app) {
  app.renderer.defineRouter('sections', SectionRouter)
  // `{user.id}` in a path is no host.
  app.on(Application.EVENT_BOOTSTRAP_END, () =>
    app.options.setValue('markdownItLoader', ({ linkify }) => linkify.set({ fuzzyLink: false })),
  )
  app.renderer.on(RendererEvent.BEGIN, ({ project }) => showSources(project.files))
  app.renderer.on(IndexEvent.PREPARE_INDEX, (event) => addSections(event, app.renderer.router))

  app.renderer.on(PageEvent.END, (page) => {
    page.contents = page.contents && accessible(page.contents)
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
}
