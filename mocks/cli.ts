#!/usr/bin/env node
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, watchFile, writeFileSync } from 'node:fs'
import { get } from 'node:http'
import { get as getWithTls } from 'node:https'
import { createServer } from 'node:net'
import { basename, join } from 'node:path'
import { version } from '../package.json'
import { describeType, isObject } from '../src/internal/json'
import { loadCertificate, trustInstructions } from './cli/certificate'
import { type CommandOptions, parseOptions, readFileOf, usage } from './cli/options'
import { formatBanner, formatReady, logEvents } from './cli/output'
import { recordTraffic } from './cli/record'
import { DEFAULT_NAMESPACE } from './control/namespaces'
import { assertName } from './control/row'
import { type Account, applySeed, type SeedData, seedOf, stopClock } from './control/seed-data'
import { hostOf, isLoopback } from './control/server'
import { listen, type MockServer } from './node'
import { placeIn } from './request'
import { createMockService, type MockService } from './service'
import { type MockSnapshot, readSnapshot } from './snapshot'

/** Exit codes; 0 is the end by a signal. */
const EXIT_INVALID_USAGE = 2
const EXIT_FAILED = 1

async function main(args: readonly string[]): Promise<void> {
  let options: CommandOptions
  try {
    options = parseOptions(args)
  } catch (error) {
    fail(`${messageOf(error)}\nRun rapport-mock --help for the options.\n`, EXIT_INVALID_USAGE)
    return
  }
  if (options.help || options.version) {
    process.stdout.write(options.help ? usage : `${version}\n`)
    return
  }
  if (options.check !== undefined) return await check(options.check)
  if (options.proxy !== undefined) {
    const problem = await recordTraffic(options.proxy, options)
    if (problem instanceof Error) fail(formatError(problem, options), EXIT_FAILED)
    else if (problem !== undefined) fail(`${problem}\n`, EXIT_INVALID_USAGE)
    return
  }
  // Mails link to the port, so it has to be known before the service.
  const port = options.port === 0 ? await findPort(options.host) : options.port
  let seeded: Seeded
  try {
    seeded = createService({ ...options, port })
  } catch (error) {
    fail(`${messageOf(error)}\n`, EXIT_INVALID_USAGE)
    return
  }
  const error = await serve(seeded, { ...options, port })
  // Another program has taken the free port in the meantime.
  if (error?.code === 'EADDRINUSE' && options.port === 0) await main(args)
  else if (error !== undefined) fail(formatError(error, options), EXIT_FAILED)
}

/** Returns a free port of an address; 0 if it has none, for the reason of which `listen` fails. */
async function findPort(host: string): Promise<number> {
  const server = createServer().listen(0, host)
  try {
    await once(server, 'listening')
  } catch {
    return 0
  }
  const address = server.address()
  server.close()
  await once(server, 'close')
  return typeof address === 'object' ? (address?.port ?? 0) : 0
}

/** Milliseconds for the answer to a health check. */
const CHECK_TIMEOUT = 3000

/** Asks the mock that runs as a process whether it is up: its arguments and the environment say where it listens. */
async function check(pid: number): Promise<void> {
  try {
    const parts = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').slice(0, -1)
    const script = parts.findIndex((part) => basename(part) === basename(process.argv[1] ?? ''))
    const { host, port, tls } = parseOptions(parts.slice(script + 1))
    if (port === 0) {
      fail(`process ${pid} cannot be checked: it listens on any free port; start it with a fixed --port\n`, EXIT_FAILED)
      return
    }
    const address = { '0.0.0.0': '127.0.0.1', '::': '::1' }[host] ?? host
    // The certificate is not that of an authority, and nothing is sent.
    const options = { host: address, port, path: '/_mock/health', rejectUnauthorized: false }
    const request = (tls ? getWithTls : get)({ ...options, signal: AbortSignal.timeout(CHECK_TIMEOUT) })
    const [response] = await once(request, 'response')
    request.destroy()
    if (response.statusCode !== 200) throw new Error(`it responds with ${response.statusCode}`)
  } catch (error) {
    fail(`process ${pid} is not up: ${messageOf(error)}\n`, EXIT_FAILED)
  }
}

type Seeded = ReturnType<typeof createService>

