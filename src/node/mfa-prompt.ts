import type { Writable } from 'node:stream'
import { raceAbort } from '../abort'
import { RapportError } from '../errors/base'
import { explain } from '../errors/explain'
import { readField } from '../internal/json'
import type { MfaAnswer, MfaChallenge, MfaHandler } from '../types/mfa'
import { ENGLISH, type MfaPromptMethod, type MfaPromptWords, type PartialMfaPromptWords } from './prompt-words'
import { printable, Terminal, type TerminalInput } from './terminal'

/** Options of {@link mfaPrompt}. */
export interface MfaPromptOptions {
  /**
   * Stream of keys; need not be a TTY. A readline interface of yours that reads from it is suspended during a prompt.
   * @default process.stdin, which must be a TTY
   */
  readonly input?: TerminalInput | undefined
  /**
   * Stream to which the prompt is written. If its `isTTY` is not true, it receives no control sequences, and the number
   * of a chosen method is shown only after Enter; set `isTTY` on the channel of an SSH session.
   * @default process.stderr, so that the output of a script can be redirected; process.stdout if only that is a TTY
   */
  readonly output?: Writable | undefined
  /**
   * Texts that replace the default ones.
   * @default English
   */
  readonly words?: PartialMfaPromptWords | undefined
}

const METHODS: readonly MfaPromptMethod[] = ['totp', 'sms', 'backup', 'password']
/** Minimum time between two SMS, which cost money. */
const RESEND_AFTER_MS = 30_000

/**
 * Creates a handler that asks for second factors in the terminal, for scripts and command line tools. Codes and
 * passwords are not shown while they are typed. If several methods are accepted, the user chooses one. An SMS is sent
 * only if the user asks for it, at most every 30 seconds. After a refused code, the prompt shows the service's message
 * and the number of attempts left; one that was refused before is not sent again. Supports `totp`, `sms`, `backup` and `password`.
 *
 * Ctrl-C, Ctrl-D and the end of the input cancel the prompt, not the process: the call rejects with
 * `MfaCancelledError`. The prompt closes if its answer is no longer needed. The terminal is restored in any case. Prompts
 * of several clients wait for each other. Ctrl-Z suspends the process if the prompt is in its own terminal, on
 * `process.stdin`; from any other `input` the key is ignored.
 *
 * The call rejects with an `MfaCancelledError`, whose `cause` says why, if stdin is not a TTY and no `input` was passed,
 * if none of the accepted methods is supported, or if a stream fails or is destroyed. For Node. API, "Multi-factor elevation".
 *
 * @example
 * import { Client } from 'rapport-sdk'
 * import { mfaPrompt } from 'rapport-sdk/node'
 *
 * const client = new Client({ baseUrl: 'https://service.example', onMfaRequired: mfaPrompt() })
 */
export function mfaPrompt(options: MfaPromptOptions = {}): MfaHandler {
  const given = readField(options, 'words')
  const words = { ...merge(ENGLISH, given), errors: readField(given, 'errors') ?? {} }
  const conversations = new WeakMap<MfaChallenge, Conversation>()
  return async (challenge) => {
    const input = readField(options, 'input') ?? requireTerminal(challenge)
    const output = readField(options, 'output') ?? visibleOutput()
    const ask = (conversation: Conversation) => conversation.ask(input, output)
    // After a refused answer, the challenge still has its turn.
    const earlier = conversations.get(challenge)
    if (earlier) return ask(earlier)
    const conversation = new Conversation(challenge, words)
    if (challenge.attemptsLeft !== undefined) conversations.set(challenge, conversation)
    return takeTurn(input, challenge, () => ask(conversation))
  }
}

/** Replaces single texts, also in the groups. */
function merge<T extends object>(texts: T, replacements: object = {}): T {
  const merged = Object.entries(texts).map(([name, text]) => {
    const replacement = readField(replacements, name) ?? undefined
    return [name, typeof text === 'object' ? merge(text, replacement) : (replacement ?? text)]
  })
  return Object.fromEntries(merged)
}

function requireTerminal({ endpoint }: MfaChallenge): TerminalInput {
  if (process.stdin.isTTY) return process.stdin
  throw new RapportError(
    `${endpoint} requires a second factor, which mfaPrompt cannot ask for: stdin is not a terminal. Run the script in a terminal, or pass \`input\` and \`output\` to mfaPrompt.`,
  )
}

function visibleOutput(): Writable {
  return process.stdout.isTTY && !process.stderr.isTTY ? process.stdout : process.stderr
}

/** When the last prompt of an input ends. */
const turns = new WeakMap<TerminalInput, Promise<unknown>>()

