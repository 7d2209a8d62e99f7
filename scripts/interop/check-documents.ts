import assert from 'node:assert/strict'
import { messageJsonSchema, modalJsonSchema } from '../../src/components/json-schema'
import { compiler, tool } from '../package/step'
import { commandOf, install, nodeForTools, run, workFolder } from './process'
import { ASYNCAPI_PARSER, MODELINA, QUICKTYPE, SPECTRAL, SWAGGER_PARSER } from './tools'

/** The texts of the documents. */
export interface Documents {
  readonly openapi: string
  readonly asyncapi: string
  /** OpenAPI document of the control API of the mock. */
  readonly control: string
}

const filesOf = ({ openapi, asyncapi, control }: Documents) => ({
  'openapi.json': openapi,
  'asyncapi.json': asyncapi,
  'control.openapi.json': control,
})

/** Lints all documents with the ruleset `recommended-strict`, except for the rules of the configuration. */
export async function lintWithRedocly(documents: Documents, cwd: string): Promise<string> {
  const folder = workFolder(cwd, filesOf(documents))
  const config = new URL('../interface/redocly.yaml', import.meta.url).pathname
  await run(tool('redocly'), ['lint', '--config', config, ...Object.keys(filesOf(documents))], { cwd: folder })
  return 'no error or warning, ruleset `recommended-strict` except `operation-4xx-response` (only 401 is shown) and `security-defined` of AsyncAPI'
}

/** Lints the OpenAPI documents with the recommended rulesets; the lowest severity fails. */
export async function lintWithSpectral(documents: Documents): Promise<string> {
  const tools = await install(SPECTRAL)
  const cwd = workFolder(tools, { ...filesOf(documents), 'spectral.yaml': 'extends: ["spectral:oas"]' })
  const args = ['lint', 'openapi.json', 'control.openapi.json', '--ruleset', 'spectral.yaml', '--fail-severity', 'hint']
  await run(await nodeForTools(), [commandOf(tools, 'spectral'), ...args], { cwd })
  return 'no error, warning or hint, ruleset `spectral:oas` (recommended)'
}

/** Validates the OpenAPI documents against the schema of OpenAPI 3.1 and resolves their references. */
export async function validateWithSwaggerParser(documents: Documents): Promise<string> {
  const script = `import parser from '@apidevtools/swagger-parser'
    const calls = []
    for (const file of ['openapi.json', 'control.openapi.json']) {
      await parser.validate(file)
      const { paths } = await parser.dereference(file)
      calls.push(Object.values(paths).flatMap(Object.keys).length)
    }
    console.log(JSON.stringify(calls))`
  const cwd = workFolder(await install(SWAGGER_PARSER), { ...filesOf(documents), 'validate.mjs': script })
  const [calls, routes] = JSON.parse(await run(await nodeForTools(), ['validate.mjs'], { cwd }))
  assert.equal(calls, 55)
  assert.ok(routes > 60)
  return 'valid; all references resolve'
}

/** Parses the AsyncAPI document; any diagnostic fails, except that it is not of the latest version. */
export async function parseWithAsyncApi({ asyncapi }: Documents): Promise<string> {
  const script = `import { readFileSync } from 'node:fs'
    import { Parser } from '@asyncapi/parser'
    const { document, diagnostics } = await new Parser().parse(readFileSync('asyncapi.json', 'utf8'))
    console.log(JSON.stringify({ messages: document?.messages().length, diagnostics }))`
  const cwd = workFolder(await install(ASYNCAPI_PARSER), { 'asyncapi.json': asyncapi, 'parse.mjs': script })
  const { messages, diagnostics } = JSON.parse(await run(await nodeForTools(), ['parse.mjs'], { cwd }))
  // Some generators of code refuse the latest version.
  assert.deepEqual(
    diagnostics.map(({ code }: { code: string }) => code),
    ['asyncapi-latest-version'],
  )
  return `no diagnostic except \`asyncapi-latest-version\`; ${messages} messages`
}

/** Generates types of the messages of the AsyncAPI document; each has a name. */
export async function generateWithModelina({ asyncapi }: Documents): Promise<string> {
  const script = `import { readFileSync } from 'node:fs'
    import { TypeScriptGenerator } from '@asyncapi/modelina'
    const models = await new TypeScriptGenerator().generate(JSON.parse(readFileSync('asyncapi.json', 'utf8')))
    console.log(JSON.stringify(models.map(({ modelName }) => modelName)))`
  const cwd = workFolder(await install(MODELINA), { 'asyncapi.json': asyncapi, 'generate.mjs': script })
  const names: string[] = JSON.parse(await run(await nodeForTools(), ['generate.mjs'], { cwd }))
  assert.deepEqual(
    names.filter((name) => /anonymous/i.test(name)),
    [],
  )
  assert.ok(names.includes('RelationshipAdd') && names.includes('PartialUser'))
  return `${names.length} types of the AsyncAPI document, each with a name`
}

/** Generates types of the JSON Schemas of messages and modals, and compiles them. */
export async function generateWithQuicktype(): Promise<string> {
  const schemas = { Message: messageJsonSchema, Modal: modalJsonSchema }
  const tools = await install(QUICKTYPE)
  const files = Object.entries(schemas).map(([name, schema]) => [`${name}.json`, JSON.stringify(schema())])
  const cwd = workFolder(tools, Object.fromEntries(files))
  for (const name of Object.keys(schemas)) {
    const args = [
      '-s',
      'schema',
      '--src',
      `${name}.json`,
      '--lang',
      'ts',
      '--top-level',
      name,
      '-o',
      `generated/${name}.ts`,
    ]
    await run(await nodeForTools(), [commandOf(tools, 'quicktype'), ...args], { cwd })
    await run(compiler(6), ['--strict', '--noEmit', '--target', 'es2022', `generated/${name}.ts`], { cwd })
  }
  return 'types of the JSON Schemas of messages and modals compile with `strict`'
}
