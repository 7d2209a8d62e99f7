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

test('the imports of the sources are found', () => {
  expect(src.length).toBeGreaterThan(60)
  expect(mocks.length).toBeGreaterThan(40)
  const { imports } = src.find(({ path }) => path === 'src/internal/emitter.ts') ?? { imports: [] }
  expect(imports.map(({ target }) => target)).toContain('eventemitter3')
})

test('the package imports neither its entry nor mocks, tests or examples', () => {
  expect(
    offenders(src, (_, { target }) => target === 'src/index' || /^(?:mocks|test|examples)\//.test(target)),
  ).toEqual([])
})

describe('packages', () => {
  test('src imports Node only below src/node, and in the command rapport-doctor', () => {
    const others = src.filter(({ path }) => !below('src/node')(path) && path !== 'src/doctor/command.ts')
    expect(offenders(others, (_, { target }) => target.startsWith('node:'))).toEqual([])
  })

  test('the mocks import Node only in the server, the command and the passkey verifier', () => {
    const entries = [
      'mocks/node.ts',
      'mocks/node-webauthn.ts',
      'mocks/cli.ts',
      'mocks/control/server.ts',
      'mocks/fixtures/authenticator.ts',
      'mocks/fixtures/playwright.ts',
      'mocks/recording/compare.ts',
      'mocks/recording/gateway-proxy.ts',
      'mocks/recording/proxy.ts',
    ]
    const others = mocks.filter(({ path }) => !entries.includes(path) && !below('mocks/cli')(path))
    expect(offenders(others, (_, { target }) => target.startsWith('node:'))).toEqual([])
  })

  test.each([
    'mocks/fixtures/factories.ts',
    'mocks/fixtures/vitest.ts',
    'mocks/index.ts',
    'mocks/msw.ts',
    'src/components/index.ts',
    'src/dialog/index.ts',
    'src/doctor/index.ts',
    'src/interactions/index.ts',
    'src/index.ts',
    'src/preview/index.ts',
    'src/webauthn/index.ts',
    'src/zod/index.ts',
  ])('%s loads nothing that imports Node', (entry) => {
    const loaded = loadedBy(entry)
    expect(loaded.length).toBeGreaterThan(1)
    expect(offenders(loaded, (_, { target }) => target.startsWith('node:'))).toEqual([])
  })

  test('src/storage.ts loads no other file and no package', () => {
    expect(loadedBy('src/storage.ts').map(({ path }) => path)).toEqual(['src/storage.ts'])
    expect(offenders(loadedBy('src/storage.ts'), (_, { isTypeOnly }) => !isTypeOnly)).toEqual([])
  })

  test('only the retry loop of Client imports ky, so that clients of parts do not contain it', () => {
    expect(offenders([...src, ...mocks], (_, { target }) => target === 'ky')).toEqual([
      'src/transport/retry-with-ky.ts imports ky',
    ])
    expect(loadedBy('src/client/client.ts').map(({ path }) => path)).toContain('src/transport/retry-with-ky.ts')
    expect(loadedBy('src/core.ts').map(({ path }) => path)).not.toContain('src/transport/retry-with-ky.ts')
  })

  test('only the fast fetch for Node imports undici, on first use', () => {
    const found = offenders([...src, ...mocks], (_, { target, isTypeOnly }) => target === 'undici' && !isTypeOnly)
    expect([...new Set(found)]).toEqual(['src/node/undici-fetch.ts imports undici'])
    expect(src.find(({ path }) => path === 'src/node/undici-fetch.ts')?.text).toContain("await import('undici')")
  })

  test('only src/react imports React, and of the other files only types', () => {
    const found = offenders([...src, ...mocks], (_, { target }) => /^react(?:-|\/|$)/.test(target))
    expect(found.length).toBeGreaterThan(0)
    expect(found.filter((line) => !line.startsWith('src/react/'))).toEqual([])
    expect(loadedBy('src/react/index.ts').map(({ path }) => path)).toEqual(['src/react/index.ts'])
  })

  test('nothing imports TanStack Query, types included', () => {
    expect(offenders([...src, ...mocks], (_, { target }) => target.startsWith('@tanstack/'))).toEqual([])
  })

  test('only src/otel imports the API of OpenTelemetry', () => {
    const found = offenders([...src, ...mocks], (_, { target }) => target.startsWith('@opentelemetry/'))
    expect(found.length).toBeGreaterThan(0)
    expect(found.filter((line) => !line.startsWith('src/otel/'))).toEqual([])
  })

  test('only mocks/msw.ts imports msw', () => {
    const found = offenders([...src, ...mocks], (_, { target }) => /^msw(?:\/|$)/.test(target))
    expect([...new Set(found.map((line) => line.split(' ')[0]))]).toEqual(['mocks/msw.ts'])
  })

  test('only the mock server and the proxy of the gateway import ws', () => {
    expect(offenders([...src, ...mocks], (_, { target, isTypeOnly }) => target === 'ws' && !isTypeOnly)).toEqual([
      'src/server/gateway.ts imports ws',
      'mocks/node.ts imports ws',
      'mocks/recording/gateway-proxy.ts imports ws',
    ])
  })

  test('only mocks/node-webauthn.ts imports the passkey verifier, on first use', () => {
    const found = offenders([...src, ...mocks], (_, { target }) => target.startsWith('@simplewebauthn/server'))
    expect([...new Set(found.map((line) => line.split(' ')[0]))]).toEqual(['mocks/node-webauthn.ts'])
    expect(mocks.find(({ path }) => path === 'mocks/node-webauthn.ts')?.text).not.toMatch(/^import .*simplewebauthn/m)
  })

  test('only the fixtures of Playwright import it, and of it only types', () => {
    const found = [...src, ...mocks].flatMap(({ path, imports }) =>
      imports.filter(({ target }) => /playwright/.test(target)).map(({ isTypeOnly }) => [path, isTypeOnly]),
    )
    expect(found).toEqual([
      ['mocks/fixtures/authenticator.ts', true],
      ['mocks/fixtures/playwright.ts', true],
    ])
  })

  test('only known packages are imported', () => {
    const packages = [...src, ...mocks].flatMap(({ imports }) => imports.map(({ target }) => target))
    const known = [
      'ky',
      'zod/v4',
      'zod/v4/core',
      'eventemitter3',
      '@opentelemetry/api',
      '@playwright/test',
      '@simplewebauthn/browser',
      '@simplewebauthn/server',
      '@simplewebauthn/server/helpers',
      'msw',
      'otpauth',
      'react',
      'undici',
      'isomorphic-ws',
      'ws',
      // Its version.
      'package.json',
    ]
    expect(
      [...new Set(packages)].filter((name) => !isOurs(name) && !name.startsWith('node:') && !known.includes(name)),
    ).toEqual([])
  })
})

test('the mocks import only the contract, components, internals and types of src', () => {
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

test('the mocks import nothing of the transport, the gateway or the client, not even types', () => {
  expect(
    offenders(mocks, (_, { target }) =>
      ['src/transport', 'src/gateway', 'src/client'].some((folder) => below(folder)(target)),
    ),
  ).toEqual([])
})

test('the mocks import neither tests nor examples', () => {
  expect(offenders(mocks, (_, { target }) => /^(?:test|examples)\//.test(target))).toEqual([])
})

const all = [...src, ...mocks]

test('only rapport-sdk/zod imports zod, so that no client contains it', () => {
  const found = offenders(all, (_, { target }) => /^zod(?:\/|$)/.test(target))
  expect(found.length).toBeGreaterThan(0)
  expect(found.filter((line) => !line.startsWith('src/zod/'))).toEqual([])
  expect(
    offenders(all, (_, { target }) => below('src/zod')(target)).filter((line) => !line.startsWith('src/zod/')),
  ).toEqual([])
})

test('zod is not configured, which would change the copy of the user', () => {
  expect(all.filter(({ text }) => /\bz\s*\.\s*config\b/.test(text)).map(({ path }) => path)).toEqual([])
})
