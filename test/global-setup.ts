import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { root } from '../scripts/docs/sources'

declare module 'vitest' {
  export interface ProvidedContext {
    /** Folder of the scripts that tests have bundled: see `temporary-files.ts`. */
    bundledScripts: string
  }
}

/** Creates the folder of bundled scripts, which each run begins without any. */
export default function setup(project: TestProject): () => void {
  const cache = join(root, 'node_modules/.cache')
  mkdirSync(cache, { recursive: true })
  const folder = mkdtempSync(join(cache, 'scripts-'))
  project.provide('bundledScripts', folder)
  const remove = () => rmSync(folder, { recursive: true })
  project.onTestsRerun(() => {
    remove()
    mkdirSync(folder)
  })
  return remove
}
