// Arguments of the command `rapport-mock`, and the environment variables in their place.
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { parseTime } from '../clock'
import { MAX_NAMESPACES } from '../control/namespaces'
import { hostOf, isLoopback, isOrigin } from '../control/server'
import { MAX_JOURNAL_ENTRIES } from '../service'
import { headerToken } from '../settings'

const scenarios = ['demo', 'empty'] as const

const logFormats = ['pretty', 'json', 'silent'] as const
export type LogFormat = (typeof logFormats)[number]

/**
 * Default port. IANA has not assigned it, no common development tool has it as its default (Prism has 4010), browsers do
 * not block it, and it is below the ports that systems assign to clients.
 */
export const DEFAULT_PORT = 4817

export const usage = `rapport-mock: a mock of the service, over HTTP and WebSocket

Server
  --port <number>          port to listen on, 0 for any free port (default: ${DEFAULT_PORT})
  --host <address>         address to listen on (default: 127.0.0.1)
  --cors <origins>         origins, separated by commas, whose pages may call the service; loopback origins always may
  --tls                    serve https: and wss: with a self-signed certificate, and print how to trust it
  --control-origin <origins>
                           exact origins, separated by commas, whose pages may call the control API
  --control-token <token>  token that the control API and the inspector require; without it, they are off if --host is
                           not a loopback address
  --control-token-file <file>
                           file with this token, because other users of the machine can see arguments
  --max-namespaces <number>
                           maximum number of namespaces, including the default one; unused ones are removed (default: ${MAX_NAMESPACES})
  --max-journal-entries <number>
                           number of requests that the journal of a namespace keeps (default: ${MAX_JOURNAL_ENTRIES})

Data
  --scenario <name>        initial data: ${scenarios.join(' or ')} (default: demo; empty with a seed file or --import)
  --seed <file.json>       initial data from a file: users, applications, relationships, faults, policy and more
  --seed <integer>         seed of IDs, tokens and secrets (default: 1)
  --watch                  reload the seed file when it changes
  --import <dir>           start with the data in this folder
  --export <dir>           write the data of all namespaces to this folder when the command ends

Behavior
  --now <time>             freeze the clock at this time, such as 2026-01-01T00:00:00Z; the control API moves it
  --policy <file.json>     behavior of the service: step-up, lifetimes, rate limits, passwords and more

Recording
  --proxy <url>            forward calls to the service at this base URL (https, or on this machine); needs --record
  --record <file>          write a recording of them to a new file, without secrets, names and IDs
  --keep-names <names>     names of fields and events, separated by commas, to record in addition to those of the API document
  --gateway <url>          gateway of the service (default: /gateway below --proxy)
  --replay <file>          respond from a recording instead of data

Output
  --log <format>           a line per request, gateway connection, mail, SMS: ${logFormats.join(', ')} (default: pretty)
  --check <pid>            check whether the mock with this process ID is up, with the same environment; exits with 0 if it
                           is (Linux only)
  --version                print the version
  --help                   print this help

Each option is also an environment variable, such as RAPPORT_MOCK_CONTROL_TOKEN or RAPPORT_MOCK_TLS=true. Arguments take
precedence; --no-tls and --no-watch override these two.

Passkeys belong to localhost (their rpId): open your page at http://localhost:<port>, not at 127.0.0.1.
`

export type CommandOptions = ReturnType<typeof parseOptions>

/** The options of `usage`, for `parseArgs`: those without a placeholder are flags. */
const OPTIONS = Object.fromEntries(
  [...usage.matchAll(/^ {2}--([\w-]+)( <)?/gm)].map(([, name = '', value]) => {
    const type = value === undefined ? 'boolean' : 'string'
    return [name, { type, ...(name === 'help' && { short: 'h' }) } as const]
  }),
)

/** Options that are no environment variables. */
const ARGUMENTS = ['check', 'version', 'help']
const VARIABLES = Object.keys(OPTIONS).filter((name) => !ARGUMENTS.includes(name))

