// Writes llms.txt (https://llmstxt.org) from the guides, the examples' table and the contract; with `--check` it only compares.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { endpoints } from '../../src/contract'
import { anchorsOf } from './links'
import { root } from './sources'

/** Larger than this and nobody puts it into a context. */
const MOST_BYTES = 20_000

const read = (path: string): string => readFileSync(join(root, path), 'utf8')
const item = (name: string, path: string, note: string): string => `- [${name}](${path}): ${note}`

/** A document by its title and its first sentence. */
function documentItem(path: string): string {
  const [, title = path, sentence = ''] = /^# (.+)\n\n([\s\S]+?\.)(?=\s)/.exec(read(path)) ?? []
  return item(title, path, sentence.replaceAll('\n', ' '))
}

const examples = [...read('examples/README.md').matchAll(/^\| \[([\w-]+\.ts)\]\(\.\/[\w-]+\.ts\) \| (.+) \|$/gm)]
const exampleItems = examples.map(([, name = '', shows = '']) => item(name, `examples/${name}`, shows))

const document = read('docs/interface.md')

/** The anchor of the section of the interface document that has an endpoint. */
function sectionOf(method: string, path: string): string {
  const row = document.indexOf(`| ${method} | ${path} |`)
  const anchor = anchorsOf(document.slice(0, row)).at(-1)
  if (row < 0 || anchor === undefined) throw new Error(`The interface document has no ${method} ${path}.`)
  return anchor
}

const callItems = endpoints.map(({ call, endpoint: { name, method, path } }) =>
  item(`\`${call}\``, `docs/interface.md#${sectionOf(method, path)}`, `${method} ${path}, ${name}`),
)

const documents: string[] = JSON.parse(read('typedoc.json')).projectDocuments
const guides = documents.filter((path) => path.startsWith('docs/guides/'))
const { description } = JSON.parse(read('package.json'))

const text = `# rapport-sdk

> ${description} All ${endpoints.length} HTTP endpoints are typed methods of one \`Client\`, checked before they are sent; 401 with code 60003 (step-up) is answered by one handler, \`onMfaRequired\`; events of the gateway, lists that follow them, and builders of message and modal components are in the same package. \`rapport-sdk/mocks\` is the service in memory, for tests.

- Calls take path parameters first, then \`params\` by wire name, then \`options\`; they give a promise of the data, and \`.withResponse()\` adds status, headers and attempts.
- The calls below are one for each endpoint; beside them are \`auth.loginWithPasskey\`, \`relationships.accept\` and \`block\`, \`gameRelationships.accept\`, \`live()\` of three lists, \`client.request\`, \`as\`, \`suspended\`, \`on\`, \`session\`, \`gateway\` and \`dispose\`.
- Every error is a \`RapportError\` with a literal \`name\` and a guard, such as \`isApiError\`.
- What the interface document does not show (the form of \`Authorization\`, the envelope of errors, the gateway's frames, what refuses a second factor) is a convention that an option replaces.
- Entries: \`rapport-sdk\`, \`rapport-sdk/components\`, \`/preview\`, \`/storage\`, \`/webauthn\`, \`/mocks\`, \`/mocks/msw\`, \`/mocks/node\`.

## Guides

${guides.map(documentItem).join('\n')}

## Reference

${[
  item('README', 'README.md', 'Every part once, each with a block that runs.'),
  item(
    'API reference',
    'docs/api/index.txt',
    'Every export with its members, without comments; the `.d.ts` files of the package have those. Other entries are beside it.',
  ),
  item('Components', 'docs/components.md', 'Every component, factory, field and limit.'),
  item('Interface document', 'docs/interface.md', 'What the service does, as far as it is shown.'),
  item('Limits', 'docs/interface.md#limits', 'Lengths, counts and lifetimes, in one table.'),
  item('Security', 'SECURITY.md', 'What is promised, what is not, and how to report.'),
  item('Changelog', 'CHANGELOG.md', 'What changed for users, by version.'),
].join('\n')}

## Examples

${exampleItems.join('\n')}

## Calls

${callItems.join('\n')}
`

const path = join(root, 'llms.txt')
const bytes = Buffer.byteLength(text)
if (bytes > MOST_BYTES) throw new Error(`llms.txt would be ${bytes} bytes, more than ${MOST_BYTES}.`)
if (exampleItems.length === 0) throw new Error('examples/README.md has no table of examples.')
if (!process.argv.includes('--check')) writeFileSync(path, text)
else if (text !== readFileSync(path, 'utf8')) {
  console.error('llms.txt is not what the guides, examples and endpoints say: run `npx tsx test/docs/llms.ts`.')
  process.exitCode = 1
} else
  console.log(`llms.txt has ${guides.length} guides, ${exampleItems.length} examples and ${callItems.length} calls.`)
