import { literal, print } from './literal'

/** Values of parameters, by name. Those of a parameter without a value stay as names that the reader replaces. */
export type Values = Readonly<Record<string, unknown>>

/** Functions of a module, and its source. */
export interface Source {
  readonly functions: object
  readonly text: string
}

/**
 * Returns the code of a function as a module of its own: the imports that it uses, the given parameters as constants, and
 * its body. So what is shown is what runs.
 */
export function moduleOf(source: string, name: string, values: Values = {}): string {
  const pattern = new RegExp(`^export (?:async )?function ${name}\\(([^{]*?)\\)[^()]*\\{\\n([\\s\\S]*?)^\\}`, 'm')
  const [, parameters = '', body] = pattern.exec(source) ?? []
  if (body === undefined) throw new Error(`There is no function ${name}.`)
  const constants = parameters.split(/,\s*(?=\w+:)/).flatMap((parameter) => {
    const [, id = '', type = ''] = /^\s*(\w+): ([\s\S]+?),?\s*$/.exec(parameter) ?? []
    if (!Object.hasOwn(values, id)) return []
    const head = `const ${id}${/^(?:string|number|boolean)$/.test(type) ? '' : `: ${type}`} = `
    return `${head}${print(literal(values[id]), 0, head.length)}\n`
  })
  const code = `${constants.join('')}${statementsOf(body)}`
  const imports = importsOf(source, code)
  return `${imports}${imports && '\n'}${code}`
}

/** Returns the statements of a body. A last `return` of a call becomes the call; one of a value is left out. */
function statementsOf(body: string): string {
  const lines = body.replace(/^ {2}/gm, '').trimEnd()
  return `${lines
    .replace(/\n*^return (?:\w+|(.+))$(?![\s\S])/m, '\n$1')
    .replace(/^return (?=[\w.]+\()/m, '')
    .trim()}\n`
}

/** Returns the imports of a module that some code uses. */
function importsOf(source: string, code: string): string {
  const words = new Set(code.match(/\w+/g))
  const imports = [...source.matchAll(/^import (type )?\{([^}]*)\} from ('[^.][^']*')$/gm)].flatMap(
    ([, isType, names = '', from]) => {
      const used = names.split(',').map((each) => each.trim())
      const kept = used.filter((each) => words.has(each.replace('type ', '')))
      return kept.length === 0 ? [] : `import ${isType ?? ''}{ ${kept.join(', ')} } from ${from}\n`
    },
  )
  return imports.join('')
}
