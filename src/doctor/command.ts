#!/usr/bin/env node
// The command `rapport-doctor`.
import { closeSync, fchmodSync, openSync, readFileSync, realpathSync, writeSync } from 'node:fs'
import type { Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { version } from '../../package.json'
import { Client } from '../client/client'
import { isLoopback } from '../internal/options'
import { mfaPrompt } from '../node/mfa-prompt'
import { printable, Terminal, type TerminalInput } from '../node/terminal'
import { type CheckServiceOptions, checkService, isWriteCheck, planCheck } from './check-service'
import { clientOptions, formatReport, mockPolicy } from './formats'
import type { KnownReport, ServiceReport } from './report'

const usage = `rapport-doctor: compares a running service with its API document and with what rapport-sdk assumes

  npx -p rapport-sdk rapport-doctor <url> [options]

Sends GETs and one Identify, at most one request a second, and stops at a 429. The token comes from --token-file, from the
environment variable RAPPORT_TOKEN, or from a prompt, never from an argument, which other users of the machine can see.

  --gateway <url>          URL of the gateway, wss: or on this machine ws:
  --token-file <file>      file with the token
  --yes                    send the token without asking whether the origin is right
  --sign-in                sign in instead, with login, password and second factor from the terminal; signs out at the end
  --wrong-code             send one wrong code first (with --sign-in)
  --write nickname:<user>  change the nickname of a friend who has one, and restore it
  --write widget-config:<application>
                           create a widget config, and delete it
  --write logout           end the session of --sign-in by a call that requires a second factor

  --json, --markdown       print the report in this format (default: text)
  --expect <report.json>   report of an earlier check, by --json: only what has changed since is a difference
  --write-options <file>   write options of the client for this service, as TypeScript
  --write-policy <file>    write a policy for rapport-mock --policy
  --version, --help

Exit code: 0 the service is as assumed, 1 it differs, 2 it could not be checked.
`

/** Streams and environment of the command. */
export interface CommandContext {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly input: TerminalInput & { readonly isTTY?: boolean }
  readonly output: Writable & { readonly isTTY?: boolean }
  /** Receives everything but the report. */
  readonly messages: Writable & { readonly isTTY?: boolean }
  readonly signal: AbortSignal
  readonly intervalMs?: number
}

/** Message for the user, without a stack. */
class UsageError extends Error {}

const text = { type: 'string' } as const
const flag = { type: 'boolean' } as const
const OPTIONS = {
  ...{
    gateway: text,
    'token-file': text,
    yes: flag,
    'sign-in': flag,
    'wrong-code': flag,
    write: { ...text, multiple: true },
  },
  ...{ json: flag, markdown: flag, expect: text, 'write-options': text, 'write-policy': text },
  ...{ version: flag, help: { ...flag, short: 'h' } },
} as const

/** Runs the command and returns its exit code. */
export async function runDoctor(args: readonly string[], context: CommandContext): Promise<number> {
  const { output, messages } = context
  try {
    const { values, positionals } = parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true })
    if (values.help || values.version) {
      output.write(values.help ? usage : `${version}\n`)
      return 0
    }
    if (positionals.length !== 1) throw new UsageError('expected one URL; run rapport-doctor --help for the options')
    const report = await check(String(positionals[0]), values, context)
    const written = writeFiles(report, values)
    const colors = output.isTTY === true && !context.env.NO_COLOR
    output.write(
      formatReport(report, values.json ? 'json' : values.markdown ? 'markdown' : 'text', { colors, written }),
    )
    const isDifferent = report.conventions.some(({ status }) => status === 'different') || report.differences.length > 0
    return isDifferent ? 1 : report.stopped === undefined && report.notUndone.length === 0 ? 0 : 2
  } catch (error) {
    const { message } = error instanceof Error ? error : new Error('it was interrupted')
    messages.write(`${context.messages.isTTY ? '\r\u001b[K' : ''}rapport-doctor: ${printable(message)}\n`)
    return 2
  }
}

type Values = ReturnType<typeof parseArgs<{ options: typeof OPTIONS }>>['values']

async function check(url: string, values: Values, context: CommandContext): Promise<ServiceReport> {
  const { messages, input, signal, intervalMs } = context
  const { gateway } = values
  for (const [name, address] of Object.entries({ 'the URL': url, '--gateway': gateway })) requireSafe(name, address)
  const known = values.expect === undefined ? undefined : readReport(values.expect)
  const write = [values.write ?? []].flat().map((text) => {
    if (isWriteCheck(text)) return text
    throw new UsageError('--write must be nickname:<user>, widget-config:<application> or logout')
  })
  const base = new Client({
    baseUrl: url,
    onMfaRequired: mfaPrompt({ input, output: messages }),
    ...(gateway !== undefined && { gateway: { url: gateway } }),
  })
  let step = 0
  const onStep = (name: string) => {
    const line = `${++step}. ${name}`
    messages.write(messages.isTTY && !name.startsWith('could not') ? `\r\u001b[K${line}` : `${line}\n`)
  }
  const planned: CheckServiceOptions = {
    ...{ write, onStep, signal, intervalMs, known },
    ...(values['sign-in'] && { signIn: { login: '', password: '', wrongCode: values['wrong-code'] === true } }),
  }
  await confirm(
    [url, ...(gateway === undefined ? [] : [gateway])].map((one) => new URL(one)),
    planned,
    values,
    context,
  )
  let report: ServiceReport
  if (planned.signIn) {
    const [login = '', password = ''] = await ask(context, [
      ['Login: ', false],
      ['Password: ', true],
    ])
    report = await checkService(base, { ...planned, signIn: { ...planned.signIn, login, password } })
  } else report = await checkService(base.as(await readToken(values, context)), planned)
  if (messages.isTTY) messages.write('\r\u001b[K')
  return report
}

