// `npm run release:dry -- minor`: rehearses a release in a folder of its own. Nothing is tagged, published or changed but dist/.
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { step } from '../package/step'
import { released } from './changelog'
import { planRelease } from './plan'

const root = process.cwd()
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { compatible: { type: 'string', default: '' } },
})
const date = new Date().toISOString().slice(0, 10)
const folder = mkdtempSync(join(tmpdir(), 'release-'))
const copy = join(folder, 'package')

try {
  const [version] = positionals
  if (!version) throw new Error('Say what to release: npm run release:dry -- patch | minor | major | x.y.z')
  const release = planRelease(root, { version, compatible: values.compatible.split(','), date })

  // What is packed is the tree with the version and the changelog of the release, which the tree itself has not.
  step('npm pack', root, 'npm', ['pack', '--pack-destination', folder])
  step('npm run api -- --check', root, 'npm', ['run', 'api', '--', '--check'])
  step('unpack', folder, 'tar', ['-xzf', ...readdirSync(folder)])
  const flags = ['--no-git-tag-version', '--allow-same-version', '--ignore-scripts']
  step(`npm version ${release.version}`, copy, 'npm', ['version', release.version, ...flags])
  const changelog = readFileSync(join(root, 'CHANGELOG.md'), 'utf8')
  writeFileSync(join(copy, 'CHANGELOG.md'), released(changelog, release.version, date))
  const packed = step('npm pack --dry-run', copy, 'npm', ['pack', '--dry-run', '--ignore-scripts', '--json'])
  const publish = ['publish', '--provenance', '--dry-run', '--ignore-scripts']
  step('npm publish --provenance --dry-run', copy, 'npm', publish)

  const { repository }: { repository?: unknown } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const [tarball] = JSON.parse(packed) as { filename: string; size: number; entryCount: number }[]
  const { added, changed, removed } = release.change
  console.log(`
${tarball?.filename}: ${tarball?.entryCount} files, ${Math.round((tarball?.size ?? 0) / 1000)} kB
tag ${release.tag}, after ${release.since ?? 'no release'}
new: ${added.join(', ') || 'nothing'}
changed: ${changed.join(', ') || 'nothing'}
gone: ${removed.join(', ') || 'nothing'}
left out: the login, and the provenance, which npm signs only in a CI with OIDC as it publishes${repository ? '' : '; it needs `repository` in package.json'}

${release.section}`)
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
} finally {
  rmSync(folder, { recursive: true })
}