/** Options that exclude others. As arguments, they also override the variables of those. */
const EXCLUDED: Readonly<Record<string, readonly string[]>> = {
  import: ['seed', 'scenario', 'watch'],
  'control-token-file': ['control-token'],
  // Those of the mock, which a proxy is not.
  proxy: VARIABLES.filter((name) => !/^(?:cors|gateway|host|keep-names|log|port|proxy|record|tls)$/.test(name)),
  replay: ['seed', 'scenario', 'watch', 'import', 'export'],
}
/** Options that need others. */
const NEEDED = { proxy: 'record', record: 'proxy', gateway: 'proxy', 'keep-names': 'proxy' } as const

/** Values of options by name; those of flags are `true` and `false`. */
type Values = Readonly<Record<string, string | undefined>>

const PREFIX = 'RAPPORT_MOCK_'

const variableOf = (option: string) => PREFIX + option.toUpperCase().replaceAll('-', '_')

/** Returns the options of an environment. @throws Error for an unknown one. */
function readEnvironment(env: Values): Values {
  const names = new Map(VARIABLES.map((name) => [variableOf(name), name]))
  const found = Object.entries(env).filter(([variable, value]) => variable.startsWith(PREFIX) && value !== undefined)
  const unknown = found.find(([variable]) => !names.has(variable))
  if (unknown === undefined) return Object.fromEntries(found.map(([variable, value]) => [names.get(variable), value]))
  throw new Error(`unknown environment variable ${unknown[0]}; known are ${[...names.keys()].join(', ')}`)
}

/**
 * Parses the arguments of the command, and the environment variables of options that are no arguments. `scenario` is the
 * one to begin with, `seed` that of random values.
 * @throws Error with the reason if they are invalid.
 */
export function parseOptions(args: readonly string[], env: Values = process.env) {
  const parsed = parseArgs({ args: [...args], options: OPTIONS, allowNegative: true }).values
  const given: Values = Object.fromEntries(Object.entries(parsed).map(([name, value]) => [name, String(value)]))
  const excludes = (one: string, other: string) => EXCLUDED[one]?.includes(other) || EXCLUDED[other]?.includes(one)
  const isOverridden = (name: string) =>
    Object.entries(given).some(([one, value]) => one === name || (value !== 'false' && excludes(one, name)))
  // The arguments of the process that is checked may override invalid variables.
  const variables = Object.entries(given.check === undefined ? readEnvironment(env) : {})
  const values: Values = { ...Object.fromEntries(variables.filter(([name]) => !isOverridden(name))), ...given }
  const nameOf = (option: string) => (Object.hasOwn(given, option) ? `--${option}` : variableOf(option))
  const isOn = (name: string) => parseOneOf(nameOf(name), values[name] ?? 'false', ['true', 'false']) === 'true'
  const integerOf = (name: string, min: number, max: number, byDefault: number) =>
    parseInteger(nameOf(name), values[name] ?? String(byDefault), min, max)
  assertCombination(nameOf, values)
  const { host = '127.0.0.1', seed, now, log = 'pretty', check } = values
  const isInteger = seed !== undefined && /^[+-]?[\d.]+$/.test(seed)
  const seedFile = isInteger ? undefined : seed
  const watch = isOn('watch')
  if (watch && seedFile === undefined) throw new Error(`${nameOf('watch')} needs a seed file: --seed <file.json>`)
  if (now !== undefined && Number.isNaN(parseTime(now))) {
    throw new Error(`${nameOf('now')} must be a time such as 2026-01-01T00:00:00Z, got "${now}"`)
  }
  const controlToken = readToken(nameOf, values)
  const controlOrigins = parseOrigins(nameOf('control-origin'), values['control-origin'])
  if (controlOrigins.length > 0 && controlToken === undefined && !isLoopback(hostOf(host))) {
    throw new Error(`${nameOf('control-origin')} needs --control-token: the control API is off on ${host} without it`)
  }
  const byDefault = (seedFile ?? values.import ?? values.replay) === undefined ? 'demo' : 'empty'
  if (values.proxy !== undefined && !isLoopback(hostOf(host))) {
    throw new Error(`${nameOf('proxy')} needs a loopback address as --host, got "${host}"`)
  }
  return {
    /** Returns the name of an option as it was given, which may be that of a variable. */
    nameOf,
    host,
    port: integerOf('port', 0, 65_535, DEFAULT_PORT),
    tls: isOn('tls'),
    cors: parseOrigins(nameOf('cors'), values.cors),
    controlToken,
    controlOrigins,
    maxNamespaces: integerOf('max-namespaces', 1, 10_000, MAX_NAMESPACES),
    maxJournalEntries: integerOf('max-journal-entries', 1, Number.MAX_SAFE_INTEGER, MAX_JOURNAL_ENTRIES),
    scenario: parseOneOf(nameOf('scenario'), values.scenario ?? byDefault, scenarios),
    seed: isInteger ? parseInteger(nameOf('seed'), seed, 0, 2 ** 31 - 1) : undefined,
    seedFile,
    watch,
    importFrom: values.import,
    exportTo: values.export,
    now,
    policyFile: values.policy,
    proxy: parseTarget(nameOf('proxy'), values.proxy, ['https:', 'http:']),
    gateway: parseTarget(nameOf('gateway'), values.gateway, ['wss:', 'ws:']),
    recordTo: values.record,
    keptNames: values['keep-names']?.split(',').map((name) => name.trim()) ?? [],
    replayFile: values.replay,
    log: parseOneOf(nameOf('log'), log, logFormats),
    check: check === undefined ? undefined : parseInteger('--check', check, 1, 2 ** 31 - 1),
    version: isOn('version'),
    help: isOn('help'),
  }
}

