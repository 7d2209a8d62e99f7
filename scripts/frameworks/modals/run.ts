// Journeys through the dialog above modals of libraries that the tests do not install.
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { createMockService } from 'rapport-sdk/mocks'
import { listen } from 'rapport-sdk/mocks/node'
import { build } from 'vite'
import { openDialogPage } from '../../../test/browser/dialog-page'
import { launch } from '../../../test/browser/harness/chromium'
import { JOURNEYS, openAbove } from '../../../test/browser/modal-journeys'
import { root } from '../../package/step'
import { run } from '../process'

const VERSIONS = {
  '@headlessui/react': '2.2.10',
  '@radix-ui/react-dropdown-menu': '2.2.1',
  primevue: '4.5.5',
  'radix-ui': '1.8.1',
  react: '19.3.1',
  'react-aria-components': '1.22.1',
  'react-dom': '19.3.1',
  vaul: '1.1.2',
  vue: '3.5.45',
  vuetify: '4.3.0',
}
const LIBRARIES = [
  ...['Headless UI Dialog', 'React Aria Modal', 'Radix DropdownMenu', 'shadcn/ui Dialog', 'shadcn/ui Drawer'],
  ...['Vuetify Dialog', 'PrimeVue Dialog'],
]

/** Installs the libraries and bundles the page. Returns its files by name. */
async function bundle(cwd: string): Promise<ReadonlyMap<string, string | Uint8Array>> {
  mkdirSync(cwd)
  writeFileSync(join(cwd, 'package.json'), JSON.stringify({ private: true, type: 'module', dependencies: VERSIONS }))
  copyFileSync(join(root, 'scripts/frameworks/modals/page.ts'), join(cwd, 'page.ts'))
  const args = ['install', '--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund']
  await run({ cwd, command: 'npm', args })
  const result = await build({
    configFile: false,
    root: cwd,
    logLevel: 'error',
    resolve: { tsconfigPaths: true },
    build: {
      write: false,
      target: 'es2022',
      modulePreload: false,
      rollupOptions: {
        // Entries of their own: the package has no side effects, so an import of the test page would be left out.
        input: { libraries: join(cwd, 'page.ts'), sdk: join(root, 'test/browser/pages/page.ts') },
        output: { entryFileNames: '[name].js' },
      },
    },
  })
  const outputs = Array.isArray(result) ? result : 'output' in result ? [result] : []
  return new Map(
    outputs.flatMap(({ output }) =>
      output.map((file) => [file.fileName, file.type === 'chunk' ? file.code : file.source]),
    ),
  )
}

/** Uses the dialog above each library in Chromium. Returns the failures. */
export async function checkModals(folder: string): Promise<string[]> {
  const files = await bundle(join(folder, 'modals'))
  const styles = [...files.keys()].filter((name) => name.endsWith('.css'))
  const links = styles.map((name) => `<link rel="stylesheet" href="/${name}">`).join('')
  const html = `<!doctype html><meta charset="utf-8">${links}<script type="module" src="/sdk.js"></script><script type="module" src="/libraries.js"></script>`
  const server = createServer(({ url = '/' }, response) => {
    const file = files.get(url.slice(1))
    const type = url.endsWith('.css') ? 'text/css' : file ? 'text/javascript' : 'text/html'
    response.writeHead(200, { 'content-type': type }).end(file ?? html)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const origin = `http://localhost:${typeof address === 'object' ? address?.port : ''}`
  const browser = await launch()
  const failures: string[] = []
  for (const library of LIBRARIES) {
    const results: string[] = []
    for (const [way, journey] of Object.entries(JOURNEYS)) {
      const context = await browser.newContext()
      context.setDefaultTimeout(60_000)
      // The compiler of this script names the functions that run on the page.
      await context.addInitScript('globalThis.__name = (named) => named')
      const services: { close(): Promise<void> }[] = []
      try {
        const world = await openDialogPage(
          {
            async open() {
              const page = await context.newPage()
              page.on('pageerror', ({ message }) => failures.push(`${library}, ${way}: ${message}`))
              await page.goto(origin)
              return page
            },
            async serve(options) {
              const service = createMockService(options)
              services.push(service)
              return { service, server: await listen(service) }
            },
          },
          { name: 'modals', user: { mfa: ['totp', 'backup'] } },
        )
        await openAbove(world, library)
        await journey(world)
        results.push(way)
      } catch (error) {
        failures.push(`${library}, ${way}: ${error instanceof Error ? error.message : error}`)
      }
      await Promise.all([context.close(), ...services.map((service) => service.close())])
    }
    console.log(`${results.length === 3 ? 'ok  ' : 'FAIL'} the dialog above ${library}: ${results.join(', ')}`)
  }
  await browser.close()
  server.close()
  server.closeAllConnections()
  return failures
}
