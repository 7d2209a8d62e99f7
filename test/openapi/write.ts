// Writes docs/openapi.json and docs/asyncapi.json from the contract; with `--check` it only compares.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../docs/sources'
import { asyncApi } from './asyncapi'
import { openApi } from './openapi'

const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
const documents = { 'docs/openapi.json': openApi(version), 'docs/asyncapi.json': asyncApi(version) }

for (const [file, document] of Object.entries(documents)) {
  const path = join(root, file)
  const written = `${JSON.stringify(document, null, 2)}\n`
  if (!process.argv.includes('--check')) writeFileSync(path, written)
  else if (!existsSync(path) || readFileSync(path, 'utf8') !== written) {
    console.error(`${file} is not what the contract says: run \`npm run interface\`.`)
    process.exitCode = 1
  } else console.log(`${file} is what the contract says.`)
}
