import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { step } from '../package/step'

/** Where the runtimes stay between runs: together they are 1.1 GB. */
const cache = join(tmpdir(), 'rapport-sdk-runtimes')

/** Installs `name` at `version` into a folder of its own, unless it is there, and gives that folder. */
export function installed(name: string, version: string): string {
  const folder = join(cache, `${name}-${version}`)
  if (versionIn(folder, name) === version) return folder
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  // Some of these packages fetch their binary in a script, which npm asks to be allowed by name.
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, allowScripts: SCRIPTS }))
  step(`install ${name} ${version}`, folder, 'npm', ['install', `${name}@${version}`])
  const found = versionIn(folder, name)
  if (found !== version) throw new Error(`${name} ${version} was installed, and it is ${found ?? 'nothing that runs'}.`)
  return folder
}

/** A command of a package that {@link installed} gave. */
export function commandOf(folder: string, name: string): string {
  return join(folder, 'node_modules/.bin', name)
}

const SCRIPTS = { node: true, bun: true, deno: true, esbuild: true, workerd: true, sharp: false }

/** What is there calls itself, so that an installation that was interrupted is noticed. */
function versionIn(folder: string, name: string): string | undefined {
  if (name === 'miniflare') return versionOfPackage(folder, name)
  const { stdout } = spawnSync(commandOf(folder, name), ['--version'], { encoding: 'utf8' })
  return /\d+\.\d+\.\d+/.exec(stdout ?? '')?.[0]
}

/** The library has no command. Its file is written before npm is done, but its lockfile is not. */
function versionOfPackage(folder: string, name: string): string | undefined {
  try {
    const lock: { packages: Record<string, { version: string }> } = JSON.parse(
      readFileSync(join(folder, 'package-lock.json'), 'utf8'),
    )
    return lock.packages[`node_modules/${name}`]?.version
  } catch {
    return undefined
  }
}
