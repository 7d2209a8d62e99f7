import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { controlDocument } from '../../mocks/control/control'
import { root } from '../docs/sources'
import { asyncApi } from './asyncapi'
import { openApi } from './openapi'
import { policySchema, seedSchema } from './seed-schema'

// Part of `npm run build`: writes the OpenAPI and AsyncAPI documents from the contract, the OpenAPI document of the control API
// from its routes, and the JSON Schemas of seed and policy files from their checks. They are for programs, so without indentation.

const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
const documents = {
  'openapi.json': openApi(version),
  'asyncapi.json': asyncApi(version),
  'control.openapi.json': controlDocument(),
  'seed.schema.json': seedSchema(),
  'policy.schema.json': policySchema(),
}

mkdirSync(join(root, 'dist'), { recursive: true })
for (const [file, document] of Object.entries(documents)) {
  writeFileSync(join(root, 'dist', file), `${JSON.stringify(document)}\n`)
}
