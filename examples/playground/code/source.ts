import { literal, print } from './literal'

/** Values of parameters, by name. Those of a parameter without a value stay as names that the reader replaces. */
export type Values = Readonly<Record<string, unknown>>

/** Code of a function, without its imports. */
export interface FunctionCode {
  /** Names of the parameters without a value. */
  readonly missing: readonly string[]
  readonly constants: string
  readonly statements: string
  /** Name of the variable that the function returns. */
  readonly result: string | undefined
}

/** Returns the code of a function: the given parameters as constants, and its body. */
export function functionCode(source: string, name: string, values: Values = {}): FunctionCode {
  const pattern = new RegExp(`^export (?:async )?function ${name}\\(([^{]*?)\\)[^()]*\\{\\n([\\s\\S]*?)^\\}`, 'm')
  const [, parameters = '', body] = pattern.exec(source) ?? []
  if (body === undefined) throw new Error(`There is no function ${name}.`)
  const missing: string[] = []
  const constants = parameters.split(/,\s*(?=\w+:)/).flatMap((parameter) => {
    const [, id = '', type = ''] = /^\s*(\w+): ([\s\S]+?),?\s*$/.exec(parameter) ?? []
    if (!Object.hasOwn(values, id)) {
      if (id !== '') missing.push(id)
      return []
    }
    const head = `const ${id}${/^(?:string|number|boolean)$/.test(type) ? '' : `: ${type}`} = `
    return `${head}${print(literal(values[id]), 0, head.length)}\n`
  })
  const [, result] = /^ {2}return (\w+)\n$/m.exec(body.slice(body.lastIndexOf('  return '))) ?? []
  return { missing, constants: constants.join(''), statements: statementsOf(body), result }
}

/** Returns the code of a function as it is shown, with the imports that it uses. So what is shown is what runs. */
export function moduleOf(source: string, name: string, values: Values = {}): string {
  const { constants, statements } = functionCode(source, name, values)
  const code = `${constants}${statements}`
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
export function importsOf(source: string, code: string): string {
  const words = new Set(code.match(/\w+/g))
  const imports = [...source.matchAll(/^import (type )?\{([^}]*)\} from ('[^.][^']*')$/gm)].flatMap(
    ([, isType, names = '', from]) => {
      const used = names.split(',').flatMap((each) => each.trim() || [])
      const kept = used.filter((each) => words.has(each.replace('type ', '')))
      return kept.length === 0 ? [] : `import ${isType ?? ''}{ ${kept.join(', ')} } from ${from}\n`
    },
  )
  return imports.join('')
}
