import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    // The page uses the mock of `test/app.test.tsx` in happy-dom, and that of `test/browser.test.ts` in Chromium.
    projects: [
      { extends: true, test: { name: 'app', include: ['test/app.test.tsx'], environment: 'happy-dom' } },
      {
        extends: true,
        test: { name: 'browser', include: ['test/browser.test.ts'], testTimeout: 300_000, hookTimeout: 300_000 },
      },
    ],
  },
})
