import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { compile, compileModule } from 'svelte/compiler'
import type { Plugin } from 'vite'
import { configDefaults, defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

const source = (path: string) => fileURLToPath(new URL(path, import.meta.url))

const hasCommand = (name: string) =>
  (process.env.PATH ?? '').split(delimiter).some((folder) => existsSync(join(folder, name)))

/** WebKitGTK's browser, which Debian keeps in the folder of an architecture. */
const MINI_BROWSER = (existsSync('/usr/lib') ? readdirSync('/usr/lib') : [])
  .map((folder) => join('/usr/lib', folder, 'webkit2gtk-4.1/MiniBrowser'))
  .find((path) => existsSync(path))

const { CHROMIUM = '/usr/bin/chromium', FIREFOX = '/usr/bin/firefox-esr' } = process.env

/** The browsers of the tests in `test/browser`: Debian packages that this machine lacks, and the tests that need them. */
const BROWSERS = {
  Chromium: { missing: existsSync(CHROMIUM) ? [] : ['chromium'], tests: 'test/browser/**' },
  Firefox: { missing: existsSync(FIREFOX) ? [] : ['firefox-esr'], tests: 'test/browser/engines/firefox.test.ts' },
  WebKitGTK: {
    missing: [
      ...(MINI_BROWSER !== undefined && hasCommand('WebKitWebDriver') ? [] : ['webkit2gtk-driver']),
      ...(hasCommand('xvfb-run') ? [] : ['xvfb']),
    ],
    tests: 'test/browser/engines/webkit.test.ts',
  },
}

/** The tests of browsers that are missing, which is said in a line; an error where they are required. */
function withoutBrowsers(): string[] {
  const left = Object.entries(BROWSERS).filter(([, { missing }]) => missing.length > 0)
  if (left.length === 0) return []
  const packages = left.flatMap(([, { missing }]) => missing).join(' ')
  const hint = `install with \`apt-get install -y --no-install-recommends ${packages}\`, or set CHROMIUM or FIREFOX to a path`
  const names = left.map(([name]) => name).join(', ')
  if (process.env.RAPPORT_BROWSER === 'required') throw new Error(`The browser tests need ${names}: ${hint}.`)
  process.stderr.write(`The browser tests are left out, for want of ${names}: ${hint}.\n`)
  return left.map(([, { tests }]) => tests)
}

/** Fails if a module is missing, without the time that importing it takes. */
const FIND_MODULES = 'import importlib.util as i; assert i.find_spec("requests") and i.find_spec("websockets")'

/** A Python with the packages of `examples/other-languages`. Debian's first: that of a version manager lacks Debian's packages. */
const PYTHON = [process.env.PYTHON ?? '/usr/bin/python3', 'python3'].find(
  (python) => spawnSync(python, ['-c', FIND_MODULES], { stdio: 'ignore' }).status === 0,
)

/** Debian packages that the programs of `examples/other-languages` need and this machine lacks, by language. */
const MISSING = {
  python: PYTHON === undefined ? ['python3-requests', 'python3-websockets'] : [],
  java: hasCommand('java') ? [] : ['default-jdk-headless'],
  curl: ['bash', 'curl', 'jq', 'oathtool'].filter((name) => !hasCommand(name)),
}

/** The tests of programs whose tools are missing, which is said in a line; an error where they are required. */
function withoutLanguages(): string[] {
  const packages = Object.values(MISSING).flat()
  if (packages.length === 0) return []
  const hint = `install their tools with \`apt-get install -y ${packages.join(' ')}\``
  if (process.env.RAPPORT_LANGUAGES === 'required')
    throw new Error(`The examples in other languages need tools: ${hint}.`)
  const names = Object.entries(MISSING).filter(([, missing]) => missing.length > 0)
  const left = names.map(([name]) => name)
  process.stderr.write(`The tests of the examples in ${left.join(', ')} are left out: ${hint}.\n`)
  return left.map((name) => `test/examples/other-languages/${name}.test.ts`)
}

/** The test of the program in Go, which runs every night, and here if there is a Go. */
const withoutGo = hasCommand('go') ? [] : ['test/examples/other-languages/go.test.ts']

/** The tests of `test/redis`, where there is no `redis-server`, which is said in a line; an error where it is required. */
function withoutRedis(): string[] {
  if (process.env.REDIS_SERVER || hasCommand('redis-server')) return []
  const hint = 'install it with `apt-get install -y redis-server`'
  if (process.env.RAPPORT_REDIS === 'required') throw new Error(`The tests of rapport-sdk/redis need Redis: ${hint}.`)
  process.stderr.write(`The tests of rapport-sdk/redis are left out, for want of redis-server: ${hint}.\n`)
  return ['test/redis/**']
}

/** Imports of React, in files that Vite transforms; `test/react/react-18.ts` redirects those of packages. */
const REACT_18 = [{ find: /^(react|react-dom)(?=$|\/)/, replacement: '$1-18' }]

/** What a file does that another one in the same process would notice, and `test/clean-process.ts` cannot check: it replaces modules, or counts objects. */
const TOUCHES_PROCESS = /resetModules|vi\.mock|queryObjects/

/** Each of them loads all modules in a process of its own, which takes 2 s of CPU time. */
function isolatedFiles(): string[] {
  return readdirSync(source('test'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.test.ts') && !name.startsWith('browser/'))
    .map((name) => `test/${name}`)
    .filter((path) => TOUCHES_PROCESS.test(readFileSync(source(path), 'utf8')))
}

const isolatedTests = isolatedFiles()

const unit = {
  name: 'unit',
  include: ['test/**/*.test.ts'],
  globalSetup: 'test/global-setup.ts',
  exclude: [
    ...configDefaults.exclude,
    'test/browser/**',
    'test/query/svelte.test.ts',
    ...isolatedTests,
    ...withoutLanguages(),
    ...withoutGo,
    ...withoutRedis(),
  ],
}

const isolated = { name: 'isolated', include: isolatedTests, isolate: true }

const missingBrowsers = withoutBrowsers()

const browser = {
  name: 'browser',
  include: ['test/browser/**/*.test.ts'],
  exclude: [...configDefaults.exclude, 'test/browser/engines/**', ...missingBrowsers],
  globalSetup: 'test/browser/harness/global-setup.ts',
}

/** The smoke tests in all browsers, which `npm test` leaves to `npx tsx scripts/browsers/run.ts`. */
const engines = {
  ...browser,
  name: 'engines',
  include: ['test/browser/engines/*.test.ts'],
  exclude: [...configDefaults.exclude, ...missingBrowsers],
}

/** For projects with few files, which wait for nothing: each worker loads their modules again. They run after the others. */
const fewFiles = { maxWorkers: availableParallelism(), sequence: { groupOrder: 1 } }

/** React's own test files run with the newest version of React, and again with the oldest supported one. */
const react = {
  ...fewFiles,
  name: 'react',
  include: ['test/{query,react}/**/*.test.tsx'],
  environment: 'happy-dom',
  env: { REACT_VERSION: '19' },
}

const react18 = {
  ...react,
  name: 'react 18',
  env: { REACT_VERSION: '18' },
  // Otherwise it would load the newest version itself.
  server: { deps: { inline: [/@tanstack\/react-query/] } },
  // After those that all projects have.
  setupFiles: ['test/react/react-18.ts'],
}

/** Compiles components of Svelte, and modules with its runes. */
const svelte: Plugin = {
  name: 'svelte',
  transform(code, id) {
    const options = { filename: id, generate: 'client', css: 'injected' } as const
    if (id.endsWith('.svelte')) return compile(code, options).js
    if (id.endsWith('.svelte.js')) return compileModule(code, { filename: id, generate: 'client' }).js
    return undefined
  },
}

const svelteAdapter = {
  extends: true as const,
  plugins: [svelte],
  resolve: { conditions: ['browser', 'svelte', 'module', 'import', 'default'] },
  test: {
    ...fewFiles,
    name: 'svelte',
    include: ['test/query/svelte.test.ts'],
    server: { deps: { inline: ['svelte', '@tanstack/svelte-query'] } },
  },
}

/** The tests of Zod schemas run with the newest version of zod, and again with older ones, from the oldest supported. */
const olderZod = ['3.25', '4.0', '4.1', '4.4'].map((version) => ({
  extends: true as const,
  test: { ...fewFiles, name: `zod ${version}`, include: ['test/zod/**/*.test.ts'], env: { ZOD_VERSION: version } },
  resolve: { alias: [{ find: /^zod(?=$|\/)/, replacement: `zod-${version}` }] },
}))

/** Files that take long for their size: they wait for processes, for real time, or count the operations of large inputs. */
const TAKES_LONG = /\/test\/examples\/|linear-time|vm-threads|\/cpu-time/

/** Files that wait most of the time: several of them at once would leave the cores without work. */
const WAITS = /\/test\/redis\//

/** Those that wait for more than ten seconds. */
const WAITS_LONG = /\/redis\/(?:accounts|chaos|damaged|fleet|holder|lost-keys|starts-of-sessions)\./

/**
 * Starts a project's files that take long before its others, so that none of them runs alone at the end, and spreads those that wait
 * among the first two thirds, long and short ones in turn.
 */
class LongFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    return [...new Set(sorted.map(({ project }) => project))].flatMap((project) => {
      const select = (isSelected: (path: string) => boolean) =>
        sorted.filter((file) => file.project === project && isSelected(file.moduleId))
      const others = [
        ...select((path) => TAKES_LONG.test(path)),
        ...select((path) => !TAKES_LONG.test(path) && !WAITS.test(path)),
      ]
      const [long, short] = [
        select((path) => WAITS_LONG.test(path)),
        select((path) => WAITS.test(path) && !WAITS_LONG.test(path)),
      ]
      const inTurn = [
        ...long.flatMap((file, index) => [file, ...short.slice(index, index + 1)]),
        ...short.slice(long.length),
      ]
      const step = Math.ceil((others.length * 2) / 3 / Math.max(1, inTurn.length))
      return [
        ...inTurn.flatMap((file, index) => [file, ...others.slice(index * step, (index + 1) * step)]),
        ...others.slice(inTurn.length * step),
      ]
    })
  }
}

const types = {
  name: 'types',
  include: [],
  typecheck: {
    enabled: true,
    only: true,
    include: ['test/types/**/*.test-d.ts'],
    checker: source('node_modules/typescript-7/bin/tsc'),
    tsconfig: 'test/types/tsconfig.json',
  },
}

export default defineConfig({
  resolve: {
    // Tests import the package by name, as users do; it resolves to the sources, so no build is needed.
    alias: [
      { find: /^rapport-sdk$/, replacement: source('src/index.ts') },
      {
        find: /^rapport-sdk\/(components|webauthn|preview|dialog|doctor|interactions|node|otel|query|react|redis|server|zod)$/,
        replacement: source('src/$1/index.ts'),
      },
      {
        find: /^rapport-sdk\/(components\/(?:changes|custom-id|lint|json-schema)|core|locales\/[\w-]+|storage)$/,
        replacement: source('src/$1.ts'),
      },
      { find: /^rapport-sdk\/mocks$/, replacement: source('mocks/index.ts') },
      { find: /^rapport-sdk\/mocks\/control$/, replacement: source('mocks/control/client.ts') },
      { find: /^rapport-sdk\/mocks\/(factories|playwright|vitest)$/, replacement: source('mocks/fixtures/$1.ts') },
      { find: /^rapport-sdk\/mocks\/(msw|node)$/, replacement: source('mocks/$1.ts') },
    ],
  },
  test: {
    // More than there are cores: many tests wait for a timer, a server or a browser.
    maxWorkers: Math.ceil(2.5 * availableParallelism()),
    // Files of a worker share its modules: to import them again for each of 250 files doubled the CPU time of the suite. Processes, not threads: `test/cpu-time.ts` measures its process.
    isolate: false,
    pool: 'forks',
    // Tests that generate values fill the default of 16 MB so often that collecting them is a tenth of their CPU time.
    execArgv: ['--max-semi-space-size=64'],
    setupFiles: ['test/clean-process.ts', 'test/patience.ts', 'test/stack-traces.ts'],
    env: { CHROMIUM, FIREFOX, MINI_BROWSER: MINI_BROWSER ?? '', PYTHON: PYTHON ?? '' },
    // Only for what hangs: on a busy machine, a test may take minutes. `test/patience.ts` has the limit of one wait.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    teardownTimeout: 120_000,
    expect: { poll: { timeout: 120_000 } },
    // A test that passes on the second try is a failing test.
    retry: 0,
    sequence: { sequencer: LongFilesFirst },
    coverage: { provider: 'v8', include: ['src/**', 'mocks/**'], exclude: ['mocks/cli.ts'] },
    projects: [
      { extends: true, test: unit },
      { extends: true, test: isolated },
      { extends: true, test: browser },
      { extends: true, test: react },
      { extends: true, test: react18, resolve: { alias: REACT_18 } },
      svelteAdapter,
      ...olderZod,
      { extends: true, test: types },
      { extends: true, test: engines },
    ],
  },
})
