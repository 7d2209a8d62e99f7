import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { type Source, sources, textOf } from './sources'

const src = sources('src')
const mocks = sources('mocks')
const byPath = new Map([...src, ...mocks].map((source) => [source.path, source]))

/** Returns the files of the project that a file imports, types included. */
function importedBy({ imports }: Source): Source[] {
  return imports.flatMap(({ target }) => byPath.get(`${target}.ts`) ?? byPath.get(`${target}/index.ts`) ?? [])
}

/** The rooms of `src/` in the order of their dependencies: each may import itself and those above it, types included. */
const ROOMS = [
  'src/internal',
  'src/contract',
  'src/types',
  'src/errors',
  'src/abort.ts',
  'src/components',
  'src/interactions',
  'src/preview',
  'src/webauthn',
  'src/session',
  'src/storage.ts',
  'src/node',
  'src/transport',
  'src/mfa',
  'src/dialog',
  'src/locales',
  'src/gateway',
  'src/live',
  'src/resources',
  'src/client',
  'src/core.ts',
  'src/index.ts',
  'src/doctor',
  'src/otel',
  'src/query',
  'src/react',
  'src/redis',
  'src/server',
  'src/zod',
]

const roomOf = ({ path }: Source): number => ROOMS.findIndex((room) => path === room || path.startsWith(`${room}/`))

/** Returns the import cycles that a depth-first search finds, each as a line. */
function cyclesOf(files: readonly Source[]): string[] {
  const done = new Set<Source>()
  const cycles: string[] = []
  const visit = (source: Source, trail: readonly Source[]): void => {
    const at = trail.indexOf(source)
    if (at >= 0) cycles.push([...trail.slice(at), source].map(({ path }) => path).join(' → '))
    if (at >= 0 || done.has(source)) return
    for (const imported of importedBy(source)) visit(imported, [...trail, source])
    done.add(source)
  }
  for (const source of files) visit(source, [])
  return cycles
}

test('every file of src belongs to a room', () => {
  expect(src.filter((source) => roomOf(source) < 0).map(({ path }) => path)).toEqual([])
})

test('CONTRIBUTING.md lists the rooms of src in this order', () => {
  const listed = [...textOf('CONTRIBUTING.md').matchAll(/^(src\/[\w.-]+)\/? {2,}/gm)].map(([, room]) => room)
  expect(listed).toEqual(ROOMS)
})

test.each(ROOMS)('%s imports only rooms above it, types included', (room) => {
  const files = src.filter((source) => ROOMS[roomOf(source)] === room)
  expect(files.length).toBeGreaterThan(0)
  const lines = files.flatMap((source) =>
    importedBy(source)
      .filter((imported) => roomOf(imported) > roomOf(source))
      .map(({ path }) => `${source.path} imports ${path}`),
  )
  expect(lines).toEqual([])
})

test('the search for cycles finds one', () => {
  const [one, other] = ['one', 'other'].map((path) => ({ ...(src[0] as Source), path: `src/${path}.ts` }))
  if (one === undefined || other === undefined) throw new Error('src has no files.')
  byPath.set(one.path, { ...one, imports: [{ target: 'src/other', isTypeOnly: true, binding: '' }] })
  byPath.set(other.path, { ...other, imports: [{ target: 'src/one', isTypeOnly: true, binding: '' }] })
  const cycles = cyclesOf([byPath.get(one.path) as Source])
  for (const { path } of [one, other]) byPath.delete(path)
  expect(cycles).toEqual(['src/one.ts → src/other.ts → src/one.ts'])
})

test('src and mocks have no import cycle, types included', () => {
  expect(cyclesOf([...src, ...mocks])).toEqual([])
})

/** Entries with a limit of their own: their files, and the largest number of lines and files. */
const ENTRIES = [
  { name: 'cookie sessions', files: /^src\/server\//, lines: 697, count: 6 },
  {
    name: 'custom IDs and the router',
    files: /^src\/(?:components\/custom-id\.ts|interactions\/)/,
    lines: 594,
    count: 3,
  },
  { name: 'data for the first render', files: /^src\/live\/dehydrate\.ts$/, lines: 71, count: 1 },
  { name: 'queries for TanStack Query', files: /^src\/query\//, lines: 247, count: 1 },
  { name: 'the doctor with conventions and drift', files: /^src\/doctor\//, lines: 2186, count: 10 },
  { name: 'spans and metrics', files: /^src\/otel\//, lines: 350, count: 4 },
  { name: 'stubs of the mock', files: /^mocks\/stubs\//, lines: 245, count: 1 },
  { name: 'recordings of the mock', files: /^mocks\/(?:recording\/|cli\/record\.ts$)/, lines: 1483, count: 9 },
  { name: 'factories and fixtures of tests', files: /^mocks\/fixtures\//, lines: 659, count: 5 },
  { name: 'the dialog', files: /^src\/dialog\//, lines: 825, count: 6 },
  { name: 'the preview', files: /^src\/preview\//, lines: 1298, count: 6 },
  { name: 'changes of messages', files: /^src\/components\/changes\.ts$/, lines: 180, count: 1 },
]
/** Data, which is not counted. */
const LOCALES = /^src\/locales\//
const entryOf = ({ path }: Source) => ENTRIES.find(({ files }) => files.test(path))

test.each(ENTRIES)('$name have at most $lines lines in $count files', ({ files, lines, count }) => {
  const own = [...src, ...mocks].filter(({ path }) => files.test(path))
  expect(own.length).toBeGreaterThan(0)
  expect(own.length).toBeLessThanOrEqual(count)
  expect(own.reduce((sum, { text }) => sum + text.trimEnd().split('\n').length, 0)).toBeLessThanOrEqual(lines)
})

test('src and mocks have at most 202 files without these entries and the languages, and mocks at most 22 at its top level', () => {
  expect(src.length).toBeGreaterThan(60)
  expect(mocks.length).toBeGreaterThan(30)
  expect(
    [...src, ...mocks].filter((source) => !entryOf(source) && !LOCALES.test(source.path)).length,
  ).toBeLessThanOrEqual(202)
  expect(mocks.filter(({ path }) => path.split('/').length === 2).length).toBeLessThanOrEqual(22)
})

const run = promisify(execFile)
const { stdout } = await run(process.execPath, ['--import', 'tsx', 'test/architecture/flows.ts'])
const flows: Readonly<Record<string, readonly string[]>> = JSON.parse(stdout)

test.each([
  ['for the second GET of a client', 'get', 16],
  ['for a step-up, including a new client', 'stepUp', 22],
  ['from a gateway frame to the listener of a live store', 'event', 10],
])('the number of files of src that run is limited: %s', (_, flow, limit) => {
  const files = flows[flow] ?? []
  expect(files).toContain(flow === 'event' ? 'live/live-store.ts' : 'transport/send.ts')
  expect(files.length, files.join(', ')).toBeLessThanOrEqual(limit)
})
