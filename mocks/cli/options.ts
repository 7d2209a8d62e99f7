// Arguments of the command `rapport-mock`.
import { parseArgs } from 'node:util'
import { parseTime } from '../clock'
import { MAX_NAMESPACES } from '../control/namespaces'
import { isOrigin } from '../control/server'

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
  --max-namespaces <number>
                           number of namespaces, with the default one, above which unused ones make room (default: ${MAX_NAMESPACES})

Data
  --scenario <name>        initial data: ${scenarios.join(' or ')} (default: demo; empty with a seed file or --import)
  --seed <file.json>       initial data from a file: users, applications, relationships, faults, policy and more
  --seed <integer>         seed of IDs, tokens and secrets (default: 1)
  --watch                  load the seed file again whenever it changes
  --import <dir>           start with the data in this folder
  --export <dir>           write the data of all namespaces to this folder when the command ends

Behavior
  --now <time>             let the clock stand at this time, such as 2026-01-01T00:00:00Z; the control API moves it
  --policy <file.json>     decisions of the service: step-up, lifetimes, rate limits, passwords and more

Output
  --log <format>           a line per request, gateway connection, mail, SMS: ${logFormats.join(', ')} (default: pretty)
  --version                print the version
  --help                   print this help

Passkeys belong to localhost (their rpId): open your page at http://localhost:<port>, not at 127.0.0.1.
`

export type CommandOptions = ReturnType<typeof parseOptions>

/**
 * Parses the arguments of the command. `scenario` is the one to begin with, `seed` that of random values.
 * @throws Error with the reason if they are invalid.
 */
export function parseOptions(args: readonly string[]) {
  const text = { type: 'string' } as const
  const flag = { type: 'boolean', default: false } as const
  const { values } = parseArgs({
    args: [...args],
    options: {
      port: { type: 'string', default: String(DEFAULT_PORT) },
      host: { type: 'string', default: '127.0.0.1' },
      cors: text,
      tls: flag,
      'control-token': text,
      'control-origin': text,
      'max-namespaces': { type: 'string', default: String(MAX_NAMESPACES) },
      scenario: text,
      seed: text,
      watch: flag,
      import: text,
      export: text,
      now: text,
      policy: text,
      log: { type: 'string', default: 'pretty' },
      version: flag,
      help: { ...flag, short: 'h' },
    },
  })
  for (const [name, value] of Object.entries(values)) {
    if (value === '') throw new Error(`--${name} must not be empty`)
  }
  const { seed, watch, import: importFrom, now } = values
  const isInteger = seed !== undefined && /^\d+$/.test(seed)
  const seedFile = isInteger ? undefined : seed
  if (watch && seedFile === undefined) throw new Error('--watch needs a seed file: --seed <file.json>')
  if (importFrom !== undefined && (seed ?? values.scenario) !== undefined) {
    throw new Error('--import replaces all data: omit --seed and --scenario')
  }
  if (now !== undefined && Number.isNaN(parseTime(now))) {
    throw new Error(`--now must be a time such as 2026-01-01T00:00:00Z, got "${now}"`)
  }
  const byDefault = seedFile === undefined && importFrom === undefined ? 'demo' : 'empty'
  return {
    ...values,
    port: parseInteger('--port', values.port, 0, 65_535),
    cors: parseOrigins('--cors', values.cors),
    controlToken: values['control-token'],
    controlOrigins: parseOrigins('--control-origin', values['control-origin']),
    maxNamespaces: parseInteger('--max-namespaces', values['max-namespaces'], 1, 10_000),
    scenario: parseOneOf('--scenario', values.scenario ?? byDefault, scenarios),
    seed: isInteger ? parseInteger('--seed', seed, 0, 2 ** 31 - 1) : undefined,
    seedFile,
    importFrom,
    exportTo: values.export,
    policyFile: values.policy,
    log: parseOneOf('--log', values.log, logFormats),
  }
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
