import { expect, test } from 'vitest'
import { CONVENIENCES, idleClient, resourceCalls } from '../contract/endpoint-table'
import { citedSections, methodDocstrings, sources, textOf, typeDocstrings } from './sources'

const resources = sources('src/resources').flatMap(methodDocstrings)
const document = textOf('docs/interface.md')
const headings = Array.from(document.matchAll(/^#{2,3} (.+)$/gm), ([, heading = '']) => heading)

/** Whether the API document has a section. The name may omit notes in brackets, and `A. …` stands for a whole title. */
function isSection(name: string): boolean {
  const start = /^[A-K]\.(?= …$|$)/.exec(name)?.[0]
  if (start !== undefined) return headings.some((heading) => heading.startsWith(`${start} `))
  return headings.some((heading) => heading === name || heading.replace(/ \(.*\)$/, '') === name)
}

test('the docstrings of all resource methods are checked', () => {
  expect(resources).toHaveLength(resourceCalls(idleClient()).length)
})

test('every resource method cites its section of the API document', () => {
  const conveniences = CONVENIENCES.map((call) => call.split('.').at(-1) ?? '')
  const uncited = resources.filter(({ text }) => citedSections(text).length === 0)
  // A convenience method links to the documented call that it uses.
  const unlinked = uncited.filter(({ name, text }) => {
    return !(conveniences.some((method) => name.endsWith(`.${method}`)) && /\{@link \w+\.create\}/.test(text))
  })
  expect(unlinked.map(({ name }) => name)).toEqual([])
})

test('every type of the contract and each of its properties has a comment', () => {
  const types = sources('src/contract').flatMap(typeDocstrings)
  expect(types.length).toBeGreaterThan(250)
  const internal = /src\/contract\/(?:endpoint|validate|schema)\.ts/
  expect(types.filter(({ name, text }) => text === '' && !internal.test(name)).map(({ name }) => name)).toEqual([])
})

test('every type of the contract cites its section of the API document', () => {
  const internal = /src\/contract\/(?:endpoint|validate|schema|index)\.ts/
  const all = sources('src/contract').flatMap(typeDocstrings)
  const interfaces = all.filter(({ name, text }) => /\.ts \w+$/.test(name) && !/^\/\*\* One of \{@link/.test(text))
  expect(interfaces.length).toBeGreaterThan(60)
  const uncited = interfaces.filter(({ name, text }) => citedSections(text).length === 0 && !internal.test(name))
  expect(uncited.map(({ name }) => name)).toEqual([])
})

const cited = [...sources('src'), ...sources('mocks')].flatMap(({ path, text }) =>
  citedSections(text).map((section) => [section, path] as const),
)
const bySection = new Map<string, Set<string>>()
for (const [section, path] of cited) bySection.set(section, new Set([...(bySection.get(section) ?? []), path]))

test('more than 25 sections of the API document are cited', () => {
  expect(bySection.size).toBeGreaterThan(25)
})

test.each([...bySection.keys()])('the API document has a section "%s"', (section) => {
  const paths = [...(bySection.get(section) ?? [])]
  expect(isSection(section) ? [] : paths).toEqual([])
})

test.each(headings.filter((heading) => /^[A-K]\. /.test(heading)))(
  'the contract and the resources cite the section "%s"',
  (section) => {
    const text = [...sources('src/contract'), ...sources('src/resources')].map((source) => source.text).join('\n')
    expect(citedSections(text)).toContain(section)
  },
)
