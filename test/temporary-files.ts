import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { mkdtemp, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, inject, onTestFinished } from 'vitest'
import { bundle } from '../scripts/docs/bundle'

/** Creates a folder that is removed after the test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'rapport-test-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

/**
 * Bundles a script that tests run in other processes, which then start in 0.1 s of CPU time: with tsx, it is 0.6 s. The files of a
 * run share the bundle. Returns a function that returns its path.
 */
export function bundledScript(script: string): () => string {
  const folder = join(inject('bundledScripts'), script.replaceAll('/', '-'))
  beforeAll(async () => {
    if (existsSync(folder)) return
    const own = await mkdtemp(`${folder}-`)
    await bundle([script], own)
    // Another worker may have been faster.
    await rename(own, folder).catch(() => rm(own, { recursive: true }))
  })
  return () => join(folder, '0.mjs')
}
