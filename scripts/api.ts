// Writes the reports of the public API in docs/api from dist/. With `--check`, fails if they differ.
import { resolve } from 'node:path'
import { CompilerState, Extractor, ExtractorConfig, type ExtractorMessage } from '@microsoft/api-extractor'

const root = process.cwd()
const isCheck = process.argv.includes('--check')
/** Name of the report and path of the declarations of each entry. */
const ENTRIES = {
  index: 'index',
  core: 'core/index',
  components: 'components/index',
  'components-lint': 'components/lint',
  'components-json-schema': 'components/json-schema',
  webauthn: 'webauthn/index',
  preview: 'preview/index',
  dialog: 'dialog/index',
  storage: 'storage/index',
  node: 'node/index',
  react: 'react/index',
  redis: 'redis/index',
  zod: 'zod/index',
  mocks: 'mocks/index',
  'mocks-msw': 'mocks/msw',
  'mocks-node': 'mocks/node',
  'mocks-control': 'mocks/control',
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
        reportFolder: resolve('docs/api'),
        reportTempFolder: resolve('node_modules/.cache/api-extractor'),
        includeForgottenExports: true,
      },
      docModel: { enabled: false },
      dtsRollup: { enabled: false },
      tsdocMetadata: { enabled: false },
    },
    configObjectFullPath: undefined,
    packageJsonFullPath: resolve('package.json'),
  })
  return { name, config, mainEntryPointFilePath }
})

// One program for all entries.
const [first] = configs
const additionalEntryPoints = configs.map(({ mainEntryPointFilePath }) => mainEntryPointFilePath)
const compilerState = first && CompilerState.create(first.config, { additionalEntryPoints })

for (const { name, config } of configs) {
  const result = Extractor.invoke(config, {
    ...(compilerState && { compilerState }),
    localBuild: !isCheck,
    messageCallback: (message: ExtractorMessage) => {
      message.handled = true
      if (message.messageId === 'console-api-report-not-copied') console.error(message.text)
      else if (message.logLevel === 'error') console.error(message.formatMessageWithLocation(root))
    },
  })
  if (isCheck && result.apiReportChanged) {
    console.error(`docs/api/${name}.api.md is out of date: run \`npm run generate\` and commit it with the change.`)
    process.exitCode = 1
  }
}
