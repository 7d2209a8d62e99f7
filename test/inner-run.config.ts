import { defineConfig } from 'vitest/config'
import base from '../vitest.config'

/** For tests that a test runs in a Vitest of its own, because they fail on purpose or need another pool: the file of `TESTS`. */
export default defineConfig({
  ...(base.resolve && { resolve: base.resolve }),
  test: { include: [process.env.TESTS ?? ''], root: process.cwd() },
})
