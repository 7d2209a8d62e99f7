import { expect, test } from 'vitest'
import { CONVENIENCES, idleClient, resourceCalls } from '../contract/client-methods'
import { citedSections, methodDocstrings, typeDocstrings } from './docstrings'
import { sources, textOf } from './sources'

const resources = sources('src/resources').flatMap(methodDocstrings)
const document = textOf('docs/interface.md')
const headings = Array.from(document.matchAll(/^#{2,3} (.+)$/gm), ([, heading = '']) => heading)

/** Whether the document has a section of that name: notes in brackets may be left out, and the end as `…` marks it. */
function isSection(name: string): boolean {
  const start = /^[A-K]\.(?= …$|$)/.exec(name)?.[0]
  if (start !== undefined) return headings.some((heading) => heading.startsWith(`${start} `))
  return headings.some((heading) => heading === name || heading.replace(/ \(.*\)$/, '') === name)
}

test('every method of every resource is found here', () => {
  expect(resources).toHaveLength(resourceCalls(idleClient()).length)
})

test('every method of a resource says where in the interface it is from', () => {
  const conveniences = CONVENIENCES.map((call) => call.split('.').at(-1) ?? '')
  const uncited = resources.filter(({ text }) => citedSections(text).length === 0)
  // A convenience that is made of one documented call links to that instead.
  const unlinked = uncited.filter(({ name, text }) => {
    return !(conveniences.some((method) => name.endsWith(`.${method}`)) && /\{@link \w+\.create\}/.test(text))
  })
  expect(unlinked.map(({ name }) => name)).toEqual([])
})

test('every type of the contract and every property of it has a comment', () => {
  const types = sources('src/contract').flatMap(typeDocstrings)
  expect(types.length).toBeGreaterThan(250)
  const internal = /src\/contract\/(?:endpoint|validate|schema)\.ts/
  expect(types.filter(({ name, text }) => text === '' && !internal.test(name)).map(({ name }) => name)).toEqual([])
})

test('every interface of the contract says where in the document it is from', () => {
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

test('the sections that are cited are many', () => {
  expect(bySection.size).toBeGreaterThan(25)
})

test.each([...bySection.keys()])('the interface document has a section "%s"', (section) => {
  const paths = [...(bySection.get(section) ?? [])]
  expect(isSection(section) ? [] : paths).toEqual([])
})

test.each(headings.filter((heading) => /^[A-K]\. /.test(heading)))(
  'the calls of "%s" cite it, or a part of it',
  (section) => {
    const text = [...sources('src/contract'), ...sources('src/resources')].map((source) => source.text).join('\n')
    expect(citedSections(text)).toContain(section)
  },
)