/** Calls `ask` once earlier prompts of an input have ended. A prompt of a handler ends when its challenge is settled. */
async function takeTurn<T>(input: TerminalInput, challenge: MfaChallenge, ask: () => Promise<T>): Promise<T | null> {
  const { signal, settled, attemptsLeft } = challenge
  const before = turns.get(input) ?? Promise.resolve()
  const answer = raceAbort(before, signal).then(ask, () => null)
  const end = attemptsLeft === undefined ? answer : settled
  turns.set(input, Promise.allSettled([before, answer, end]))
  return answer
}

/** The prompt of a challenge, through all its attempts. */
class Conversation {
  readonly #challenge: MfaChallenge
  readonly #words: MfaPromptWords
  readonly #methods: readonly MfaPromptMethod[]
  /** Number of the chosen method in the list. */
  #chosen = 0
  #isChosen: boolean
  /** When the last SMS was sent. */
  #sentAt = -Infinity
  readonly #given = new Set<string>()

  constructor(challenge: MfaChallenge, words: MfaPromptWords) {
    this.#challenge = challenge
    this.#words = words
    this.#methods = METHODS.filter((method) => challenge.allows(method))
    this.#isChosen = this.#methods.length === 1
    if (this.#methods.length > 0) return
    const accepted = printable(challenge.methods.map(({ type }) => type).join(', '))
    throw new RapportError(
      `${challenge.endpoint} requires a second factor that mfaPrompt does not support: ${accepted}. It supports ${METHODS.join(', ')}.`,
    )
  }

  /** Asks for an answer; `null` cancels. */
  async ask(input: TerminalInput, output: Writable): Promise<MfaAnswer | null> {
    const { signal } = this.#challenge
    const terminal = new Terminal(input, output, signal)
    try {
      const answer = await this.#ask(terminal)
      const { failure } = terminal
      if (answer || !failure) return answer
      throw new RapportError(
        `${this.#challenge.endpoint} requires a second factor, which mfaPrompt can no longer ask for: ${failure.reason}.`,
        { cause: failure.cause },
      )
    } finally {
      terminal.close()
      if (signal.aborted) terminal.print(this.#words.closed)
    }
  }

  async #ask(terminal: Terminal): Promise<MfaAnswer | null> {
    const { lastError, attemptsLeft } = this.#challenge
    if (lastError) this.#printError(terminal, lastError)
    else terminal.print(this.#words.title(this.#challenge))
    if (lastError && attemptsLeft !== undefined) terminal.print(this.#words.attemptsLeft(attemptsLeft))
    for (;;) {
      const method = await this.#chooseMethod(terminal)
      const line = method && (await terminal.readLine(this.#promptFor(method), true))
      if (!method || line === null) return null
      const code = method === 'password' ? line : line.replace(/\s/g, '')
      const key = `${method} ${code}`
      if (this.#given.has(key)) {
        terminal.print(this.#words.repeated)
        continue
      }
      if (code !== '') {
        this.#given.add(key)
        return { type: method, code: line }
      }
      if (this.#methods.length > 1) this.#isChosen = false
      else if (method === 'sms') await this.#sendSms(terminal)
    }
  }

  async #chooseMethod(terminal: Terminal): Promise<MfaPromptMethod | null> {
    const { choices, choose } = this.#words
    const methods = this.#methods
    if (!this.#isChosen) methods.forEach((method, index) => void terminal.print(`  ${index + 1}  ${choices[method]}`))
    while (!this.#isChosen) {
      const line = await terminal.readLine(`${choose(methods.length, this.#chosen + 1)}: `, false)
      if (line === null) return null
      const index = line.trim() === '' ? this.#chosen : Number(line) - 1
      if (methods[index] === undefined) continue
      this.#chosen = index
      this.#isChosen = true
      if (methods[index] === 'sms') await this.#sendSms(terminal)
    }
    return methods[this.#chosen] ?? null
  }

  #promptFor(method: MfaPromptMethod): string {
    const { prompts, enter } = this.#words
    const sms = this.#sentAt === -Infinity ? enter.send : enter.sendAgain
    const hint = this.#methods.length > 1 ? enter.otherMethod : method === 'sms' ? sms : ''
    return hint === '' ? `${prompts[method]}: ` : `${prompts[method]} (${hint}): `
  }

  async #sendSms(terminal: Terminal): Promise<void> {
    const waitMs = this.#sentAt + RESEND_AFTER_MS - performance.now()
    if (waitMs > 0) return terminal.print(this.#words.sendAgainIn(Math.ceil(waitMs / 1000)))
    try {
      const sent = await Promise.race([this.#challenge.sendSms(), terminal.closed])
      if (!sent) return
      this.#sentAt = performance.now()
      terminal.print(this.#words.sent(printable(sent.phone)))
    } catch (error) {
      this.#printError(terminal, error)
    }
  }

  #printError(terminal: Terminal, error: unknown): void {
    terminal.print(printable(explain(error, { words: this.#words.errors }).message))
  }
}
