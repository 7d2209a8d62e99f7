import { readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { controlDocument } from '../../mocks/control/control'
import { asyncApi } from '../interface/asyncapi'
import { openApi } from '../interface/openapi'
import { root } from '../package/step'
import {
  type Documents,
  generateWithModelina,
  generateWithQuicktype,
  lintWithRedocly,
  lintWithSpectral,
  parseWithAsyncApi,
  validateWithSwaggerParser,
} from './check-documents'
import { useGeneratedClient } from './generated-clients'
import { mockWithPrism, proxyWithPrism } from './prism'
import { tableOf, withTable } from './table'
import { ASYNCAPI_PARSER, GENERATORS, MODELINA, PRISM, QUICKTYPE, SPECTRAL, SWAGGER_PARSER, type Tool } from './tools'

// `npm run interop`: gives the OpenAPI and the AsyncAPI document to other tools, and signs in to the mock with the clients
// that they generate. Writes the table of docs/guides/other-tools.md if everything passed. `npm run interop -- orval kubb`
// uses only those tools. The tools are installed into a temporary folder, about 800 MB.

const { version, devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const documents: Documents = {
  openapi: JSON.stringify(openApi(version), null, 2),
  asyncapi: JSON.stringify(asyncApi(version), null, 2),
  control: JSON.stringify(controlDocument(), null, 2),
}
const redocly: Tool = { name: 'redocly', packages: { '@redocly/cli': devDependencies['@redocly/cli'] } }

const checks: readonly (readonly [tool: Tool, check: () => Promise<string>])[] = [
  [redocly, () => lintWithRedocly(documents, join(tmpdir(), 'rapport-sdk-interop', 'redocly'))],
  [SPECTRAL, () => lintWithSpectral(documents)],
  [SWAGGER_PARSER, () => validateWithSwaggerParser(documents)],
  [PRISM, async () => `mock: ${await mockWithPrism(documents)}; proxy: ${await proxyWithPrism(documents)}`],
  ...GENERATORS.map((generator) => [generator, () => useGeneratedClient(generator, documents)] as const),
  [ASYNCAPI_PARSER, () => parseWithAsyncApi(documents)],
  [MODELINA, () => generateWithModelina(documents)],
  [QUICKTYPE, generateWithQuicktype],
]

const names = process.argv.slice(2)
const chosen = checks.filter(([{ name }]) => names.length === 0 || names.includes(name))
if (chosen.length < names.length) throw new Error(`Tools: ${checks.map(([{ name }]) => name).join(', ')}`)
const outcomes: [Tool, string][] = []
// One after the other: most of them use all cores.
for (const [tool, check] of chosen) {
  const started = performance.now()
  try {
    outcomes.push([tool, await check()])
    console.log(`ok   ${tool.name} (${Math.round(performance.now() - started)} ms)`)
  } catch (error) {
    console.error(`FAIL ${tool.name}\n${error instanceof Error ? error.message : error}`)
    process.exitCode = 1
  }
}
console.log(`\n${tableOf(outcomes)}`)
if (outcomes.length === checks.length) {
  const guide = join(root, 'docs/guides/other-tools.md')
  writeFileSync(guide, withTable(readFileSync(guide, 'utf8'), tableOf(outcomes)))
}
