#!/usr/bin/env node
// The command `rapport-doctor`.
import { readFileSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs'
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
import type { ServiceReport } from './report'

const usage = `rapport-doctor: compares a running service with its API document and with what rapport-sdk assumes

  npx -p rapport-sdk rapport-doctor <url> [options]

By default, sends only GETs, at most one a second, and to the gateway an Identify, a heartbeat and a Resume. After a 429, it
only undoes changes, signs out, and identifies with the token that has ended. The token is read from --token-file, from the
environment variable RAPPORT_TOKEN, or from a prompt, not from an argument, which other users of the machine could see.

  --gateway <url>          URL of the gateway, wss: or on this machine ws:
  --token-file <file>      file with the token
  --yes                    send the token without asking for confirmation
  --sign-in                sign in instead, with login, password and second factor from the terminal; sign out at the end
  --wrong-code             send one wrong code first (with --sign-in)
  --write nickname:<user>  change the nickname of a friend who has one, and restore it
  --write widget-config:<application>
                           create a widget config, and delete it
  --write logout           end the session of --sign-in by a call that requires a second factor (with --gateway)

  --json, --markdown       print the report in this format (default: text)
  --write-options <file>   write options of the client for this service, as TypeScript
  --write-policy <file>    write a policy for rapport-mock --policy
  --version, --help

Exit code: 0 the service is as assumed, 1 it differs, 2 something could not be checked, undone or written.
`

export interface CommandContext {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly input: TerminalInput & { readonly isTTY?: boolean }
  readonly output: Writable & { readonly isTTY?: boolean }
  /** Receives everything but the report. */
  readonly messages: Writable & { readonly isTTY?: boolean }
  readonly signal: AbortSignal
  readonly intervalMs?: number
}

const CLEAR_LINE = '\r\u001b[K'
const text = { type: 'string' } as const
const flag = { type: 'boolean' } as const
const TEXTS = { gateway: text, 'token-file': text, 'write-options': text, 'write-policy': text }
const FLAGS = { yes: flag, 'sign-in': flag, 'wrong-code': flag, json: flag, markdown: flag, version: flag }

const parse = (args: readonly string[]) =>
  parseArgs({
    args: [...args],
    options: { ...TEXTS, ...FLAGS, write: { type: 'string', multiple: true }, help: { type: 'boolean', short: 'h' } },
    allowPositionals: true,
  })

type Values = ReturnType<typeof parse>['values']

export async function runDoctor(args: readonly string[], context: CommandContext): Promise<number> {
  const { output, messages, env } = context
  const clear = messages.isTTY ? CLEAR_LINE : ''
  try {
    const { values, positionals } = parse(args)
    if (values.help || values.version) {
      output.write(values.help ? usage : `${version}\n`)
      return 0
    }
    const [url, ...others] = positionals
    if (url === undefined || others.length > 0) throw new Error('expected one URL; see rapport-doctor --help')
    const report = await check(url, values, context, clear)
    messages.write(clear)
    const { written, problems } = writeFiles(report, values)
    const format = values.json ? 'json' : values.markdown ? 'markdown' : 'text'
    output.write(formatReport(report, format, { colors: output.isTTY === true && !env.NO_COLOR, written }))
    const failures = report.skipped.filter(({ isFailure }) => isFailure)
    // The other formats have them.
    if (values.json)
      for (const { endpoint, reason } of failures) messages.write(`could not check ${endpoint}: ${reason}\n`)
    for (const problem of problems) messages.write(`rapport-doctor: ${printable(problem)}\n`)
    if (problems.length > 0) return 2
    if (report.differences.length > 0 || report.conventions.some(({ status }) => status === 'different')) return 1
    return failures.length + report.notUndone.length > 0 ? 2 : 0
  } catch (error) {
    messages.write(`${clear}rapport-doctor: ${printable(messageOf(error))}\n`)
    return 2
  }
}

async function check(url: string, values: Values, context: CommandContext, clear: string): Promise<ServiceReport> {
  const { messages, input, signal, intervalMs } = context
  const { gateway } = values
  if (values.json && values.markdown) throw new Error('expected --json or --markdown, not both')
  requireSafe('the URL', url, 'https:', 'http:')
  if (gateway !== undefined) requireSafe('--gateway', gateway, 'wss:', 'ws:')
  const write = (values.write ?? []).map((change) => {
    if (isWriteCheck(change)) return change
    throw new Error('--write must be nickname:<user>, widget-config:<application> or logout')
  })
  const wrongCode = values['wrong-code'] === true
  if (!values['sign-in'] && (wrongCode || write.includes('logout')))
    throw new Error(`${wrongCode ? '--wrong-code' : '--write logout'} needs --sign-in`)
  const given = values['sign-in'] ? undefined : givenToken(values, context)
  const prompt = mfaPrompt({ input, output: messages })
  const client = new Client({
    baseUrl: url,
    onMfaRequired: (challenge) => {
      messages.write(clear)
      return prompt(challenge)
    },
    ...(gateway !== undefined && { gateway: { url: gateway } }),
  })
  let step = 0
  const onStep = (name: string) => {
    const isProgress = messages.isTTY && !name.startsWith('could not')
    messages.write(`${clear}${++step}. ${name}${isProgress ? '' : '\n'}`)
  }
  const signIn = values['sign-in'] ? { login: '', password: '', wrongCode } : undefined
  const options: CheckServiceOptions = { signIn, write, onStep, signal, intervalMs }
  await confirm([url, gateway ?? url], planCheck(options, gateway !== undefined), values, context)
  if (!signIn) {
    const [token = ''] = given === undefined ? await ask(context, ['Token: ', true]) : [given]
    return checkService(client.as(token.trim()), options)
  }
  const [login = '', password = ''] = await ask(context, ['Login: ', false], ['Password: ', true])
  return checkService(client, { ...options, signIn: { login, password, wrongCode } })
}

/** Refuses addresses to which a token must not be sent. */
function requireSafe(name: string, address: string, secure: string, plain: string): void {
  if (!URL.canParse(address)) throw new Error(`${name} must be absolute, such as ${secure}//service.example`)
  const { protocol, hostname } = new URL(address)
  if (protocol !== secure && !(protocol === plain && isLoopback(hostname)))
    throw new Error(`${name} must be ${secure}, except on this machine`)
}

async function confirm(urls: string[], steps: string[], values: Values, context: CommandContext): Promise<void> {
  const plan = steps.map((step) => `  - ${step}\n`).join('')
  const what = values['sign-in'] ? 'Login, password and second factor are' : 'The token is'
  const origins = [...new Set(urls.map((url) => new URL(url).origin))].join(' and ')
  context.messages.write(`This check will:\n${plan}${what} sent only to ${origins}.\n`)
  if (values.yes) return
  if (!context.input.isTTY) throw new Error('no terminal to confirm this in: pass --yes')
  const [answer = ''] = await ask(context, ['Continue? [y/N] ', false])
  if (!/^y(?:es)?$/i.test(answer.trim())) throw new Error('not confirmed, nothing was sent')
}

/** Returns the token of the file or the environment; `undefined` if the user is to be asked. */
function givenToken(values: Values, { env, input }: CommandContext): string | undefined {
  const file = values['token-file']
  try {
    if (file !== undefined) return readFileSync(file, 'utf8')
  } catch (error) {
    throw new Error(`--token-file: ${messageOf(error)}`)
  }
  if (env.RAPPORT_TOKEN !== undefined || input.isTTY) return env.RAPPORT_TOKEN
  throw new Error('no token: pass --token-file, or set the environment variable RAPPORT_TOKEN')
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : 'it was interrupted')

async function ask(
  { input, messages, signal }: CommandContext,
  ...prompts: (readonly [prompt: string, isHidden: boolean])[]
): Promise<string[]> {
  if (!input.isTTY) throw new Error('--sign-in needs a terminal')
  const terminal = new Terminal(input, messages, signal)
  const lines: string[] = []
  try {
    for (const [prompt, isHidden] of prompts) {
      const line = await terminal.readLine(prompt, isHidden)
      if (line === null) throw new Error('it was interrupted, nothing was sent')
      lines.push(line)
    }
  } finally {
    terminal.close()
  }
  return lines
}

/** Writes new files: an old one may be readable or open elsewhere; a device would be gone. */
function writeFiles({ facts }: ServiceReport, values: Values) {
  const files = [
    [values['write-options'], clientOptions(facts)],
    [values['write-policy'], `${JSON.stringify(mockPolicy(facts), null, 2)}\n`],
  ] as const
  const written: string[] = []
  const problems: string[] = []
  for (const [name, content] of files) {
    if (name === undefined) continue
    try {
      if (statSync(name, { throwIfNoEntry: false })?.isFile() === false) throw new Error(`${name} is not a file`)
      rmSync(name, { force: true })
      writeFileSync(name, content, { flag: 'wx', mode: 0o600 })
      written.push(name)
    } catch (error) {
      problems.push(messageOf(error))
    }
  }
  return { written, problems }
}

/** Whether this file is run, not imported. */
const isCommand = process.argv[1] !== undefined && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)
if (isCommand) {
  const control = new AbortController()
  // Further ones do not end an undo, whose requests have time limits.
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(name, () => control.abort(new Error('it was interrupted')))
  // A closed output must not prevent an undo.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
  process.exitCode = await runDoctor(process.argv.slice(2), {
    ...{ env: process.env, input: process.stdin, output: process.stdout, messages: process.stderr },
    signal: control.signal,
  })
}
