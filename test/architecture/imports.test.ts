import { describe, expect, test } from 'vitest'
import { type Import, type Source, sources } from './sources'

const src = sources('src')
const mocks = sources('mocks')

/** The imports of files that break a rule, as lines that name them. */
function offenders(files: readonly Source[], breaks: (source: Source, given: Import) => boolean): string[] {
  return files.flatMap((source) =>
    source.imports.filter((given) => breaks(source, given)).map(({ target }) => `${source.path} imports ${target}`),
  )
}

const below = (folder: string) => (path: string) => path.startsWith(`${folder}/`)
const isOurs = (target: string) => /^(?:src|mocks|test|examples)\//.test(target)

/** The files that an entry loads, types aside. */
function loadedBy(entry: string): Source[] {
  const loaded = new Set<Source>()
  const load = (path: string): void => {
    const source = [...src, ...mocks].find((file) => [path, `${path}.ts`, `${path}/index.ts`].includes(file.path))
    if (source === undefined || loaded.has(source)) return
    loaded.add(source)
    for (const { target, isTypeOnly } of source.imports) if (!isTypeOnly) load(target)
  }
  load(entry)
  return [...loaded]
}

test('the sources are read with their imports', () => {
  expect(src.length).toBeGreaterThan(60)
  expect(mocks.length).toBeGreaterThan(40)
  const { imports } = src.find(({ path }) => path === 'src/internal/emitter.ts') ?? { imports: [] }
  expect(imports.map(({ target }) => target)).toContain('eventemitter3')
})

