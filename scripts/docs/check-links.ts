import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { packedFiles } from '../package/pack'
import { brokenLinks, type Lookup, linksOf } from './links'
import { filesIn, root } from './sources'

// Fails for broken links in Markdown files, in the repository or in the package, and for guides that are not on the site.

const TOP = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md', 'AGENTS.md', 'llms.txt']

const read = (path: string): string => readFileSync(join(root, path), 'utf8')
const lookup: Lookup = (path) => {
  const stats = statSync(join(root, path), { throwIfNoEntry: false })
  if (stats === undefined) return undefined
  return stats.isFile() && path.endsWith('.md') ? read(path) : true
}

const packed = new Set(packedFiles())
/** Looks up files of the package. Images are only in the repository. */
const packedLookup: Lookup = (path) => (packed.has(path) || path.endsWith('.png') ? lookup(path) : undefined)

const guides = filesIn('docs/guides', '.md')
const files = [
  ...TOP,
  'examples/README.md',
  'examples/apps/next/README.md',
  'examples/apps/react/README.md',
  'examples/apps/react-router/README.md',
  'examples/apps/sveltekit/README.md',
  'examples/apps/vanilla/README.md',
  'examples/bots/README.md',
  'examples/containers/README.md',
  'examples/other-languages/README.md',
  ...filesIn('docs', '.md'),
]
const site: unknown[] = JSON.parse(read('typedoc.json')).projectDocuments
const problems = [
  ...files.flatMap((file) => brokenLinks(file, read(file), lookup)),
  ...files
    .filter((file) => packed.has(file))
    .flatMap((file) => brokenLinks(file, read(file), packedLookup))
    .map((problem) => `in the package, ${problem}`),
  ...guides.filter((guide) => !site.includes(guide)).map((guide) => `${guide} is not in typedoc.json`),
  ...site
    .filter((path) => lookup(String(path)) === undefined)
    .map((path) => `typedoc.json names ${path}, which does not exist`),
]

for (const problem of problems) console.error(problem)
if (problems.length > 0) process.exitCode = 1
else console.log(`${files.flatMap((file) => linksOf(read(file))).length} links of ${files.length} files are valid.`)
