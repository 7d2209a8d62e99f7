import { spawnSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { compiler } from '../package/step'
import { root } from './sources'

/** An error of the compiler. */
export interface CompilerError {
  /** Path of the module, relative to the folder of the program. */
  readonly module: string
  /** Line in the module, from 1. */
  readonly line: number
  readonly message: string
}

/**
 * Compiles modules with the options of the project, in one program, and returns their errors, without those of the files
 * that they import, but with those of the project if it is compiled with them.
 * @param folder Folder that the modules are written to while they compile; relative imports resolve from it. It must not exist.
 * @param modules The text of each module, by its path in the folder.
 * @param withProject Whether the program also has all files of the project.
 */
export function compile(folder: string, modules: ReadonlyMap<string, string>, withProject = false): CompilerError[] {
  mkdirSync(folder, { recursive: true })
  try {
    for (const [path, text] of modules) writeFileSync(join(folder, path), text)
    const config = {
      extends: join(root, 'tsconfig.json'),
      files: [...modules.keys()],
      ...(!withProject && { include: [] }),
    }
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config))
    const flags = ['--project', folder, '--pretty', 'false', '--singleThreaded']
    const { status, stdout, stderr } = spawnSync(compiler(7), flags, { cwd: root, encoding: 'utf8' })
    const errors = parse(stdout, folder)
    if ((status !== 0 && errors.length === 0) || status === null) throw new Error(`tsc failed:\n${stdout}${stderr}`)
    return errors.filter(({ module }) => withProject || modules.has(module))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Reads what the compiler prints: `path(line,column): error TS1: message`, whose other lines are indented. */
function parse(output: string, folder: string): CompilerError[] {
  const errors = output.split(/\n(?! )/).filter((text) => text.trim() !== '')
  return errors.map((text) => {
    const [, path, line, message] = /^([^\n]+)\((\d+),\d+\): error TS\d+: (.*)$/s.exec(text) ?? []
    if (path === undefined || message === undefined) throw new Error(`tsc failed:\n${output}`)
    return { module: relative(folder, join(root, path)), line: Number(line), message: message.trimEnd() }
  })
}
