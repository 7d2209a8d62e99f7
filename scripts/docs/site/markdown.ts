// Reads Markdown: its sections and keywords for the search, and its first sentences for descriptions.

/** Returns the prose of a Markdown text, without marks, links and comments. */
export const plainText = (markdown: string): string =>
  markdown
    .replace(/<!--.*?-->/gs, ' ')
    .replace(/<[a-z/][^>]*>/gi, ' ')
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(
      /\{@link(?:code|plain)?\s+([^}|]+?)(?:\s*\|\s*([^}]+))?\}/g,
      (_, name: string, text?: string) => text ?? name,
    )
    .replace(/^\s*[|>]|^[-|:\s]+$|^\s*[-*]\s|\*\*|\|/gm, ' ')
    .replaceAll('`', '')
    .replace(/\s+/g, ' ')
    .trim()

/** A section of a Markdown text: its heading, and what is below it until the next one. */
export interface Section {
  readonly level: number
  readonly heading: string
  /** Prose, still with its marks. */
  readonly text: string
  /** Lines of the fences. */
  readonly code: string
}

/** Returns the sections of a Markdown text; the first one is what is above the first heading. */
export function sectionsOf(markdown: string): Section[] {
  const sections: { level: number; heading: string; text: string; code: string }[] = []
  let section = { level: 1, heading: '', text: '', code: '' }
  sections.push(section)
  let isCode = false
  for (const line of markdown.split('\n')) {
    const [, marks = '', heading] = isCode ? [] : (/^(#{1,6}) (.+)$/.exec(line) ?? [])
    if (/^\s*```/.test(line)) isCode = !isCode
    else if (heading !== undefined) {
      section = { level: marks.length, heading, text: '', code: '' }
      sections.push(section)
    } else section[isCode ? 'code' : 'text'] += `${line}\n`
  }
  return sections
}

/**
 * Returns the keywords of a page and of its sections, each divided by commas, by their headings: what the text of `docs/keywords`
 * says below the same headings. The title of the page is its first heading.
 */
export const keywordsIn = (markdown: string): ReadonlyMap<string, string> =>
  new Map(
    sectionsOf(markdown).flatMap(({ heading, text }) => (heading ? [[heading, text.replace(/\s+/g, ' ').trim()]] : [])),
  )

/** Returns the first paragraph of a Markdown text, cut at a sentence or a word after at most `max` characters. */
export function firstSentences(markdown: string, max = 160): string {
  const paragraph = markdown
    .replace(/^```.*?^```/gms, '')
    .split(/\n\s*\n/)
    .filter((text) => !text.trim().startsWith('|'))
    .map(plainText)
    .find((text) => /[.:]/.test(text) && !text.startsWith('#'))
  if (paragraph === undefined || paragraph.length <= max) return paragraph ?? ''
  const start = paragraph.slice(0, max)
  const sentence = /^.{40,}\.(?=\s)/s.exec(start)?.[0]
  return sentence ?? `${start.replace(/\s+\S*$/, '')}…`
}
