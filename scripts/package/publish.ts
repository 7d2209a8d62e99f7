// Runs `npm publish --dry-run` for the built package; npm must have nothing to correct in package.json. With `--release`, also
// fails if changesets are pending or CHANGELOG.md has no section of the version.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { filesIn } from '../docs/sources'
import { root } from './step'

const { version }: { version: string } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const { status, stderr } = spawnSync('npm', ['publish', '--dry-run', '--ignore-scripts'], {
  cwd: root,
  encoding: 'utf8',
})
const warnings = stderr.match(/^npm warn publish .*/gm) ?? []
const problems = warnings.filter((line) => !line.includes('requires you to be logged in'))
if (status !== 0) problems.push(stderr)
if (process.argv.includes('--release')) {
  const pending = filesIn('.changeset', '.md').filter((path) => !path.endsWith('README.md'))
  if (pending.length > 0) problems.push(`Run \`npx changeset version\` first: ${pending.join(', ')} are pending.`)
  if (!readFileSync(join(root, 'CHANGELOG.md'), 'utf8').split('\n').includes(`## ${version}`))
    problems.push(`CHANGELOG.md has no section "${version}", or calls it unreleased.`)
}
console.log((stderr.match(/^npm notice (?:package size|unpacked size|total files).*/gm) ?? []).join('\n'))
for (const problem of problems) console.error(problem)
if (problems.length > 0) process.exitCode = 1
