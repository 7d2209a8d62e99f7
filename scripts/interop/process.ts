import { execFile } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { NODE, type Tool } from './tools'

/** Cache of the tools between runs. */
const cache = join(tmpdir(), 'rapport-sdk-interop')

/** Options of {@link run}. */
interface RunOptions {
  readonly cwd: string
  readonly env?: Readonly<Record<string, string>>
}

/** Runs a command and returns its output; rejects with the output if the command fails. */
export function run(command: string, args: readonly string[], { cwd, env = {} }: RunOptions): Promise<string> {
  return new Promise((resolve, reject) => {
    const options = { cwd, env: { ...process.env, DO_NOT_TRACK: '1', ...env }, timeout: 300_000, maxBuffer: 2 ** 26 }
    const child = execFile(command, args, options, (error, stdout, stderr) => {
      if (error === null) resolve(stdout)
      else reject(new Error(`${command} ${args.join(' ')} failed:\n${stdout}${stderr}`))
    })
    child.stdin?.end()
  })
}

/** Installs a tool into a folder of the cache, unless it is there, and returns the folder. */
export async function install({ name, packages }: Tool): Promise<string> {
  const folder = join(cache, name)
  if (isInstalled(folder, packages)) return folder
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  // The package `node` downloads its binary in a script, which npm runs only if it is allowed by name.
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module", "allowScripts": { "node": true } }')
  const versions = Object.entries(packages).map(([id, version]) => `${id}@${version}`)
  await run('npm', ['install', '--save-exact', '--no-audit', '--no-fund', ...versions], { cwd: folder })
  return folder
}

/** Whether the lockfile, which npm writes last, has these versions. */
function isInstalled(folder: string, packages: Tool['packages']): boolean {
  try {
    const lock: { packages: Record<string, { version?: string }> } = JSON.parse(
      readFileSync(join(folder, 'package-lock.json'), 'utf8'),
    )
    return Object.entries(packages).every(([id, version]) => lock.packages[`node_modules/${id}`]?.version === version)
  } catch {
    return false
  }
}

/** Returns the path of a command that {@link install} has put into a folder. */
export function commandOf(folder: string, name: string): string {
  return join(folder, 'node_modules/.bin', name)
}

/** Returns the path of the Node that runs the tools. */
export async function nodeForTools(): Promise<string> {
  return commandOf(await install(NODE), 'node')
}

/** Creates an empty folder for the files of a run, below the packages of a tool. */
export function workFolder(folder: string, files: Readonly<Record<string, string>>): string {
  const work = join(folder, 'work')
  rmSync(work, { recursive: true, force: true })
  mkdirSync(join(work, 'generated'), { recursive: true })
  for (const [name, content] of Object.entries(files)) writeFileSync(join(work, name), content)
  return work
}
