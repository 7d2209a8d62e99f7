import { cpSync, mkdtempSync, writeFileSync } from 'node:fs'
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

/** Packs the built package into `folder` and returns the path of the tarball. */
export function pack(folder: string): string {
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
