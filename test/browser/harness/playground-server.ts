import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, preview } from 'vite'

const configFile = fileURLToPath(new URL('../../../examples/playground/vite.config.ts', import.meta.url))

/** The built playground and its server. */
export interface ServedPlayground {
  readonly url: string
  close(): Promise<void>
}

/** Builds the playground into a temporary folder and serves it. */
export async function servePlayground(): Promise<ServedPlayground> {
  const outDir = await mkdtemp(join(tmpdir(), 'playground-'))
  const options = { configFile, logLevel: 'error', build: { outDir } } as const
  await build(options)
  const server = await preview({ ...options, preview: { port: 0, open: false, cors: true } })
  const address = server.httpServer.address()
  if (address === null || typeof address === 'string') throw new Error('The playground has no port.')
  return {
    url: `http://localhost:${address.port}/`,
    async close() {
      await server.close()
      await rm(outDir, { recursive: true })
    },
  }
}
