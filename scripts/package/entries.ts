/** The languages of `rapport-sdk/locales`, each an entry. */
export const LANGUAGES = ['ar', 'de', 'es', 'fr', 'ja', 'ko', 'pl', 'pt-BR', 'tr', 'zh-CN']

const locales: Readonly<Record<string, string>> = Object.fromEntries(
  LANGUAGES.map((name) => [`locales/${name}`, `src/locales/${name}.ts`]),
)

/** The files of the entries, by the names of their files in `dist/`. */
export const library = {
  index: 'src/index.ts',
  'core/index': 'src/core.ts',
  'components/index': 'src/components/index.ts',
  'components/changes': 'src/components/changes.ts',
  'components/custom-id': 'src/components/custom-id.ts',
  'components/lint': 'src/components/lint.ts',
  'components/json-schema': 'src/components/json-schema.ts',
  'webauthn/index': 'src/webauthn/index.ts',
  'preview/index': 'src/preview/index.ts',
  'dialog/index': 'src/dialog/index.ts',
  'doctor/index': 'src/doctor/index.ts',
  'interactions/index': 'src/interactions/index.ts',
  'storage/index': 'src/storage.ts',
  'node/index': 'src/node/index.ts',
  'otel/index': 'src/otel/index.ts',
  'query/index': 'src/query/index.ts',
  'react/index': 'src/react/index.ts',
  'redis/index': 'src/redis/index.ts',
  'server/index': 'src/server/index.ts',
  'zod/index': 'src/zod/index.ts',
  ...locales,
  'mocks/index': 'mocks/index.ts',
  'mocks/msw': 'mocks/msw.ts',
  'mocks/node': 'mocks/node.ts',
  'mocks/control': 'mocks/control/client.ts',
  'mocks/factories': 'mocks/fixtures/factories.ts',
  'mocks/playwright': 'mocks/fixtures/playwright.ts',
  'mocks/vitest': 'mocks/fixtures/vitest.ts',
}
