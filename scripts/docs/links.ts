/** A link of a Markdown text. */
export interface Link {
  /** Line number, from 1. */
  readonly line: number
  /** Link target as written. */
  readonly target: string
}

const patterns = [/\]\(<?([^()\s>]+)>?(?: "[^"]*")?\)/g, /\b(?:src|srcset|href)="([^"\s]+)/g, /^\[[^\]]+\]: (\S+)/g]

/** Returns the lines of a text, with code replaced by empty lines. */
function proseLines(text: string): string[] {
  let isCode = false
  return text.split('\n').map((line) => {
    const isFence = /^ *```/.test(line)
    if (isFence) isCode = !isCode
    return isCode || isFence ? '' : line
  })
}

/** Returns the links of a Markdown text, including images and HTML attributes. */
export function linksOf(text: string): Link[] {
  return proseLines(text).flatMap((line, index) => {
    const withoutCode = line.replace(/`[^`]*`/g, '``')
    return patterns.flatMap((pattern) =>
      [...withoutCode.matchAll(pattern)].map(([, target = '']) => ({ line: index + 1, target })),
    )
  })
}

/** Returns the anchors of the headings of a Markdown text, as code hosts and the site generate them. */
export function anchorsOf(text: string): string[] {
  const seen = new Map<string, number>()
  return proseLines(text).flatMap((line) => {
    const [, heading] = /^#{1,6} (.+?)#*$/.exec(line) ?? []
    if (heading === undefined) return []
    const words = heading.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').trim()
    const anchor = words
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-')
    const count = seen.get(anchor) ?? 0
    seen.set(anchor, count + 1)
    return [count === 0 ? anchor : `${anchor}-${count}`]
  })
}

/** Looks up a file: returns the text of a Markdown file, `true` for any other existing path, or `undefined`. */
export type Lookup = (path: string) => string | true | undefined

/** Returns a message for each broken link of a file. Links to other hosts are not checked. */
export function brokenLinks(file: string, text: string, lookup: Lookup): string[] {
  return linksOf(text).flatMap(({ line, target }) => {
    if (/^[a-z][a-z+.-]*:/i.test(target)) return []
    const [path = '', anchor] = target.split('#')
    const base = new URL(file, 'file:///')
    const found = path === '' ? text : lookup(decodeURIComponent(new URL(path, base).pathname.slice(1)))
    const where = `${file}:${line} links to ${target}`
    if (found === undefined) return [`${where}, which does not exist`]
    if (anchor === undefined) return []
    if (found === true) return [`${where}, which has no headings`]
    return anchorsOf(found).includes(anchor) ? [] : [`${where}, which has no such heading`]
  })
}
