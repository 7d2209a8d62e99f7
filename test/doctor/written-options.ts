import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { ClientOptions, GatewayProtocol } from 'rapport-sdk'
import { clientOptions, type ServiceFacts } from 'rapport-sdk/doctor'
import { bundle } from '../../scripts/docs/bundle'
import { root } from '../../scripts/docs/sources'

/** Returns what the module of the written options exports. */
export async function importOptions(
  facts: ServiceFacts,
): Promise<{ options: Partial<ClientOptions>; protocol: GatewayProtocol }> {
  const cache = join(root, 'node_modules/.cache')
  await mkdir(cache, { recursive: true })
  const folder = await mkdtemp(join(cache, 'written-options-'))
  try {
    const file = join(folder, 'options.ts')
    // Paths of `tsconfig.json` do not apply in this folder.
    const sources = JSON.stringify(join(root, 'src/index.ts'))
    await writeFile(file, clientOptions(facts).replace('"rapport-sdk"', sources))
    const [bundled = ''] = await bundle([file], folder)
    return await import(pathToFileURL(bundled).href)
  } finally {
    await rm(folder, { recursive: true })
  }
}
