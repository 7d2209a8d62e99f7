import { randomBytes } from 'node:crypto'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createCertificate } from '../../mocks/cli/certificate'
import { createMockControl } from '../../mocks/control/client'
import { startChromium } from '../../test/browser/engines/chromium'
import type { Engine } from '../../test/browser/engines/engine'
import { startFirefox } from '../../test/browser/engines/firefox'
import { startWebKit } from '../../test/browser/engines/webkit'
import { pack } from '../package/pack'
import { root, step } from '../package/step'
import { journey } from './journey'
import { checkModals } from './modals/run'
import { type Command, run, start } from './process'
import { record } from './recorder'
import { APPS, type FrameworkApp, type Outcome, tableOf, versionsOf, withTable } from './table'

// `npm run frameworks`: packs the package, installs it with each app of `examples/apps/` that has a server into a temporary
// folder, builds and starts the app over https, and makes a journey through it in browsers, with `rapport-mock` as the
// service. Writes the table of docs/guides/cookie-sessions.md if everything passed. `npm run frameworks -- sveltekit` uses one
// app; with `--no-build` it packs `dist/` as it is. `npm run frameworks -- modals` uses the dialog above modals of libraries.

const STARTS = { Chromium: startChromium, Firefox: startFirefox, WebKitGTK: startWebKit }
const flags = process.argv.slice(2)
const named = flags.filter((name) => !name.startsWith('--'))
const withModals = named.length === 0 || named.includes('modals')
const names = named.filter((name) => name !== 'modals')
const chosen = APPS.filter(({ name }) => named.length === 0 || names.includes(name))
if (chosen.length < names.length) throw new Error(`Apps: ${APPS.map(({ name }) => name).join(', ')}, modals`)

/** Day of the packages whose versions the apps leave open, which are those that their packages need: a run can be repeated. */
const PACKAGES_OF = '2026-11-26'

const folder = mkdtempSync(join(tmpdir(), 'rapport-frameworks-'))
const certificate = createCertificate(['localhost', '127.0.0.1'])
const files = { TLS_CERT: join(folder, 'cert.pem'), TLS_KEY: join(folder, 'key.pem') }

/** What is to be closed, the last one first. */
const closing: (() => Promise<void>)[] = []

async function closeAll(): Promise<void> {
  for (let close = closing.pop(); close; close = closing.pop()) await close().catch((error) => console.error(error))
}

/** Copies an app, and installs its packages and the tarball. Returns its folder and versions. */
async function install(
  { name }: FrameworkApp,
  tarball: string,
): Promise<{ cwd: string; versions: Outcome['versions'] }> {
  const cwd = join(folder, name)
  const isSource = (path: string) => !/[\\/](?:node_modules|build|\.next|\.svelte-kit|\.react-router)$/.test(path)
  cpSync(join(root, 'examples/apps', name), cwd, { recursive: true, filter: isSource })
  const manifest = JSON.parse(readFileSync(join(cwd, 'package.json'), 'utf8'))
  const versions = { ...manifest.dependencies, ...manifest.devDependencies }
  manifest.dependencies['rapport-sdk'] = `file:${tarball}`
  writeFileSync(join(cwd, 'package.json'), JSON.stringify(manifest, null, 2))
  // Vite, which bundles the modals before, sets NODE_ENV to production: npm would omit what the apps are built with.
  const args = [
    'install',
    '--include=dev',
    '--before',
    PACKAGES_OF,
    '--ignore-scripts',
    '--prefer-offline',
    '--no-audit',
    '--no-fund',
  ]
  await timed(`${name}: install`, run({ cwd, command: 'npm', args }))
  return { cwd, versions }
}

async function timed<T>(title: string, action: Promise<T>): Promise<T> {
  const started = performance.now()
  const result = await action
  console.log(`ok   ${title} (${Math.round((performance.now() - started) / 1000)} s)`)
  return result
}

