import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { released, unreleased } from './changelog'
import { writeToy } from './toy'

const script = fileURLToPath(new URL('dry-run.ts', import.meta.url))
const tsx = import.meta.resolve('tsx')

let root = ''
const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: 'pipe' })
// Nothing listens at this registry, so nothing can be published either.
const env = { ...process.env, npm_config_registry: 'http://127.0.0.1:9', npm_config_fetch_retries: '0' }
const dryRun = (...args: string[]) =>
  spawnSync(process.execPath, ['--import', tsx, script, ...args], { cwd: root, encoding: 'utf8', env })

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'dry-run-'))
  git('init', '--quiet', '--initial-branch', 'main')
  for (const [key, value] of [
    ['user.name', 'Toy'],
    ['user.email', 'toy@example.com'],
    ['commit.gpgsign', 'false'],
  ] as const) {
    git('config', key, value)
  }
  writeToy(root)
  writeFileSync(join(root, 'CHANGELOG.md'), '# Changelog\n\n## [Unreleased]\n\n### Fixed\n\n- A gap.\n')
  git('add', '.')
  git('commit', '--quiet', '--message', 'Add the toy')
  git('tag', 'v1.2.0')
})
afterEach(() => rmSync(root, { recursive: true }))

test('a dry run packs and publishes in pretence, shows what would be, and changes nothing', { timeout: 60_000 }, () => {
  const head = git('rev-parse', 'HEAD')
  const { status, stdout, stderr } = dryRun('patch')
  expect(stderr).toBe('')
  expect(stdout).toMatch(/^ok {3}npm publish --provenance --dry-run /m)
  expect(stdout).toMatch(/^toy-1\.2\.1\.tgz: \d+ files, \d+ kB$/m)
  expect(stdout).toContain('tag v1.2.1, after v1.2.0\nnew: nothing\nchanged: nothing\ngone: nothing\n')
  expect(stdout).toMatch(/^left out: the login, and the provenance.*it needs `repository` in package\.json$/m)
  expect(stdout).toMatch(/## \[1\.2\.1\] - \d{4}-\d\d-\d\d\n\n### Fixed\n\n- A gap\.\n/)
  expect(status).toBe(0)
  expect([git('status', '--porcelain'), git('tag'), git('rev-parse', 'HEAD')]).toEqual(['', 'v1.2.0\n', head])
})

test('a dry run that is refused says why in a line, and fails', { timeout: 60_000 }, () => {
  const { status, stderr } = dryRun('1.1.0')
  expect([status, stderr]).toEqual([1, '1.1.0 is not after 1.2.0.\n'])
  expect(dryRun().stderr).toBe('Say what to release: npm run release:dry -- patch | minor | major | x.y.z\n')
})

test('a release moves the notes to a section of its own and leaves [Unreleased] empty', () => {
  const before = '# Changelog\n\n## [Unreleased]\n\n- New: `a`.\n\n## [1.0.0] - 2025-01-01\n\n- The first.\n'
  const after = released(before, '1.1.0', '2026-01-31')
  expect(after).toBe(
    '# Changelog\n\n## [Unreleased]\n\n## [1.1.0] - 2026-01-31\n\n- New: `a`.\n\n## [1.0.0] - 2025-01-01\n\n- The first.\n',
  )
  expect(unreleased(after)).toBe('')
})

test('a changelog without [Unreleased] is refused', () => {
  expect(() => unreleased('# Changelog\n')).toThrow('CHANGELOG.md has no line "## [Unreleased]".')
})
