import { readdirSync } from 'node:fs'

/** A folder whose code is mutated, and the tests that run against each mutant. */
export interface Area {
  /** `src` stands for the files directly in `src/`. */
  readonly folder: string
  /** Files to mutate, as a glob. */
  readonly files: string
  /** Test files. */
  readonly tests: readonly string[]
}

/** Tests that cover a folder, besides those in the folder of the same name: the beginnings of their paths in `test/`. */
const RELATED: Readonly<Record<string, readonly string[]>> = {
  src: [
    'client/',
    'transport/',
    'session/session',
    'session/token-store-errors',
    'session/web-storage',
    'resources/round-trips',
    'live/session',
  ],
  'src/internal': [
    'security/',
    'transport/',
    'errors/',
    'client/',
    'components/issue',
    'gateway/listeners',
    'gateway/options',
    'live/notifications',
    'live/store',
    'fuzz/redaction',
    'fuzz/decode',
  ],
  'src/contract': ['resources/', 'gateway/payloads', 'gateway/frames', 'transport/custom-request', 'scripts/openapi'],
  'src/errors': ['components/issues', 'gateway/closed-for-good', 'security/', 'fuzz/errors', 'fuzz/fetch-errors'],
  'src/components': ['fuzz/components'],
  'src/interactions': [
    'components/custom-id',
    'components/modal-answers',
    'examples/bots',
    'examples/interactive-bots',
  ],
  'src/webauthn': [
    'session/passkey',
    'session/challenge',
    'session/login',
    'security/callback-errors',
    'security/secrets',
  ],
  'src/session': ['security/', 'client/create-client', 'live/session', 'fuzz/step-up', 'fuzz/shared-signal'],
  'src/mfa': ['session/', 'security/', 'client/create-client', 'transport/events', 'fuzz/step-up'],
  'src/transport': [
    'security/',
    'errors/',
    'client/',
    'session/unauthorized',
    'session/token-store-timeouts',
    'resources/wire',
    'fuzz/bodies',
    'fuzz/decode',
    'fuzz/errors',
    'fuzz/fetch-errors',
    'fuzz/paths',
    'fuzz/redaction',
    'fuzz/shared-signal',
  ],
  'src/otel': ['transport/call-events'],
  'src/redis': ['redis'],
  'src/server': ['server'],
  'src/zod': ['scripts/openapi', 'fuzz/schemas'],
  'src/node': ['transport/custom-fetch', 'security/response-size'],
  'src/gateway': ['fuzz/sockets'],
  'src/dialog': ['browser/dialog'],
  'src/live': ['fuzz/live'],
  'src/resources': [
    'session/login',
    'session/passkey',
    'session/password-reset',
    'session/session',
    'session/sign-in-races',
    'live/store',
    'live/sharing',
    'security/fingerprint',
  ],
  'mocks/state': ['mocks/', 'resources/round-trips', 'webauthn/'],
  'mocks/routes': ['mocks/', 'resources/round-trips', 'webauthn/'],
  'mocks/gateway': ['mocks/gateway', 'mocks/control', 'mocks/limits', 'mocks/msw', 'mocks/snapshot', 'mocks/journal'],
}

/** Slow tests that hardly detect mutants which others miss, and tests in processes of their own, where no mutant is active. */
const EXCLUDED =
  /linear-time|large-bodies|long-messages|(?:live|transport)\/leaks|any-response|any-order|path-parameters|hostile-readers|missing-globals|^redis\/chaos|^node\/(?:real-terminal|token-file-processes)|^mocks\/(?:cli|node|gateway-web-socket)/

const testFiles = readdirSync('test', { recursive: true, encoding: 'utf8' }).filter(
  (name) => /\.test\.tsx?$/.test(name) && !EXCLUDED.test(name),
)

const subfolders = readdirSync('src', { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => `src/${name}`)
  // Texts: a test of each would repeat it.
  .filter((folder) => folder !== 'src/locales')

function testsOf(prefix: string): string[] {
  return testFiles.filter((name) => name.startsWith(prefix)).map((name) => `test/${name}`)
}

const mocks = ['mocks/state', 'mocks/routes', 'mocks/gateway']

const all = ['src', ...subfolders, ...mocks].map((folder): Area => {
  const related = (RELATED[folder] ?? []).flatMap((prefix) => {
    const tests = testsOf(prefix)
    if (tests.length === 0) throw new Error(`scripts/mutation/areas.ts: no test starts with ${prefix}`)
    return tests
  })
  return {
    folder,
    files: folder === 'src' ? 'src/*.ts' : `${folder}/**/*.ts`,
    tests: [...new Set([...testsOf(`${folder.replace('src/', '')}/`), ...related])],
  }
})

/** Folders that only contain types have no tests. */
export const areas: readonly Area[] = all.filter(({ tests }) => tests.length > 0)
