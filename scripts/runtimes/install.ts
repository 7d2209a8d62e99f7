import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { step } from '../package/step'

/** Cache of the runtimes between runs, 1.1 GB in total. */
const cache = join(tmpdir(), 'rapport-sdk-runtimes')

/** Installs `name` at `version` into a folder of the cache, unless it is there, and returns the folder. */
export function installTool(name: string, version: string): string {
  const folder = join(cache, `${name}-${version}`)
  if (versionIn(folder, name) === version) return folder
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  // Some packages download their binary in a script, which npm runs only if it is allowed by name.
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, allowScripts: SCRIPTS }))
  step(`install ${name} ${version}`, folder, 'npm', ['install', `${name}@${version}`])
  const found = versionIn(folder, name)
  if (found !== version)
    throw new Error(
      `${name} ${version} was installed, but its version is ${found ?? 'unknown, because it does not run'}.`,
    )
  return folder
}

/** Returns the path of a command in a folder of {@link installTool}. */
export function commandOf(folder: string, name: string): string {
  return join(folder, 'node_modules/.bin', name)
}

const SCRIPTS = { node: true, bun: true, deno: true, esbuild: true, workerd: true, sharp: false }

/** Runs the command for its version, which detects an interrupted installation. */
function versionIn(folder: string, name: string): string | undefined {
  if (name === 'miniflare') return versionOfPackage(folder, name)
  const { stdout } = spawnSync(commandOf(folder, name), ['--version'], { encoding: 'utf8' })
  return /\d+\.\d+\.\d+/.exec(stdout ?? '')?.[0]
}

/** Reads the version of a package without a command from the lockfile, which npm writes last. */
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