function createService(options: CommandOptions) {
  const { port, maxJournalEntries, scenario, seedFile, now, policyFile, replayFile, nameOf } = options
  const data = seedFile === undefined ? undefined : readJson(nameOf('seed'), seedFile)
  const host = hostOf(options.host)
  const isLocal = isLoopback(host) || host === '0.0.0.0' || host === '[::]'
  const baseUrl = `${options.tls ? 'https' : 'http'}://${isLocal ? 'localhost' : host}:${port}`
  // Passkeys need a domain, and browsers accept "localhost" without TLS.
  const seed = options.seed ?? seedOf(data) ?? 1
  const replay = replayFile === undefined ? undefined : readJson(nameOf('replay'), replayFile)
  const service = createMockService({ baseUrl, seed, rpId: 'localhost', maxJournalEntries, replay })
  // Before the data, which get times from the clock.
  if (now !== undefined) stopClock(service, now)
  const accounts = scenario === 'demo' ? seedDemo(service) : []
  if (seedFile !== undefined) accounts.push(...applySeed(service, data, seedFile))
  if (policyFile !== undefined) applyPolicy(service, policyFile, readJson(nameOf('policy'), policyFile))
  const { [DEFAULT_NAMESPACE]: imported, ...namespaces } = importData(options)
  if (imported !== undefined) service.restore(imported)
  if (now !== undefined) stopClock(service, now)
  return { service, accounts, namespaces }
}

/**
 * Reads the JSON file of an option.
 * @throws Error with its name and, for invalid JSON, the line of the mistake.
 */
function readJson(option: string, file: string): unknown {
  const text = readFileOf(option, file).replace(/^\ufeff/, '')
  try {
    return JSON.parse(text)
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    const { line, column } = placeIn(text, error)
    const place = line === undefined ? '' : `:${line}:${column}`
    // Without the part of the file that some messages quote: it may contain passwords.
    throw new Error(`${file}${place}: ${message.split(/, (?:\.\.\.)?"/)[0]}`)
  }
}

/** Returns the file in the folder of `--import` and `--export`: snapshots by namespace. */
const dataFile = (folder: string) => join(folder, 'namespaces.json')

function importData({ importFrom, exportTo, maxNamespaces, nameOf }: CommandOptions): Record<string, MockSnapshot> {
  if (importFrom === undefined) return {}
  const file = dataFile(importFrom)
  // On the first run with the same folder for both there are no data yet.
  if (importFrom === exportTo && !existsSync(file)) return {}
  const snapshots = Object.entries<unknown>(Object(readJson(nameOf('import'), file)))
  const { length } = snapshots
  if (length > maxNamespaces)
    throw new Error(`${file}: ${length} namespaces, at most ${maxNamespaces}; see --max-namespaces`)
  const read = snapshots.map(([name, snapshot]) => {
    try {
      assertName('name', name)
      return [name, readSnapshot(snapshot)]
    } catch (error) {
      throw new Error(`${file}: ${name}: ${messageOf(error).replace(/^service\.restore: /, '')}`)
    }
  })
  return Object.fromEntries(read)
}

function exportData(folder: string, snapshots: Readonly<Record<string, MockSnapshot>>): void {
  mkdirSync(folder, { recursive: true })
  const temporary = `${dataFile(folder)}.${process.pid}.tmp`
  try {
    // They contain passwords and tokens.
    writeFileSync(temporary, JSON.stringify(snapshots), { mode: 0o600 })
    renameSync(temporary, dataFile(folder))
  } finally {
    rmSync(temporary, { force: true })
  }
}

function applyPolicy(service: MockService, file: string, data: unknown): void {
  try {
    if (!isObject(data) || Array.isArray(data)) throw new Error(`expected an object, got ${describeType(data)}`)
    // For editors.
    const { $schema = '', ...settings } = Object(data)
    if (typeof $schema !== 'string') throw new Error(`$schema: expected a string, got ${describeType($schema)}`)
    service.changePolicy(settings)
  } catch (error) {
    throw new Error(`${file}: ${messageOf(error).replace(/^changePolicy: /, '')}`)
  }
}

const password = 'correct horse battery staple'

const demo: SeedData = {
  users: [
    { login: 'ada@example.com', username: 'ada', global_name: 'Ada', password, mfa: ['totp', 'sms', 'backup'] },
    { login: 'grace@example.com', username: 'grace', global_name: 'Grace', password },
    { login: 'linus@example.com', username: 'linus', global_name: 'Linus', password },
    { login: 'edsger@example.com', username: 'edsger', global_name: 'Edsger', password, status: 'disabled' },
    { login: 'barbara@example.com', username: 'barbara', global_name: 'Barbara', password },
  ],
  applications: [{ owner: 'grace', name: 'Bridge Builder', members: ['ada'] }],
  identities: [{ application: 'Bridge Builder', user: 'ada', externalUserId: 'ada-1815', username: 'ada_plays' }],
  relationships: [
    { action: 'befriend', user: 'ada', target: 'grace' },
    { action: 'request', user: 'linus', target: 'ada', note: 'Met you at the compiler meetup.' },
    { action: 'request', user: 'edsger', target: 'ada', spam: true },
  ],
  suggestions: [{ user: 'ada', target: 'barbara', reasons: [{ type: 1, platform: 'chess', name: 'barbara_l' }] }],
  gameSuggestions: [{ user: 'ada', games: ['Bridge Builder'] }],
}

