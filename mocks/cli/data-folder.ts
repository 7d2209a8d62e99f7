import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DEFAULT_NAMESPACE } from '../control/namespaces'
import { assertName } from '../control/row'
import { parseBody } from '../request'
import { type MockSnapshot, readSnapshot } from '../snapshot'

// The folder of `--import` and `--export` contains one file per namespace, such as `default.json`.

export function hasData(folder: string): boolean {
  return existsSync(join(folder, fileOf(DEFAULT_NAMESPACE)))
}

/**
 * Reads the namespaces in a folder.
 * @throws Error with the file if there are none, too many, or one of them is invalid.
 */
export function importData(folder: string, max: number): Record<string, MockSnapshot> {
  // Fails here if the folder has no data.
  const files = [fileOf(DEFAULT_NAMESPACE), ...filesIn(folder).filter((file) => file !== fileOf(DEFAULT_NAMESPACE))]
  if (files.length > max) throw new Error(`${files.length} files of namespaces, at most ${max}; see --max-namespaces`)
  return Object.fromEntries(files.map((file) => [nameOf(file), readSnapshotFile(folder, file)]))
}

function readSnapshotFile(folder: string, file: string): MockSnapshot {
  const text = readFileSync(join(folder, file), 'utf8')
  try {
    assertName('name', nameOf(file))
    const parsed = parseBody(text, Number.POSITIVE_INFINITY)
    // Some messages of the parser quote the file, which contains passwords.
    if (parsed.kind !== 'value') throw new Error('not valid JSON')
    return readSnapshot(parsed.value)
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    throw new Error(`${file}: ${message.replace(/^service\.restore: /, '')}`)
  }
}

/**
 * Writes namespaces to a folder and deletes the files of others. All files are written before the first one is replaced:
 * if that fails, the folder is unchanged.
 */
export function exportData(folder: string, snapshots: Readonly<Record<string, MockSnapshot>>): void {
  mkdirSync(folder, { recursive: true })
  const files = Object.entries(snapshots).map(([name, snapshot]) => {
    const path = join(folder, fileOf(name))
    return { path, temporary: `${path}.${process.pid}.tmp`, snapshot }
  })
  try {
    for (const { temporary, snapshot } of files) {
      // They contain passwords and tokens.
      writeFileSync(temporary, JSON.stringify(snapshot), { mode: 0o600 })
    }
  } catch (error) {
    for (const { temporary } of files) rmSync(temporary, { force: true })
    throw error
  }
  for (const { path, temporary } of files) renameSync(temporary, path)
  const written = new Set(files.map(({ path }) => path))
  for (const file of filesIn(folder)) if (!written.has(join(folder, file))) rmSync(join(folder, file))
}

function filesIn(folder: string): string[] {
  return readdirSync(folder).filter((file) => /^(?:[a-z0-9_.-]|%[0-9A-F]{2})+\.json$/.test(file))
}

/** Returns the file of a namespace: capital letters are encoded, because not all file systems distinguish them. */
function fileOf(name: string): string {
  return `${name.replaceAll(/[A-Z]|^\./g, (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`)}.json`
}

function nameOf(file: string): string {
  return decodeURIComponent(file.slice(0, -'.json'.length))
}
