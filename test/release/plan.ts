// What the next release would be, from the repository as it is; refuses what CONTRIBUTING.md, "Versions", does.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import semver from 'semver'
import { type ApiChange, apiChange } from './api-change'
import { section, unreleased } from './changelog'

/** A release as it would be. */
export interface Release {
  readonly version: string
  readonly tag: string
  /** The tag of the release before; `undefined` for the first one. */
  readonly since: string | undefined
  readonly change: ApiChange
  /** Its section of the changelog. */
  readonly section: string
}

/** What to release. */
export interface Wanted {
  /** `patch`, `minor`, `major` or a version. */
  readonly version: string
  /** Names whose text changed and that were read and found to break nothing, such as a response with one more value. */
  readonly compatible: readonly string[]
  /** `2026-01-31` */
  readonly date: string
}

const LEVELS = ['patch', 'minor', 'major'] as const

/** Plans a release. @throws Error that says what is missing or what the version must be at least. */
export function planRelease(root: string, { version: wanted, compatible, date }: Wanted): Release {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trimEnd()
  const branch = git('branch', '--show-current')
  if (branch !== 'main') throw new Error(`Releases are made on main; this is ${branch || 'no branch'}.`)
  const open = git('status', '--porcelain')
  if (open) throw new Error(`Commit these first:\n${open}`)
  const notes = unreleased(readFileSync(join(root, 'CHANGELOG.md'), 'utf8'))
  if (!notes) throw new Error('CHANGELOG.md has no notes under [Unreleased].')

  const since = git('tag', '--list', 'v*')
    .split('\n')
    .filter((tag) => semver.valid(tag))
    .sort(semver.rcompare)[0]
  const { version: current }: { version: string } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const base = since ? since.slice(1) : current
  const version = nextVersion(base, wanted, since !== undefined)

  const reports = (revision: string) => {
    const files = git('ls-tree', '--name-only', revision, 'docs/api/').split('\n').filter(Boolean)
    return new Map(files.map((file) => [file, git('show', `${revision}:${file}`)]))
  }
  const change = since ? apiChange(reports(since), reports('HEAD')) : { added: [], changed: [], removed: [] }
  if (since) refuse(base, version, change, compatible, notes)
  return { version, tag: `v${version}`, since, change, section: section(version, date, notes) }
}

/** A version that was never out may be released as it is. */
function nextVersion(base: string, wanted: string, isOut: boolean): string {
  const level = LEVELS.find((name) => name === wanted)
  const version = level ? semver.inc(base, level) : wanted
  if (!version || semver.valid(version) !== version || semver.prerelease(version)) {
    throw new Error(`"${wanted}" is none of patch, minor, major and x.y.z.`)
  }
  if (isOut ? semver.lte(version, base) : semver.lt(version, base)) {
    throw new Error(`${version} is not after ${base}.`)
  }
  return version
}

function refuse(base: string, version: string, change: ApiChange, compatible: readonly string[], notes: string): void {
  const shortName = (name: string) => name.replace(/^\[internal\] | \(.*/g, '')
  const changed = change.changed.filter((name) => !compatible.includes(shortName(name)))
  const breaks = [...change.removed, ...changed]
  const isNew = change.added.length + change.changed.length > 0
  const isBelowOne = semver.major(base) === 0
  const level = breaks.length > 0 ? (isBelowOne ? 'minor' : 'major') : isNew ? 'minor' : 'patch'
  const least = semver.inc(base, level) ?? base
  if (semver.lt(version, least)) {
    const why =
      breaks.length > 0
        ? `Gone or changed: ${breaks.join(', ')}`
        : `New: ${[...change.added, ...change.changed].join(', ')}`
    throw new Error(`After ${base}, ${version} is not enough; ${least} is. ${why}`)
  }
  const untold = breaks.filter((name) => !notes.includes(shortName(name)))
  if (untold.length > 0) throw new Error(`The notes under [Unreleased] do not say what became of ${untold.join(', ')}.`)
}
