import { h } from '../ui/element'

const TOKENS =
  /(?<comment>\/\/.*)|(?<string>'(?:[^'\\\n]|\\.)*'|`[^`]*`)|(?<keyword>\b(?:as|async|await|const|export|false|for|from|function|if|import|new|null|of|return|throw|true|type(?!:)|undefined)\b)|(?<number>\b\d[\w.]*\b)/g

/** Returns code as nodes, with a class for each kind of token. */
export function highlight(code: string): (Node | string)[] {
  const nodes: (Node | string)[] = []
  let end = 0
  for (const match of code.matchAll(TOKENS)) {
    const [kind] = Object.entries(match.groups ?? {}).find(([, text]) => text !== undefined) ?? ['']
    nodes.push(code.slice(end, match.index), h('span', { class: `token ${kind}` }, match[0]))
    end = match.index + match[0].length
  }
  return [...nodes, code.slice(end)]
}
