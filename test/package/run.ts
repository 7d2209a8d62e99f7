// Packs the built package once, lints that tarball, installs it into an empty folder and uses it there as a stranger would.
import { copyFileSync, cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root, step, tool } from './step'

const folder = mkdtempSync(join(tmpdir(), 'rapport-sdk-'))
cpSync(new URL('./consumer', import.meta.url), folder, { recursive: true })
writeFileSync(join(folder, 'package.json'), '{ "private": true }')
for (const name of ['browser', 'node', 'server']) {
  copyFileSync(join(folder, `${name}.ts`), join(folder, `${name}.mts`))
  copyFileSync(join(folder, `${name}.ts`), join(folder, `${name}.cts`))
}

/** What `npm ci` has downloaded comes from npm's cache. */
const install = (name: string, packages: readonly string[]) =>
  step(`install ${name}`, folder, 'npm', ['install', '--prefer-offline', '--ignore-scripts', ...packages])

/** Compiles files of the consumer. `skipLibCheck` is off by default, so our .d.ts files themselves are checked. */
const types = (name: string, files: readonly string[], flags: readonly string[]) =>
  step(`types: ${name}`, folder, tool('tsc'), [
    ...['--noEmit', '--strict', '--exactOptionalPropertyTypes', '--target', 'es2022'],
    ...flags,
    ...files,
  ])
const node16 = ['--module', 'node16', '--moduleResolution', 'node16']
const bundler = ['--module', 'esnext', '--moduleResolution', 'bundler']
const browser = ['--lib', 'es2022,dom']
const node = ['--lib', 'es2022,dom', '--types', 'node']
const server = ['--lib', 'es2022', '--types', 'node']

try {
  const packed = step('npm pack', root, 'npm', ['pack', '--ignore-scripts', '--json', '--pack-destination', folder])
  const [archive] = JSON.parse(packed) as { filename: string; size: number; entryCount: number }[]
  if (!archive) throw new Error('npm pack named no tarball.')
  const tarball = join(folder, archive.filename)
  console.log(`     ${archive.filename}: ${archive.entryCount} files, ${Math.round(archive.size / 1000)} kB`)

  step('publint --strict', root, tool('publint'), ['run', tarball, '--strict'])
  step('attw --profile node16', root, tool('attw'), [tarball, '--profile', 'node16'])

  install('the tarball alone', [tarball])
  step('import, without msw', folder, process.execPath, ['import.mjs'])
  step('require, without msw', folder, process.execPath, ['require.cjs'])
  step('rapport-mock --help', folder, join(folder, 'node_modules/.bin/rapport-mock'), ['--help'])
  types('a browser app, node16', ['browser.mts', 'browser.cts'], [...node16, ...browser])
  types('a browser app, bundler', ['browser.mts'], [...bundler, ...browser])

  install('its optional peer and Node types', ['msw@2.15.0', '@types/node@20'])
  step('import, with msw', folder, process.execPath, ['import-msw.mjs'])
  step('require, with msw', folder, process.execPath, ['require-msw.cjs'])
  types('a server in Node, without DOM types', ['server.mts', 'server.cts'], [...node16, ...server])
  types('a server in Node, unchecked libraries', ['server.mts'], [...bundler, ...server, '--skipLibCheck'])
  types('a test suite in Node, node16', ['node.mts'], [...node16, ...node])
  // msw's own declarations import ES modules from CommonJS ones, which this compiler setting refuses.
  types('a test suite in Node, node16, CommonJS', ['node.cts'], [...node16, ...node, '--skipLibCheck'])
  types('a test suite in Node, bundler', ['node.mts'], [...bundler, ...node, '--skipLibCheck'])
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
} finally {
  rmSync(folder, { recursive: true, force: true })
}