/** Creates the scenario `demo`. */
function seedDemo(service: MockService): Account[] {
  const accounts = applySeed(service, demo, 'demo')
  const descriptions = [
    'signs in with a second factor; has a friend, two requests and a suggestion',
    `owns the application ${service.applications.all()[0]?.id}`,
    'has sent a friend request to Ada',
    'disabled; log in with undelete',
  ]
  return descriptions.flatMap((description, index) => {
    const account = accounts[index]
    return account === undefined ? [] : [{ ...account, description }]
  })
}

const CONTROL_IS_OFF =
  '  The control API and the inspector are off, because other machines can reach this address.\n' +
  '  Turn them on with --control-token: whoever has the token can read every mail, password and token.'

/** Serves until the process ends. @returns the error of a server that cannot listen. */
async function serve(
  { service, accounts, namespaces }: Seeded,
  options: CommandOptions,
): Promise<NodeJS.ErrnoException | undefined> {
  const { host, port, tls, log, now, maxNamespaces } = options
  const write = (text: string) => {
    if (process.stdout.writableLength < MAX_UNREAD_BYTES) process.stdout.write(text)
  }
  const notes: string[] = []
  let server: MockServer
  try {
    const certificate = tls ? loadCertificate(host) : undefined
    server = await listen(service, {
      host,
      port,
      cors: options.cors.length === 0 ? true : options.cors,
      maxNamespaces,
      namespaces,
      onNamespace(created, name) {
        // An imported one has its own clock.
        if (now !== undefined) stopClock(created, now)
        logEvents(created, log, write, name)
      },
      control: {
        origins: options.controlOrigins,
        ...(options.controlToken !== undefined && { token: options.controlToken }),
      },
      ...(certificate !== undefined && { tls: { cert: certificate.cert, key: certificate.key } }),
    })
    if (certificate !== undefined) notes.push(trustInstructions(certificate.file, process.platform))
    if (server.controlUrl === null) notes.push(CONTROL_IS_OFF)
  } catch (error) {
    await service.close()
    // `listen` only rejects with errors of Node's server.
    return error as NodeJS.ErrnoException
  }
  // The reader of the output may close it, as `head` does; keep serving the clients.
  process.stdout.on('error', () => {})
  if (log === 'pretty') notes.push('  Requests, gateway connections, mails and SMS are printed here.')
  if (log !== 'json') notes.push('  Press Ctrl+C to stop.')
  const banner = { service, server, accounts, notes }
  // Before the line that others wait for: they may end the command at once.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(signal, () => void stop(service, server, options))
  write(log === 'json' ? formatReady(banner) : formatBanner(banner))
  logEvents(service, log, write)
  if (options.watch) watchSeed(service, server, options)
  return undefined
}

/** Bytes of output that wait for a reader; more is dropped. */
const MAX_UNREAD_BYTES = 2 ** 20

/** Milliseconds between two looks at the seed file. Polling also notices changes in containers and network folders. */
const WATCH_INTERVAL = 250

/** Loads the seed file again whenever it changes; a file with mistakes leaves the service as it is. */
function watchSeed(service: MockService, server: MockServer, options: CommandOptions): void {
  const { seedFile = '' } = options
  watchFile(seedFile, { interval: WATCH_INTERVAL, persistent: false }, ({ mtimeMs }) => {
    // Removed, for example by an editor that is about to write the new file.
    if (mtimeMs === 0) return
    try {
      const { service: changed } = createService(options)
      service.resetPolicy()
      service.changePolicy(changed.policySettings)
      service.restore(changed.snapshot())
      server.saveBaseline()
      process.stderr.write(`rapport-mock: loaded ${seedFile} again\n`)
    } catch (error) {
      process.stderr.write(`rapport-mock: ${messageOf(error)}\nrapport-mock: the data are unchanged\n`)
    }
  })
}

async function stop(service: MockService, server: MockServer, { exportTo }: CommandOptions): Promise<void> {
  try {
    if (exportTo !== undefined) {
      exportData(exportTo, server.snapshots())
      process.stderr.write(`rapport-mock: exported to ${exportTo}\n`)
    }
  } catch (error) {
    fail(`cannot export to ${exportTo}: ${messageOf(error)}\n`, EXIT_FAILED)
  }
  await service.close()
  // Output that nobody reads would keep the process.
  if (process.stdout.writableLength > 0) process.exit()
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

function formatError({ code, message }: NodeJS.ErrnoException, { host, port }: CommandOptions): string {
  if (code === 'EADDRINUSE') return `port ${port} is in use; choose another one, or --port 0 for any free port\n`
  if (code === 'EACCES') return `no permission to listen on port ${port}; choose one above 1023\n`
  return `cannot listen on ${host}:${port}: ${message}\n`
}

function fail(text: string, exitCode: number): void {
  process.stderr.write(`rapport-mock: ${text}`)
  process.exitCode = exitCode
}

await main(process.argv.slice(2))
