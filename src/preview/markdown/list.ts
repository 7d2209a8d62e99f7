import { open } from '../element'
import { inline } from './inline'

/** A line that begins an item: how far it is indented, and its number where it has one. */
export const LIST_ITEM = /^( {0,8})(?:[-*]|(\d{1,9})\.) +(?=\S)/

/** Lists: two spaces more are a level more, and no level is left out. */
export function list(lines: readonly string[]): string {
  const tags: string[] = []
  let html = ''
  const close = (): void => {
    html += `</li></${tags.pop()}>`
  }
  for (const line of lines) {
    const [mark = '', indent = '', start] = LIST_ITEM.exec(line) ?? []
    const level = Math.min(indent.length >> 1, tags.length)
    const tag = start ? 'ol' : 'ul'
    while (tags.length > level + 1 || (tags.length > level && tags[level] !== tag)) close()
    if (tags.length > level) html += '</li>'
    else {
      html += open(tag, { start })
      tags.push(tag)
    }
    html += `<li>${inline(line.slice(mark.length))}`
  }
  while (tags.length > 0) close()
  return html
}
