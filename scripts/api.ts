// Writes the reports of the public API in docs/api from dist/: each symbol in one of them. With `--check`, fails if they differ.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { CompilerState, Extractor, ExtractorConfig, type ExtractorMessage } from '@microsoft/api-extractor'
import { shareDeclarations } from './api-reports'
import { LANGUAGES } from './package/entries'

const root = process.cwd()
const isCheck = process.argv.includes('--check')
const cache = resolve('node_modules/.cache/api-extractor')
/** Name of the report and path of the declarations of each entry. */
const ENTRIES: Readonly<Record<string, string>> = {
  index: 'index',
  core: 'core/index',
  components: 'components/index',
  'components-changes': 'components/changes',
  'components-custom-id': 'components/custom-id',
  interactions: 'interactions/index',
  'components-lint': 'components/lint',
  'components-json-schema': 'components/json-schema',
  webauthn: 'webauthn/index',
  preview: 'preview/index',
  dialog: 'dialog/index',
  doctor: 'doctor/index',
  ...Object.fromEntries(LANGUAGES.map((name) => [`locales-${name}`, `locales/${name}`])),
  storage: 'storage/index',
  node: 'node/index',
  otel: 'otel/index',
  query: 'query/index',
  react: 'react/index',
  redis: 'redis/index',
  server: 'server/index',
  zod: 'zod/index',
  mocks: 'mocks/index',
  'mocks-msw': 'mocks/msw',
  'mocks-node': 'mocks/node',
  'mocks-control': 'mocks/control',
  'mocks-factories': 'mocks/factories',
  'mocks-playwright': 'mocks/playwright',
  'mocks-vitest': 'mocks/vitest',
}

const configs = Object.entries(ENTRIES).map(([name, path]) => {
  const mainEntryPointFilePath = resolve(`dist/${path}.d.ts`)
  const config = ExtractorConfig.prepare({
    configObject: {
      projectFolder: root,
      mainEntryPointFilePath,
      compiler: { tsconfigFilePath: resolve('tsconfig.json') },
      apiReport: {
        enabled: true,
        reportFileName: name,
        reportFolder: resolve(cache, 'reports'),
        reportTempFolder: cache,
        includeForgottenExports: true,
      },
      docModel: { enabled: false },
      dtsRollup: { enabled: false },
      tsdocMetadata: { enabled: false },
    },
    configObjectFullPath: undefined,
    packageJsonFullPath: resolve('package.json'),
  })
  return { name, path, config, mainEntryPointFilePath }
})

// One program for all entries.
const [first] = configs
const additionalEntryPoints = configs.map(({ mainEntryPointFilePath }) => mainEntryPointFilePath)
const compilerState = first && CompilerState.create(first.config, { additionalEntryPoints })

mkdirSync(resolve(cache, 'reports'), { recursive: true })
const reports = configs.map(({ name, path, config }) => {
  Extractor.invoke(config, {
    ...(compilerState && { compilerState }),
    localBuild: true,
    messageCallback: (message: ExtractorMessage) => {
      message.handled = true
      if (message.logLevel === 'error') console.error(message.formatMessageWithLocation(root))
    },
  })
  const folder = path.replace(/\/?index$/, '')
  const text = readFileSync(resolve(cache, `${name}.api.md`), 'utf8')
    .replaceAll('\r\n', '\n')
    // API Extractor adds its spaces to the tabs of the declarations.
    .replace(/^ *(\t+)/gm, (_, tabs: string) => '    '.repeat(tabs.length))
  return { name, entry: folder === '' ? 'rapport-sdk' : `rapport-sdk/${folder}`, text }
})

shareDeclarations(reports).forEach(({ text }, index) => {
  const path = `docs/api/${reports[index]?.name}.api.md`
  if (!isCheck) writeFileSync(path, text)
  else if (!existsSync(path) || readFileSync(path, 'utf8') !== text) {
    console.error(`${path} is out of date: run \`npm run generate\` and commit it with the change.`)
    process.exitCode = 1
  }
})