/** Reads the report of an earlier check. */
function readReport(file: string): KnownReport {
  const report: KnownReport = JSON.parse(readFileSync(file, 'utf8'))
  if (![report?.conventions, report?.differences].every(Array.isArray))
    throw new UsageError('--expect must be a report that was written with --json')
  return report
}

/** Refuses addresses to which a token must not be sent. */
function requireSafe(name: string, address: string | undefined): void {
  if (address === undefined) return
  if (!URL.canParse(address)) throw new UsageError(`${name} must be absolute, such as https://service.example`)
  const { protocol, hostname } = new URL(address)
  const isSecure = protocol === (name === '--gateway' ? 'wss:' : 'https:')
  const isPlain = protocol === (name === '--gateway' ? 'ws:' : 'http:')
  if (!isSecure && !(isPlain && isLoopback(hostname)))
    throw new UsageError(`${name} must be ${name === '--gateway' ? 'wss:' : 'https:'}, except on this machine`)
}

async function confirm(urls: URL[], planned: CheckServiceOptions, values: Values, context: CommandContext) {
  const steps = planCheck(planned, urls.length > 1).map((step) => `  - ${step}\n`)
  const what = planned.signIn ? 'Login, password and second factor are' : 'The token is'
  const origins = [...new Set(urls.map(({ protocol, host }) => `${protocol}//${host}`))].join(' and ')
  context.messages.write(`This check will:\n${steps.join('')}${what} sent to ${origins}, and to nobody else.\n`)
  if (values.yes) return
  if (!context.input.isTTY) throw new UsageError('no terminal to confirm this in: pass --yes')
  const [answer = ''] = await ask(context, [['Continue? [y/N] ', false]])
  if (!/^y(?:es)?$/i.test(answer.trim())) throw new UsageError('not confirmed, nothing was sent')
}

async function readToken(values: Values, context: CommandContext): Promise<string> {
  const file = values['token-file']
  const given = file === undefined ? context.env.RAPPORT_TOKEN : readFileSync(file, 'utf8')
  if (given === undefined && !context.input.isTTY)
    throw new UsageError('no token: pass --token-file, or set the environment variable RAPPORT_TOKEN')
  const [token = ''] = given === undefined ? await ask(context, [['Token: ', true]]) : [given]
  if (token.trim() === '') throw new UsageError('the token is empty')
  return token.trim()
}

/** Asks for lines in the terminal. */
async function ask(
  { input, messages, signal }: CommandContext,
  prompts: readonly (readonly [prompt: string, isHidden: boolean])[],
): Promise<string[]> {
  if (!input.isTTY) throw new UsageError('--sign-in needs a terminal')
  const terminal = new Terminal(input, messages, signal)
  const lines: string[] = []
  try {
    for (const [prompt, isHidden] of prompts) {
      const line = await terminal.readLine(prompt, isHidden)
      if (line === null) throw new UsageError('it was interrupted, nothing was sent')
      lines.push(line)
    }
  } finally {
    terminal.close()
  }
  return lines
}

function writeFiles({ facts }: ServiceReport, values: Values): string[] {
  const files: (readonly [name: string | undefined, content: string])[] = [
    [values['write-options'], clientOptions(facts)],
    [values['write-policy'], `${JSON.stringify(mockPolicy(facts), null, 2)}\n`],
  ]
  return files.flatMap(([name, content]) => {
    if (name === undefined) return []
    const file = openSync(name, 'w', 0o600)
    try {
      // The mode of a file that was there before.
      fchmodSync(file, 0o600)
      writeSync(file, content)
    } finally {
      closeSync(file)
    }
    return [name]
  })
}

/** Whether this file is run, not imported. */
const isCommand = process.argv[1] !== undefined && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)
if (isCommand) {
  const control = new AbortController()
  // A second Ctrl-C ends the process.
  process.once('SIGINT', () => control.abort(new UsageError('it was interrupted')))
  process.exitCode = await runDoctor(process.argv.slice(2), {
    ...{ env: process.env, input: process.stdin, output: process.stdout, messages: process.stderr },
    signal: control.signal,
  })
}
