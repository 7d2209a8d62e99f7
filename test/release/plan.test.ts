import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { keepReports } from './api-files'
import { planRelease, type Release } from './plan'
import { toy, writeToy } from './toy'

let root = ''
const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: 'pipe' })
const plan = (version: string, ...compatible: string[]): Release =>
  planRelease(root, { version, compatible, date: '2026-01-31' })

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'plan-'))
  git('init', '--quiet', '--initial-branch', 'main')
  git('config', 'user.name', 'Toy')
  git('config', 'user.email', 'toy@example.com')
  git('config', 'commit.gpgsign', 'false')
  writeFileSync(join(root, '.gitignore'), 'dist/\n')
  commit({}, '### Added\n\n- All of it.')
})
afterEach(() => rmSync(root, { recursive: true }))

/** Commits the toy with an edit of its declarations, and notes for the next release. */
function commit(
  edit: { readonly from?: string; readonly to?: string },
  notes = '- `Options`, `Shade` and `open`.',
): void {
  const { from = '', to = '' } = edit
  const text = toy['index.d.ts'] ?? ''
  expect(text).toContain(from)
  writeToy(root, { ...toy, 'index.d.ts': text.replace(from, to) })
  keepReports(root)
  const older = '## [1.0.0] - 2025-01-01\n\n- The first.\n'
  writeFileSync(join(root, 'CHANGELOG.md'), `# Changelog\n\n## [Unreleased]\n\n${notes}\n\n${older}`)
  git('add', '.')
  git('commit', '--quiet', '--allow-empty', '--message', 'Change the toy')
}

const options = { from: 'readonly url: string;' }
const added = { ...options, to: 'readonly url: string;\n    readonly wait?: number;' }
const required = { ...options, to: 'readonly url: string;\n    readonly wait: number;' }
const removed = { from: ', open, parts }', to: ', parts }' }
const oneMore = { from: 'readonly DARK: 2;', to: 'readonly DARK: 2;\n    readonly DUSK: 3;' }
const widened = { from: 'Promise<Message$1>', to: 'Promise<Message$1 | null>' }

test('a plan names the version, the tag, the one before and the section of the changelog', () => {
  git('tag', 'v1.2.0')
  commit(added, '### Added\n\n- `Options.wait`.')
  expect(plan('minor')).toEqual({
    version: '1.3.0',
    tag: 'v1.3.0',
    since: 'v1.2.0',
    change: { added: ['Options (toy)'], changed: [], removed: [] },
    section: '## [1.3.0] - 2026-01-31\n\n### Added\n\n- `Options.wait`.\n',
  })
})

test.each([
  ['v1.2.0', 'nothing', '1.2.1', {}],
  ['v1.2.0', 'an option', '1.3.0', added],
  ['v1.2.0', 'a value of an enumeration', '1.3.0', oneMore],
  ['v1.2.0', 'a removed export', '2.0.0', removed],
  ['v1.2.0', 'a required member', '2.0.0', required],
  ['v1.2.0', 'a changed signature', '2.0.0', widened],
  ['v0.2.0', 'an option', '0.3.0', added],
  ['v0.2.0', 'a removed export', '0.3.0', removed],
])('after %s, %s asks for %s or more', (tag, _, least, edit) => {
  git('tag', tag)
  commit(edit, '- `Options`, `Shade`, `Client` and `open`.')
  const passes = ['patch', 'minor', 'major'].flatMap((level) => {
    try {
      return [plan(level).version]
    } catch (error) {
      expect(String(error)).toContain(`is not enough; ${least} is.`)
      return []
    }
  })
  expect(passes[0]).toBe(least)
  expect(passes.at(-1)).toBe(tag === 'v1.2.0' ? '2.0.0' : '1.0.0')
})

test('a change that was read and breaks nothing may be in a minor version, by its name', () => {
  git('tag', 'v1.2.0')
  commit(widened)
  expect(() => plan('minor')).toThrow('After 1.2.0, 1.3.0 is not enough; 2.0.0 is. Gone or changed: Client (toy)')
  expect(plan('minor', 'Client').version).toBe('1.3.0')
  expect(() => plan('patch', 'Client')).toThrow('1.3.0 is. New: Client (toy)')
})

test('what went cannot be called compatible', () => {
  git('tag', 'v1.2.0')
  commit(removed)
  expect(() => plan('minor', 'open')).toThrow('Gone or changed: open (toy)')
})

test('a name that is mentioned and no more exported is gone; one that was only mentioned is not', () => {
  git('tag', 'v1.2.0')
  commit({ from: 'type Options, ', to: '' })
  expect(plan('major').change).toEqual({ added: ['[internal] Options (toy)'], changed: [], removed: ['Options (toy)'] })
  git('tag', 'v2.0.0')
  commit({ from: 'message: Message, ', to: 'message: string, ' }, '- `Client`, `Options`.')
  expect(plan('major').change).toMatchObject({ added: ['Options (toy)'], changed: ['Client (toy)'], removed: [] })
})

test('notes that do not name what went or changed are refused', () => {
  git('tag', 'v1.2.0')
  commit(removed, '### Removed\n\n- Something.')
  expect(() => plan('major')).toThrow('The notes under [Unreleased] do not say what became of open (toy).')
})

test('the highest tag counts, and those that are no versions do not', () => {
  for (const tag of ['v1.9.0', 'v1.10.0', 'v-next', 'note']) git('tag', tag)
  expect(plan('patch')).toMatchObject({ version: '1.10.1', since: 'v1.10.0' })
})

test('without a tag, the version of package.json may be released, which never was', () => {
  expect(plan('1.2.0')).toMatchObject({ tag: 'v1.2.0', since: undefined })
  expect(() => plan('1.1.9')).toThrow('1.1.9 is not after 1.2.0.')
  git('tag', 'v1.2.0')
  expect(() => plan('1.2.0')).toThrow('1.2.0 is not after 1.2.0.')
})

test.each(['', 'next', '1.3', 'v1.3.0', '1.3.0-beta.1', '1.3.0+1'])('"%s" is no version to release', (version) => {
  expect(() => plan(version)).toThrow(`"${version}" is none of patch, minor, major and x.y.z.`)
})

test('a tree with open changes, another branch and an empty changelog are refused', () => {
  writeFileSync(join(root, 'left.txt'), '')
  expect(() => plan('minor')).toThrow('Commit these first:\n?? left.txt')
  rmSync(join(root, 'left.txt'))
  git('switch', '--quiet', '--create', 'other')
  expect(() => plan('minor')).toThrow('Releases are made on main; this is other.')
  git('switch', '--quiet', 'main')
  commit({}, '### Added\n')
  expect(() => plan('minor')).toThrow('CHANGELOG.md has no notes under [Unreleased].')
})

test('a plan changes nothing', () => {
  git('tag', 'v1.2.0')
  const before = [git('rev-parse', 'HEAD'), git('tag'), readFileSync(join(root, 'package.json'), 'utf8')]
  plan('minor')
  expect([git('rev-parse', 'HEAD'), git('tag'), readFileSync(join(root, 'package.json'), 'utf8')]).toEqual(before)
  expect(git('status', '--porcelain')).toBe('')
})
