// What two sets of reports differ in, as a version has to tell it.

/** Names by what became of them, each with the entry that it is of: `Client (rapport-sdk)`. */
export interface ApiChange {
  readonly added: readonly string[]
  /** Those that code which compiled may not compile with any more. Judged by their text, so with care. */
  readonly changed: readonly string[]
  readonly removed: readonly string[]
}

/** Compares reports, each by its file's name. */
export function apiChange(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): ApiChange {
  const old = declarations(before)
  const now = declarations(after)
  const names = [...now.keys()]
  const grown = names.filter((name) => isGrown(old.get(name), now.get(name)))
  return {
    added: [...names.filter((name) => !old.has(name)), ...grown].sort(),
    changed: names.filter((name) => isChanged(old.get(name), now.get(name)) && !grown.includes(name)),
    removed: [...old.keys()].filter((name) => !now.has(name) && !name.startsWith(HIDDEN)),
  }
}

/** Begins the name of what is mentioned without being exported. That it goes breaks nothing: nobody could import it. */
const HIDDEN = '[internal] '

/** A line of a class or a constant can be new without a break; one of an interface only where it may be left out. */
const OPTIONAL = /^\s+(readonly )?[\w$]+\?[:(<]/

function isChanged(old: string | undefined, now: string | undefined): boolean {
  return old !== undefined && now !== undefined && old !== now
}

/** Whether lines were added and all others stayed, in their order. */
function isGrown(old: string | undefined, now: string | undefined): boolean {
  if (old === undefined || now === undefined || old === now) return false
  const kept = old.split('\n')
  const gained: string[] = []
  for (const line of now.split('\n')) {
    if (line === kept[0]) kept.shift()
    else gained.push(line)
  }
  // An enumeration is a constant and a type of one line: it may have one more value, as all of them are open.
  const isWritten = /^(interface|type) .*\{$/m.test(now)
  return kept.length === 0 && (!isWritten || gained.every((line) => OPTIONAL.test(line)))
}

/** The declarations of all reports, by name. */
function declarations(reports: ReadonlyMap<string, string>): Map<string, string> {
  const found = new Map<string, string>()
  for (const text of reports.values()) {
    const [head = '', ...blocks] = text.trimEnd().split('\n\n')
    const [entry = ''] = head.split(':')
    let prefix = ''
    for (const block of blocks) {
      if (block.startsWith('== ')) prefix = HIDDEN
      const name = /^(?:abstract )?(?:\w+|export \{(?: \w+ as)?) ([\w$]+)/.exec(block)?.[1]
      if (name && !block.startsWith('== ') && !block.startsWith('import ')) {
        found.set(`${prefix}${name} (${entry})`, block)
      }
    }
  }
  return found
}
