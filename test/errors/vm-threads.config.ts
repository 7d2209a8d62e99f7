import { defineConfig } from 'vitest/config'
import base from '../../vitest.config'

// Runs `vm-threads.ts` as an app runs its tests with Jest or `vmThreads`: in a realm of its own, while Node keeps to another.

export default defineConfig({ ...base, test: { include: ['test/errors/vm-threads.ts'], pool: 'vmThreads' } })