/** @throws Error for an option that is empty, and those that exclude or need each other. */
function assertCombination(nameOf: (option: string) => string, values: Values): void {
  const has = (name: string) => values[name] !== undefined && values[name] !== 'false'
  for (const [name, value] of Object.entries(values)) {
    if (value === '') throw new Error(`${nameOf(name)} must not be empty`)
  }
  for (const [name, excluded] of Object.entries(EXCLUDED)) {
    const other = has(name) ? excluded.find(has) : undefined
    if (other !== undefined) throw new Error(`${nameOf(name)} cannot be combined with ${nameOf(other)}`)
  }
  for (const [name, needed] of Object.entries(NEEDED)) {
    if (has(name) && !has(needed)) throw new Error(`${nameOf(name)} needs --${needed}`)
  }
}

/** Parses the address of a service. It is not quoted: it may contain a secret. */
function parseTarget(option: string, text: string | undefined, [secure = '', local = '']: string[]): URL | undefined {
  if (text === undefined) return undefined
  const url = URL.canParse(text) ? new URL(text) : undefined
  const isSafe = url?.protocol === secure || (url?.protocol === local && isLoopback(url.host))
  if (isSafe && !/[?#@]/.test(text)) return url
  throw new Error(`${option} must be a ${secure} URL, or ${local} on this machine, without user, query and fragment`)
}

/** Reads the file of an option. @throws Error with the names of both. */
export function readFileOf(option: string, file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    // Without the call, which has the name of the file only sometimes.
    const [reason] = error instanceof Error ? error.message.split(', ') : []
    throw new Error(`${option}: ${reason} (${file})`)
  }
}

function readToken(nameOf: (option: string) => string, values: Values): string | undefined {
  const { 'control-token': token, 'control-token-file': file } = values
  if (file === undefined) return token && parseToken(nameOf('control-token'), token)
  const option = nameOf('control-token-file')
  const read = readFileOf(option, file).replace(/\r?\n$/, '')
  if (read === '') throw new Error(`${option}: ${file} is empty`)
  return parseToken(option, read)
}

function parseToken(option: string, text: string): string {
  const [issue] = headerToken(option, text)
  if (issue !== undefined) throw new Error(`${option}: ${issue.message}`)
  return text
}

function parseInteger(option: string, text: string, min: number, max: number): number {
  const value = Number(text)
  if (/^\d+$/.test(text) && value >= min && value <= max) return value
  throw new Error(`${option} must be an integer from ${min} to ${max}, got "${text}"`)
}

function parseOneOf<const T extends string>(option: string, text: string, allowed: readonly T[]): T {
  const found = allowed.find((name) => name === text)
  if (found !== undefined) return found
  const names = `${allowed.slice(0, -1).join(', ')} or ${allowed.at(-1)}`
  throw new Error(`${option} must be ${names}, got "${text}"`)
}

function parseOrigins(option: string, text: string | undefined): string[] {
  const origins = text?.split(',').map((origin) => origin.trim()) ?? []
  const invalid = origins.find((origin) => !isOrigin(origin))
  if (invalid === undefined) return origins
  throw new Error(`${option} must be origins such as https://app.example, separated by commas, got "${invalid}"`)
}
