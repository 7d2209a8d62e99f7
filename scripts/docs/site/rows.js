// What the search of the site finds: documents, their sections, entries of the package and their names.
import { ReflectionKind } from 'typedoc'
import { firstSentences, plainText, sectionsOf } from './markdown.ts'

/** How important a row is, by what it is of. Guides are read before the reference, and the shortest answers first of all. */
const WEIGHTS = { task: 1.5, page: 1.2, section: 1, entry: 1.1, language: 0.5, name: 0.22, member: 0.07 }
/** Documents that fewer people look for, and the same for names of the mock. */
const LESS = {
  'API document': 0.7,
  'Migrating from raw fetch': 0.7,
  Changelog: 0.6,
  Components: 0.85,
  Promises: 0.6,
  Security: 0.8,
}
const OF_MOCK = 0.6

const TASKS = 'How do I…'
const MEMBERS = ReflectionKind.Method | ReflectionKind.Property | ReflectionKind.Accessor

/** Returns the comment of a reflection, or that of its first signature. */
export const commentOf = (reflection) =>
  (reflection.comment?.summary.length
    ? reflection.comment
    : (reflection.signatures?.[0]?.comment ?? reflection.comment)
  )?.summary
    .map(({ text }) => text)
    .join('') ?? ''

/**
 * Returns the rows of a document.
 *
 * @param {{ title: string, markdown: string, where: string, url: string, slug: (heading: string) => string }} document
 * @param {ReadonlyMap<string, string>} keywords
 */
function documentRows({ title, markdown, where, url, slug }, keywords) {
  const sections = sectionsOf(markdown).map((section) => ({
    ...section,
    id: section.heading && slug(section.heading),
  }))
  const first = sections.findIndex(({ level, heading }) => level > 1 && heading !== '')
  const [above, below] = first < 0 ? [sections, []] : [sections.slice(0, first), sections.slice(first)]
  const factor = LESS[title] ?? 1
  const page = {
    title,
    url,
    where,
    kind: 'guide',
    about: firstSentences(above.map(({ text }) => text).join('\n'), 120),
    keywords: keywords.get(title) ?? '',
    headings: below.map(({ heading }) => plainText(heading)).join('. '),
    text: above.map(({ text }) => plainText(text)).join(' '),
    code: above.map(({ code }) => code).join('\n'),
    weight: WEIGHTS.page * factor,
  }
  // The most common tasks come first, and what is about an entry has a page of its own.
  const rows = (title === 'Entry points' ? [] : below).map(({ heading, text, code, id }, position) => ({
    title: plainText(heading),
    url: `${url}#${id}`,
    where: title === TASKS ? TASKS : `${where} › ${title}`,
    kind: 'guide',
    about: firstSentences(text, 120),
    keywords: keywords.get(heading) ?? '',
    context: title === TASKS ? '' : title,
    text: plainText(text),
    code,
    weight: title === TASKS ? WEIGHTS.task * (1 - (0.1 * position) / below.length) : WEIGHTS.section * factor,
  }))
  return [page, ...rows]
}

/** Returns the row of an exported name, or of a member of one. */
function nameRow(reflection, url) {
  const isMember = reflection.kindOf(MEMBERS)
  const { parent } = reflection
  const entry = isMember ? parent.parent : parent
  const kind = ReflectionKind.singularString(reflection.kind).toLowerCase()
  const comment = commentOf(reflection)
  return {
    title: isMember ? `${parent.name}.${reflection.name}` : reflection.name,
    name: reflection.name,
    url,
    where: `${entry.name} › ${kind}`,
    kind,
    about: firstSentences(comment, 120),
    weight: (isMember ? WEIGHTS.member : WEIGHTS.name) * (entry.name.startsWith('rapport-sdk/mocks') ? OF_MOCK : 1),
  }
}

/**
 * Returns all rows.
 *
 * @param {import('typedoc').ProjectReflection} project
 * @param {import('typedoc').BaseRouter} router
 * @param {readonly { name: string, path: readonly string[], reflection: object }[]} pages in the order of the menu
 * @param {(reflection: object) => string} markdownOf
 * @param {(page: string) => ReadonlyMap<string, string>} keywordsOf
 */
export function searchRows(project, router, pages, markdownOf, keywordsOf) {
  const documents = pages.flatMap(({ name, path, reflection }) => {
    const { constructor: Slugger, options } = router.getSlugger(reflection)
    const slugger = new Slugger(options)
    const markdown = markdownOf(reflection)
    const url = reflection === project ? 'index.html' : router.getFullUrl(reflection)
    const [where] = path
    if (reflection.kindOf(ReflectionKind.Module)) {
      const text = plainText(markdown.replace(/^```.*?^```/gms, ''))
      const about = firstSentences(markdown, 120)
      const weight = name.includes('/locales/') ? WEIGHTS.language : WEIGHTS.entry
      const keywords = name.includes('/locales/') ? '' : (keywordsOf('Entry points').get(`\`${name}\``) ?? '')
      return { title: name, url, where: path.join(' › '), kind: 'entry', about, keywords, text, code: markdown, weight }
    }
    const slug = (heading) => slugger.slug(heading.replaceAll('`', ''))
    return documentRows({ title: name, markdown, where, url, slug }, keywordsOf(name))
  })
  const names = router
    .getLinkTargets()
    .filter((target) => target.isDeclaration?.() && !target.isReference() && !target.kindOf(ReflectionKind.Module))
    .filter(({ parent, inheritedFrom, flags }) => {
      const isExport = parent?.kindOf(ReflectionKind.Module)
      const isMember = parent?.isDeclaration() && parent.parent?.kindOf(ReflectionKind.Module)
      return (isExport || isMember) && !inheritedFrom && !flags.isExternal
    })
    .map((target) => nameRow(target, router.getFullUrl(target)))
  return [...documents, ...names]
}