describe('imports point one way', () => {
  const within = (folder: string, ...allowed: readonly string[]) =>
    offenders(
      src.filter(({ path }) => below(folder)(path)),
      (_, { target, isTypeOnly }) => {
        return isOurs(target) && !isTypeOnly && ![folder, ...allowed].some((name) => below(name)(target))
      },
    )

  test('what is internal imports nothing else of ours', () => {
    expect(within('src/internal')).toEqual([])
  })

  test('the contract imports nothing of ours but what is internal', () => {
    expect(within('src/contract', 'src/internal')).toEqual([])
  })

  test('errors import the contract and what is internal', () => {
    expect(within('src/errors', 'src/contract', 'src/internal')).toEqual([])
  })

  test('resources import neither the client nor the entry', () => {
    expect(
      offenders(
        src.filter(({ path }) => below('src/resources')(path)),
        (_, { target }) => ['src/client', 'src/index'].includes(target),
      ),
    ).toEqual([])
  })

  test('nothing of the package imports its entry, the mocks or the tests', () => {
    expect(
      offenders(src, (_, { target }) => target === 'src/index' || /^(?:mocks|test|examples)\//.test(target)),
    ).toEqual([])
  })

  test('nothing but the client and the entry imports resources', () => {
    const others = src.filter(({ path }) => !below('src/resources')(path) && !/^src\/(?:client|index)\.ts$/.test(path))
    expect(offenders(others, (_, { target, isTypeOnly }) => below('src/resources')(target) && !isTypeOnly)).toEqual([])
  })
})

describe('packages are imported where they belong', () => {
  test('nothing of Node by the package: it runs in browsers and workers', () => {
    expect(offenders(src, (_, { target }) => target.startsWith('node:'))).toEqual([])
  })

  test('nothing of Node by the mocks, but where they listen and are run', () => {
    const doors = ['mocks/node.ts', 'mocks/node-webauthn.ts', 'mocks/cli.ts']
    const others = mocks.filter(({ path }) => !doors.includes(path))
    expect(offenders(others, (_, { target }) => target.startsWith('node:'))).toEqual([])
  })

  test.each([
    'mocks/index.ts',
    'mocks/msw.ts',
    'src/components/index.ts',
    'src/index.ts',
    'src/preview/index.ts',
    'src/storage.ts',
    'src/webauthn/index.ts',
  ])('nothing of Node by anything that %s loads', (entry) => {
    const loaded = loadedBy(entry)
    expect(loaded.length).toBeGreaterThan(1)
    expect(offenders(loaded, (_, { target }) => target.startsWith('node:'))).toEqual([])
  })

  test('ky is imported by the one file that sends requests', () => {
    expect(offenders([...src, ...mocks], (_, { target }) => target === 'ky')).toEqual([
      'src/transport/send.ts imports ky',
    ])
  })

  test('msw by mocks/msw.ts alone', () => {
    const found = offenders([...src, ...mocks], (_, { target }) => /^msw(?:\/|$)/.test(target))
    expect([...new Set(found.map((line) => line.split(' ')[0]))]).toEqual(['mocks/msw.ts'])
  })

  test('ws by the server of the mocks alone: all else runs where there is none', () => {
    expect(offenders([...src, ...mocks], (_, { target }) => target === 'ws')).toEqual(['mocks/node.ts imports ws'])
  })

  test('what verifies passkeys by the mocks in Node alone, and when it is needed', () => {
    const found = offenders([...src, ...mocks], (_, { target }) => target.startsWith('@simplewebauthn/server'))
    expect([...new Set(found.map((line) => line.split(' ')[0]))]).toEqual(['mocks/node-webauthn.ts'])
    expect(mocks.find(({ path }) => path === 'mocks/node-webauthn.ts')?.text).not.toMatch(/^import .*simplewebauthn/m)
  })

  test('every package is a dependency that is meant', () => {
    const packages = [...src, ...mocks].flatMap(({ imports }) => imports.map(({ target }) => target))
    const known = [
      'ky',
      'zod/mini',
      'eventemitter3',
      '@simplewebauthn/browser',
      '@simplewebauthn/server',
      '@simplewebauthn/server/helpers',
      'msw',
      'otpauth',
      'isomorphic-ws',
      'ws',
    ]
    expect(
      [...new Set(packages)].filter((name) => !isOurs(name) && !name.startsWith('node:') && !known.includes(name)),
    ).toEqual([])
  })
})

describe('the mocks stand beside the client', () => {
  test('they import the contract, the rules of components and of redaction, and types', () => {
    expect(
      offenders(mocks, (_, { target, isTypeOnly }) => {
        return (
          target.startsWith('src/') &&
          !['src/contract', 'src/components', 'src/internal'].some((folder) => below(folder)(target)) &&
          !isTypeOnly
        )
      }),
    ).toEqual([])
  })

  test('they import nothing of the transport or the client, not even types', () => {
    expect(
      offenders(
        mocks,
        (_, { target }) =>
          ['src/transport', 'src/gateway'].some((folder) => below(folder)(target)) || target === 'src/client',
      ),
    ).toEqual([])
  })

  test('they import neither tests nor examples', () => {
    expect(offenders(mocks, (_, { target }) => /^(?:test|examples)\//.test(target))).toEqual([])
  })
})

describe('zod', () => {
  const all = [...src, ...mocks]

  test('is imported as `* as z` from zod/mini: a named import brings every locale', () => {
    const imports = all.flatMap(({ path, imports }) => imports.map((given) => ({ path, ...given })))
    const zod = imports.filter(({ target }) => /^zod(?:\/|$)/.test(target))
    const files = ['src/contract/schema', 'src/contract/validate']
    const inSource = zod.filter(({ path }) => path.startsWith('src/'))
    expect(inSource.map(({ path }) => path.replace(/\.ts$/, '')).sort()).toEqual(files)
    expect(zod.filter(({ target, binding }) => target !== 'zod/mini' || !/^(?:type )?\* as z$/.test(binding))).toEqual(
      [],
    )
  })

  test('is not configured: that is global to the copy of it that a user has', () => {
    expect(all.filter(({ text }) => /\bz\s*\.\s*config\b/.test(text)).map(({ path }) => path)).toEqual([])
  })
})
