/** A link of a Markdown text. */
export interface Link {
  /** Line it is on, from 1. */
  readonly line: number
  /** What it points to, as it is written. */
  readonly target: string
}

const patterns = [/\]\(<?([^()\s>]+)>?(?: "[^"]*")?\)/g, /\b(?:src|srcset|href)="([^"\s]+)/g, /^\[[^\]]+\]: (\S+)/g]

/** The text with its code emptied, line by line: what is in there is no link and no heading. */
function proseLines(text: string): string[] {
  let isCode = false
  return text.split('\n').map((line) => {
    const isFence = /^ *```/.test(line)
    if (isFence) isCode = !isCode
    return isCode || isFence ? '' : line
  })
}

/** The links of a Markdown text, images and HTML attributes among them. */
export function linksOf(text: string): Link[] {
  return proseLines(text).flatMap((line, index) => {
    const withoutCode = line.replace(/`[^`]*`/g, '``')
    return patterns.flatMap((pattern) =>
      [...withoutCode.matchAll(pattern)].map(([, target = '']) => ({ line: index + 1, target })),
    )
  })
}

/** The anchors of a Markdown text: its headings, in the form in which code hosts and the site link to them. */
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

/** What is asked of files: their text, `true` for what exists and has none, `undefined` for what does not exist. */
export type Lookup = (path: string) => string | true | undefined

/** The links of a file that lead nowhere, in words. Addresses of other hosts are not looked at. */
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
