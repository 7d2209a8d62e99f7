import assert from 'node:assert/strict'
import { tool } from '../package/step'
import { commandOf, install, nodeForTools, run, workFolder } from './process'
import { ASYNCAPI_PARSER, SPECTRAL, SWAGGER_PARSER } from './tools'

/** The texts of the documents. */
export interface Documents {
  readonly openapi: string
  readonly asyncapi: string
}

const filesOf = ({ openapi, asyncapi }: Documents) => ({ 'openapi.json': openapi, 'asyncapi.json': asyncapi })

/** Lints both documents with the ruleset `recommended-strict`, except for the rules of the configuration. */
export async function lintWithRedocly(documents: Documents, cwd: string): Promise<string> {
  const folder = workFolder(cwd, filesOf(documents))
  const config = new URL('../interface/redocly.yaml', import.meta.url).pathname
  await run(tool('redocly'), ['lint', '--config', config, 'openapi.json', 'asyncapi.json'], { cwd: folder })
  return 'no error or warning, ruleset `recommended-strict` except `operation-4xx-response` (only 401 is shown) and `security-defined` of AsyncAPI'
}

/** Lints both documents with the recommended rulesets; the lowest severity fails. */
export async function lintWithSpectral(documents: Documents): Promise<string> {
  const tools = await install(SPECTRAL)
  const cwd = workFolder(tools, { ...filesOf(documents), 'spectral.yaml': 'extends: ["spectral:oas"]' })
  const args = ['lint', 'openapi.json', '--ruleset', 'spectral.yaml', '--fail-severity', 'hint']
  await run(await nodeForTools(), [commandOf(tools, 'spectral'), ...args], { cwd })
  return 'no error, warning or hint, ruleset `spectral:oas` (recommended)'
}

/** Validates the document against the schema of OpenAPI 3.1 and resolves its references. */
export async function validateWithSwaggerParser({ openapi }: Documents): Promise<string> {
  const script = `import parser from '@apidevtools/swagger-parser'
    await parser.validate('openapi.json')
    const { paths } = await parser.dereference('openapi.json')
    console.log(Object.values(paths).flatMap(Object.keys).length)`
  const cwd = workFolder(await install(SWAGGER_PARSER), { 'openapi.json': openapi, 'validate.mjs': script })
  const calls = Number(await run(await nodeForTools(), ['validate.mjs'], { cwd }))
  assert.equal(calls, 55)
  return 'valid; all references resolve'
}

/** Parses the AsyncAPI document; any diagnostic fails. */
export async function parseWithAsyncApi({ asyncapi }: Documents): Promise<string> {
  const script = `import { readFileSync } from 'node:fs'
    import { Parser } from '@asyncapi/parser'
    const { document, diagnostics } = await new Parser().parse(readFileSync('asyncapi.json', 'utf8'))
    console.log(JSON.stringify({ messages: document?.messages().length, diagnostics }))`
  const cwd = workFolder(await install(ASYNCAPI_PARSER), { 'asyncapi.json': asyncapi, 'parse.mjs': script })
  const { messages, diagnostics } = JSON.parse(await run(await nodeForTools(), ['parse.mjs'], { cwd }))
  assert.deepEqual(diagnostics, [])
  return `no diagnostic; ${messages} messages`
}
