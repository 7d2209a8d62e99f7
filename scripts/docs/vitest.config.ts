import { defineConfig } from 'vitest/config'
import base from '../../vitest.config'

// Runs the documentation blocks that are test files; the tests' own configuration includes only `test/`.

export default defineConfig({ ...base, test: { include: ['scripts/docs/.blocks/*.test.{ts,tsx}'] } })
