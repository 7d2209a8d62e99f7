import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../docs/sources'
import { asyncApi } from './asyncapi'
import { openApi } from './openapi'

// Part of `npm run build`: writes dist/openapi.json and dist/asyncapi.json from the contract.

const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
const documents = { 'openapi.json': openApi(version), 'asyncapi.json': asyncApi(version) }

mkdirSync(join(root, 'dist'), { recursive: true })
for (const [file, document] of Object.entries(documents)) {
  writeFileSync(join(root, 'dist', file), `${JSON.stringify(document, null, 2)}\n`)
}
