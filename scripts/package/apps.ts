import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pack } from './pack'
import { compiler, root, step, tool } from './step'

// Compiles, tests and builds the apps of `examples/apps/` with the packed package, one test of each in Chromium. They are copied
// to a temporary folder, in which everything else comes from the packages of this project. Those with a server need other
// packages: `npm run frameworks`.

const folder = mkdtempSync(join(tmpdir(), 'rapport-apps-'))
const { CHROMIUM = '/usr/bin/chromium', RAPPORT_BROWSER } = process.env
const hasBrowser = existsSync(CHROMIUM) || RAPPORT_BROWSER === 'required'
if (!hasBrowser) console.log('The tests in Chromium are left out: there is none.')

try {
  const tarball = pack(folder)
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  for (const name of readdirSync(join(root, 'examples/apps'))) {
    if (existsSync(join(root, 'examples/apps', name, 'server.js'))) continue
    const app = join(folder, name)
    const installed = join(app, 'node_modules/rapport-sdk')
    const source = join(root, 'examples/apps', name)
    cpSync(source, app, { recursive: true, filter: (path) => !/[\\/](?:node_modules|dist)$/.test(path) })
    mkdirSync(installed, { recursive: true })
    step(`${name}: unpack`, folder, 'tar', ['-xzf', tarball, '--strip-components=1', '-C', installed])
    step(`${name}: types`, app, compiler(7), ['--singleThreaded'])
    step(`${name}: tests`, app, tool('vitest'), [
      'run',
      '--testTimeout=300000',
      ...(hasBrowser ? [] : ['--project', 'app']),
    ])
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
} finally {
  rmSync(folder, { recursive: true, force: true })
}
