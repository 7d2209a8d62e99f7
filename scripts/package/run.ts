import { copyFileSync, cpSync, existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { checkContents, checkCopies, checkInstalledSize } from './contents'
import { consumerFolder, install, pack } from './pack'
import { compiler, root, step, tool } from './step'

// Packs the built package, lints the tarball, installs it into an empty folder and uses it there like an app.

const folder = consumerFolder()
for (const name of ['browser', 'node', 'server', 'user', 'user-core', 'zod']) {
  copyFileSync(join(folder, `${name}.ts`), join(folder, `${name}.mts`))
  copyFileSync(join(folder, `${name}.ts`), join(folder, `${name}.cts`))
}

/**
 * Compiles files of the consumer. `skipLibCheck` is off by default, so that our .d.ts files are checked too; those of the compiler
 * would be half of the work.
 */
const types = (name: string, files: readonly string[], flags: readonly string[], tsc = compiler(7)) =>
  step(`types: ${name}`, folder, tsc, [
    ...['--noEmit', '--strict', '--exactOptionalPropertyTypes', '--target', 'es2022', '--skipDefaultLibCheck'],
    // Threads of version 7 would do some of the work twice.
    ...(tsc === compiler(7) ? ['--singleThreaded'] : []),
    ...flags,
    ...files,
  ])
const node16 = ['--module', 'node16', '--moduleResolution', 'node16']
const bundler = ['--module', 'esnext', '--moduleResolution', 'bundler']
const browser = ['--lib', 'es2022,dom']
const node = ['--lib', 'es2022,dom', '--types', 'node']
const server = ['--lib', 'es2022', '--types', 'node']

try {
  const tarball = pack(folder)
  checkCopies()
  checkContents(tarball)
  step('publint --strict', root, tool('publint'), ['run', tarball, '--strict'])
  step('attw --profile node16', root, tool('attw'), [tarball, '--profile', 'node16'])

  install('the tarball', folder, [tarball])
  checkInstalledSize(folder)
  const withoutPeers = ['import', 'node-entry', 'missing-peers'].map((name) => `${name}.mjs`)
  for (const file of [...withoutPeers, 'require.cjs', 'node-entry.cjs', 'missing-peers.cjs'])
    step(`${file}, without optional peers`, folder, process.execPath, [file])
  step('require, without the globals that jest-environment-jsdom lacks', folder, process.execPath, [
    'require-without-globals.cjs',
  ])
  for (const command of ['rapport-mock', 'rapport-doctor'])
    step(`${command} --help`, folder, join(folder, 'node_modules/.bin', command), ['--help'])
  types('a browser app, node16', ['browser.mts', 'browser.cts'], [...node16, ...browser])
  types('a browser app, bundler', ['browser.mts'], [...bundler, ...browser])
  types('a browser app, bundler, TypeScript 6', ['browser.mts'], [...bundler, ...browser], compiler(6))
  // Each in a program of its own: a declaration applies to the whole program.
  for (const name of ['user', 'user-core']) {
    types(`${name}, node16`, [`${name}.mts`, `${name}.cts`], [...node16, ...browser])
    types(`${name}, bundler`, [`${name}.mts`], [...bundler, ...browser])
  }

  const { devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    readonly devDependencies: Readonly<Record<string, string>>
  }
  const peers = [`zod@${devDependencies.zod}`, 'react@19.3.1', 'react-dom@19.3.1']
  install('optional peers and TypeScript 5.4', folder, [...peers, 'typescript@5.4.5'])
  if (existsSync(join(folder, 'node_modules/rapport-sdk/node_modules')))
    throw new Error('There are two copies of a peer.')
  // The oldest supported compiler, whose library `dom` has no iterable classes.
  const oldest = join(folder, 'node_modules/typescript/bin/tsc')
  types('a browser app, node16, TypeScript 5.4', ['browser.mts', 'browser.cts'], [...node16, ...browser], oldest)
  for (const alias of Object.keys(devDependencies).filter((name) => /^zod(?:-|$)/.test(name))) {
    const installed = join(folder, 'node_modules/zod')
    rmSync(installed, { recursive: true })
    cpSync(join(root, 'node_modules', alias), installed, { recursive: true })
    for (const file of ['zod.mjs', 'zod.cjs']) step(`${file}, ${alias}`, folder, process.execPath, [file])
    types(`schemas in an app, node16, ${alias}`, ['zod.mts', 'zod.cts'], [...node16, ...browser])
    types(`schemas in an app, bundler, ${alias}`, ['zod.mts'], [...bundler, ...browser])
  }

  for (const file of ['react.mjs', 'react.cjs']) step(file, folder, process.execPath, [file])
  const typesOf = ['@types/node@20', '@types/react@19.3.0', '@types/react-dom@19.3.0']
  install('msw and the types of Node and React', folder, ['msw@2.15.0', ...typesOf])
  step('import, with msw', folder, process.execPath, ['import-msw.mjs'])
  step('require, with msw', folder, process.execPath, ['require-msw.cjs'])
  types('a React app, bundler', ['react.tsx'], [...bundler, ...browser, '--jsx', 'react-jsx'])
  for (const example of ['quickstart', 'testing-with-msw'])
    step(`the packed example ${example}`, folder, tool('tsx'), [`node_modules/rapport-sdk/examples/${example}.ts`])
  types('a server in Node, without DOM types', ['server.mts', 'server.cts'], [...node16, ...server])
  types('a server in Node, unchecked libraries', ['server.mts'], [...bundler, ...server, '--skipLibCheck'])
  types('a test suite in Node, node16', ['node.mts'], [...node16, ...node])
  // The declarations of msw import ES modules from CommonJS modules, which this compiler setting rejects.
  types('a test suite in Node, node16, CommonJS', ['node.cts'], [...node16, ...node, '--skipLibCheck'])
  types('a test suite in Node, bundler', ['node.mts'], [...bundler, ...node, '--skipLibCheck'])
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
} finally {
  rmSync(folder, { recursive: true, force: true })
}
