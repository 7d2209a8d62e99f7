import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root, step } from './step'

/** Creates a temporary folder of an app that contains the files of `consumer/`. The caller removes it. */
export function consumerFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'rapport-sdk-'))
  cpSync(new URL('./consumer', import.meta.url), folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{ "private": true }')
  return folder
}

/** Packs the built package into `folder` and returns the path of the tarball; in a check that has packed it, of that one. */
export function pack(folder: string): string {
  if (process.env.RAPPORT_TARBALL) return process.env.RAPPORT_TARBALL
  const packed = step('npm pack', root, 'npm', ['pack', '--ignore-scripts', '--json', '--pack-destination', folder])
  const [archive] = JSON.parse(packed) as { filename: string; size: number; entryCount: number }[]
  if (!archive) throw new Error('npm pack returned no tarball.')
  console.log(`     ${archive.filename}: ${archive.entryCount} files, ${Math.round(archive.size / 1000)} kB`)
  return join(folder, archive.filename)
}

/** Installs packages into `folder`, from the cache of npm if possible. */
export function install(name: string, folder: string, packages: readonly string[]): void {
  step(`install ${name}`, folder, 'npm', ['install', '--prefer-offline', '--ignore-scripts', ...packages])
}

/** Returns the files of a tarball, by default of the built package, relative to the folder of the package. */
export function packedFiles(tarball?: string): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'rapport-files-'))
  try {
    const list = step('list of files', root, 'tar', ['-tzf', tarball ?? pack(folder)])
    return list.split('\n').map((path) => path.replace('package/', ''))
  } finally {
    rmSync(folder, { recursive: true })
  }
}
