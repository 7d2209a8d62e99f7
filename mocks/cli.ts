#!/usr/bin/env node
import { type CommandOptions, commandOptions, usage } from './cli-options'
import { type DemoAccount, seedDemo } from './demo'
import { listen, type MockServer } from './node'
import type { Message } from './outbox'
import { createMockService } from './service'

/** Exit codes: 0 ended by a signal, 1 could not listen, 2 wrong command line. */
const WRONG_USAGE = 2
const COULD_NOT_LISTEN = 1

async function main(args: readonly string[]): Promise<void> {
  let options: CommandOptions
  try {
    options = commandOptions(args)
  } catch (error) {
    fail(`${error instanceof Error ? error.message : error}\n\n${usage}`, WRONG_USAGE)
    return
  }
  if (options.help) {
    process.stdout.write(usage)
    return
  }
  const { host, port, scenario, seed } = options
  // Passkeys need a name, and "localhost" is the one that browsers take without TLS.
  const service = createMockService({ baseUrl: `http://localhost:${port}`, seed, rpId: 'localhost' })
  const accounts = scenario === 'demo' ? seedDemo(service) : []
  let server: MockServer
  try {
    server = await listen(service, { host, port })
  } catch (error) {
    fail(reasonOf(error, options), COULD_NOT_LISTEN)
    return
  }
  // Whoever read what it writes may go, as `head` does; its clients stay.
  process.stdout.on('error', () => {})
  process.stdout.write(`The mock service listens at ${server.url}\n`)
  process.stdout.write(`Its gateway listens at ${server.gatewayUrl}\n${accounts.map(describe).join('')}`)
  process.stdout.write('Mails and SMS are written here. Press Ctrl+C to end it.\n')
  service.mail.onSent((mail) => process.stdout.write(describeMessage('mail', mail)))
  service.sms.onSent((sms) => process.stdout.write(describeMessage('SMS', sms)))
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void service.close())
}

function describe({ login, password, about, totpSecret, backupCodes }: DemoAccount): string {
  const lines = [`\n  ${login}`, `    ${about}`, `    password      ${password}`]
  if (totpSecret !== undefined) lines.push(`    TOTP secret   ${totpSecret}`)
  if (backupCodes !== undefined) lines.push(`    backup codes  ${backupCodes.join(' ')}`)
  return `${lines.join('\n')}\n`
}

/** One line for a person or a script: what each carries is at the end, as `name=value`. */
function describeMessage(channel: string, { to, kind, text, at, ...carried }: Message): string {
  const values = Object.entries(carried).map(([name, value]) => `${name}=${value}`)
  // An address is what somebody typed: it is not to begin a line of its own, or to steer the terminal.
  return `${`${at} ${channel} to ${to}, ${kind}: ${text} ${values.join(' ')}`.replaceAll(/\p{Cc}/gu, '\u{fffd}')}\n`
}

function reasonOf(error: unknown, { host, port }: CommandOptions): string {
  const { code, message } = error as NodeJS.ErrnoException
  if (code === 'EADDRINUSE') return `port ${port} is in use; give another one, or --port 0 for one that is free\n`
  if (code === 'EACCES') return `port ${port} may not be used; give one above 1023\n`
  return `cannot listen at ${host}:${port}: ${message}\n`
}

function fail(text: string, exitCode: number): void {
  process.stderr.write(`rapport-mock: ${text}`)
  process.exitCode = exitCode
}

await main(process.argv.slice(2))