/** Starts the mock and the app, each behind a recorder. */
async function serve(cwd: string) {
  const service: Command = {
    cwd,
    command: join(cwd, 'node_modules/.bin/rapport-mock'),
    args: ['--port', '0', '--scenario', 'empty', '--log', 'json'],
  }
  const mock = await start(service, '"listening"')
  closing.push(mock.stop)
  const addresses: { service: string; gateway: string } = JSON.parse(mock.line)
  const behind = await record(() => addresses.service)
  closing.push(behind.close)
  let address = ''
  const front = await record(() => address, certificate)
  closing.push(front.close)
  const env = {
    ...files,
    ...{ PORT: '0', ORIGIN: front.origin, SERVICE_URL: behind.origin, GATEWAY_URL: addresses.gateway },
    ...{ SEALING_KEY: randomBytes(32).toString('base64'), NODE_ENV: 'production' },
  }
  const app = await start({ cwd, command: process.execPath, args: ['server.js'], env }, 'https://')
  closing.push(app.stop)
  address = /https:\/\/\S+/.exec(app.line)?.[0] ?? ''
  return { app: front, service: behind, mock: createMockControl(addresses.service), output: app.output }
}

async function use(app: FrameworkApp, tarball: string): Promise<Outcome[]> {
  const { cwd, versions } = await install(app, tarball)
  for (const script of ['build', 'types'])
    await timed(`${app.name}: ${script}`, run({ cwd, command: 'npm', args: ['run', script] }))
  const outcomes: Outcome[] = []
  try {
    const { output, ...place } = await timed(`${app.name}: start`, serve(cwd))
    for (const name of app.engines) {
      const started = performance.now()
      const { engine, passed, failures } = await inBrowser(name, (browser) => journey({ ...place, engine: browser }))
      const seconds = Math.round((performance.now() - started) / 1000)
      outcomes.push({ app, versions, engine, passed: passed.length, failures, seconds })
      console.log(failures.length === 0 ? `ok   ${app.name}: ${engine} (${seconds} s)` : `FAIL ${app.name}: ${engine}`)
      for (const failure of failures) console.error(`     ${failure}`)
      if (failures.length > 0) console.error(output())
    }
  } finally {
    await closeAll()
  }
  return outcomes
}

/** Makes a journey in a browser, which ends with it. A step that does not happen is a failure. */
async function inBrowser(name: keyof typeof STARTS, go: (engine: Engine) => ReturnType<typeof journey>) {
  const browser = await STARTS[name]()
  closing.push(() => browser.close())
  const engine = `${name} ${browser.version}`
  try {
    return { engine, ...(await go(browser)) }
  } catch (error) {
    return { engine, passed: [], failures: [error instanceof Error ? error.message : String(error)] }
  } finally {
    await closing.pop()?.()
  }
}

/** Returns a table for the terminal. */
function report(outcomes: readonly Outcome[]): string {
  const rows = outcomes.map(({ app, versions, engine, passed, failures, seconds }) => {
    const result = failures.length === 0 ? `${passed} passed` : `${failures.length} failed`
    return `| ${app.title} | ${versionsOf(app, versions)} | ${engine} | ${result} | ${seconds} s |`
  })
  return ['| app | versions | engine | checks | time |', '|---|---|---|---|---|', ...rows].join('\n')
}

process.once('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, async () => {
    await closeAll()
    process.exit(1)
  })
}
writeFileSync(files.TLS_CERT, certificate.cert)
writeFileSync(files.TLS_KEY, certificate.key)
if (withModals) {
  const failures = await checkModals(folder)
  for (const failure of failures) console.error(`     ${failure}`)
  if (failures.length > 0) process.exitCode = 1
}
if (chosen.length === 0) process.exit()
mkdirSync(join(folder, 'packed'))
if (!flags.includes('--no-build')) step('build', root, 'npm', ['run', 'build', '--silent'])
const tarball = pack(join(folder, 'packed'))
const outcomes: Outcome[] = []
for (const app of chosen) {
  try {
    outcomes.push(...(await use(app, tarball)))
  } catch (error) {
    console.error(`FAIL ${app.name}\n${error instanceof Error ? error.message : error}`)
    process.exitCode = 1
  }
}
console.log(`\n${report(outcomes)}`)
if (outcomes.some(({ failures }) => failures.length > 0)) process.exitCode = 1
if (process.exitCode === undefined && chosen.length === APPS.length) {
  const guide = join(root, 'docs/guides/cookie-sessions.md')
  writeFileSync(guide, withTable(readFileSync(guide, 'utf8'), tableOf(outcomes)))
}
