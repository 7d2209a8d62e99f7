import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { bundledScript } from '../temporary-files'

const copy = bundledScript('src/index.ts')

test('errors stay readable and guards work in a test runner that has a separate realm: vitest with `vmThreads`', async () => {
  const env = { ...process.env, COPY: copy(), TESTS: 'test/errors/vm-threads.ts' }
  // As an app runs its tests with Jest or `vmThreads`: in a realm of its own, while Node keeps to another.
  const config = ['--config', 'test/inner-run.config.ts', '--pool', 'vmThreads', '--reporter', 'json']
  const run = promisify(execFile)(process.execPath, ['node_modules/vitest/vitest.mjs', 'run', ...config], { env })
  // A failed test ends the process with code 1.
  const { stdout } = await run.catch((failed: { stdout: string }) => failed)
  expect(JSON.parse(stdout)).toMatchObject({ success: true, numPassedTests: 4 })
})
