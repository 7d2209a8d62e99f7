#!/usr/bin/env node
import { parseArgs } from 'node:util'
import type { Message } from './database'
import { listen, type MockServer } from './node'
import { createMockService, type MockService } from './service'

/** Options of the command. */
interface CommandOptions {
  readonly port: number
  readonly host: string
  readonly seed: number
  readonly scenario: Scenario
  readonly help: boolean
}

const scenarios = ['demo', 'empty'] as const
type Scenario = (typeof scenarios)[number]

const usage = `rapport-mock: a mock of the service, over HTTP and WebSocket

  --port <number>      port to listen on, 0 for any free port (default: 4010)
  --host <address>     address to listen on (default: 127.0.0.1)
  --scenario <name>    initial data: ${scenarios.join(' or ')} (default: demo)
  --seed <integer>     seed of IDs, tokens and secrets (default: 1)
  --help               print this help
`

/**
 * Parses the arguments of the command.
 * @throws Error with the reason if they are invalid.
 */
function parseOptions(args: readonly string[]): CommandOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      port: { type: 'string', default: '4010' },
      host: { type: 'string', default: '127.0.0.1' },
      seed: { type: 'string', default: '1' },
      scenario: { type: 'string', default: 'demo' },
      help: { type: 'boolean', default: false, short: 'h' },
    },
  })
  const scenario = scenarios.find((name) => name === values.scenario)
  if (scenario === undefined) throw new Error(`--scenario must be ${scenarios.join(' or ')}, got "${values.scenario}"`)
  return {
    port: parseInteger('--port', values.port, 0, 65_535),
    seed: parseInteger('--seed', values.seed, 0, 2 ** 31 - 1),
    host: values.host,
    scenario,
    help: values.help,
  }
}

function parseInteger(option: string, text: string, min: number, max: number): number {
  const value = Number(text)
  if (/^\d+$/.test(text) && value >= min && value <= max) return value
  throw new Error(`${option} must be an integer from ${min} to ${max}, got "${text}"`)
}

/** An account of the demo scenario with its credentials. */
interface DemoAccount {
  readonly login: string
  readonly password: string
  readonly username: string
  /** Description of the account. */
  readonly description: string
  /** TOTP secret in base32, if the account has a second factor. */
  readonly totpSecret?: string
  /** TOTP code at the start. */
  readonly totpCode?: string
  readonly backupCodes?: readonly string[]
}

const password = 'correct horse battery staple'

/** Seeds a service with a few users, their relationships and an application. */
function seedDemo(service: MockService): DemoAccount[] {
  const { users, relationships } = service
  const create = (username: string, global_name: string, mfa: readonly ('totp' | 'backup')[] = []) =>
    users.create({ login: `${username}@example.com`, username, global_name, password, mfa })
  const ada = create('ada', 'Ada', ['totp', 'backup'])
  const grace = create('grace', 'Grace')
  const linus = create('linus', 'Linus')
  const edsger = create('edsger', 'Edsger')
  const barbara = create('barbara', 'Barbara')

  relationships.befriend(ada, grace)
  relationships.request(linus, ada, { note: 'Met you at the compiler meetup.' })
  relationships.request(edsger, ada, { spam: true })
  users.suggest(ada, barbara, { reasons: [{ type: 1, platform: 'chess', name: 'barbara_l' }] })

  const game = service.applications.create({ owner: grace, name: 'Bridge Builder', members: [ada] })
  service.identities.create({ application: game, user: ada, externalUserId: 'ada-1815', username: 'ada_plays' })
  users.suggestGames(ada, { games: [game.id] })
  users.disable(edsger)

  const account = { password }
  return [
    {
      ...account,
      login: 'ada@example.com',
      username: 'ada',
      description: 'signs in with a second factor; has a friend, two requests and a suggestion',
      totpSecret: users.totpSecret(ada),
      totpCode: users.totp(ada),
      backupCodes: users.backupCodes(ada),
    },
    { ...account, login: 'grace@example.com', username: 'grace', description: `owns the application ${game.id}` },
    { ...account, login: 'linus@example.com', username: 'linus', description: 'has sent a friend request to Ada' },
    { ...account, login: 'edsger@example.com', username: 'edsger', description: 'disabled; log in with undelete' },
  ]
}

/** Exit codes; 0 is the end by a signal. */
const EXIT_INVALID_USAGE = 2
const EXIT_LISTEN_FAILED = 1

async function main(args: readonly string[]): Promise<void> {
  let options: CommandOptions
  try {
    options = parseOptions(args)
  } catch (error) {
    fail(`${error instanceof Error ? error.message : error}\n\n${usage}`, EXIT_INVALID_USAGE)
    return
  }
  if (options.help) {
    process.stdout.write(usage)
    return
  }
  const { host, port, scenario, seed } = options
  // Passkeys need a domain, and browsers accept "localhost" without TLS.
  const service = createMockService({ baseUrl: `http://localhost:${port}`, seed, rpId: 'localhost' })
  const accounts = scenario === 'demo' ? seedDemo(service) : []
  let server: MockServer
  try {
    server = await listen(service, { host, port })
  } catch (error) {
    fail(formatError(error, options), EXIT_LISTEN_FAILED)
    return
  }
  // The reader of the output may close it, as `head` does; keep serving the clients.
  process.stdout.on('error', () => {})
  process.stdout.write(`The mock service listens on ${server.url}\n`)
  process.stdout.write(`The gateway listens on ${server.gatewayUrl}\n${accounts.map(formatAccount).join('')}`)
  process.stdout.write('Mails and SMS are printed here. Press Ctrl+C to stop.\n')
  service.mail.onSent((mail) => process.stdout.write(formatMessage('mail', mail)))
  service.sms.onSent((sms) => process.stdout.write(formatMessage('SMS', sms)))
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void service.close())
}

function formatAccount(account: DemoAccount): string {
  const { login, password, description, totpSecret, totpCode, backupCodes } = account
  const lines = [`\n  ${login}`, `    ${description}`, `    password      ${password}`]
  if (totpSecret !== undefined) lines.push(`    TOTP secret   ${totpSecret}`)
  if (totpCode !== undefined) lines.push(`    TOTP code     ${totpCode} (now; changes every 30 seconds)`)
  if (backupCodes !== undefined) lines.push(`    backup codes  ${backupCodes.join(' ')}`)
  return `${lines.join('\n')}\n`
}

/** Formats a message as one line; its contents are at the end as `name=value`, for scripts. */
function formatMessage(channel: string, { to, kind, text, at, ...contents }: Message): string {
  const values = Object.entries(contents).map(([name, value]) => `${name}=${value}`)
  // The address is user input: remove line breaks and terminal escape sequences.
  return `${`${at} ${channel} to ${to}, ${kind}: ${text} ${values.join(' ')}`.replaceAll(/\p{Cc}/gu, '\u{fffd}')}\n`
}

function formatError(error: unknown, { host, port }: CommandOptions): string {
  // `listen` only rejects with errors of Node's server.
  const { code, message } = error as NodeJS.ErrnoException
  if (code === 'EADDRINUSE') return `port ${port} is in use; choose another one, or --port 0 for any free port\n`
  if (code === 'EACCES') return `no permission to listen on port ${port}; choose one above 1023\n`
  return `cannot listen on ${host}:${port}: ${message}\n`
}

function fail(text: string, exitCode: number): void {
  process.stderr.write(`rapport-mock: ${text}`)
  process.exitCode = exitCode
}

await main(process.argv.slice(2))
