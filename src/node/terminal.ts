import { createInterface, type Interface } from 'node:readline'
import { type Readable, Writable } from 'node:stream'
import { isError } from '../internal/json'

/** A stream of keys, such as `process.stdin` or the channel of an SSH session. */
export type TerminalInput = Readable & {
  /** Whether it is in raw mode. */
  readonly isRaw?: boolean
  /** Switches raw mode, in which the terminal itself does not show the keys. */
  setRawMode?(isRaw: boolean): unknown
}

/** Prints and reads lines until it is closed, which restores the input. */
export class Terminal {
  /** Resolves when Ctrl-C or Ctrl-D is pressed, the input ends, the signal aborts, or `close` is called. */
  readonly closed: Promise<void>
  readonly #output: Writable
  readonly #readline: Interface
  readonly #restore: () => void
  /** Lines that were entered, but not read yet. */
  readonly #lines: string[] = []
  #prompt = ''
  #isHidden = true
  #isClosed = false
  #failure: { readonly reason: string; readonly cause: unknown } | undefined
  /** Ends the pending `readLine`, if there is one. */
  #wake = () => {}

  constructor(input: TerminalInput, output: Writable, signal: AbortSignal) {
    this.#output = output
    this.#restore = detachListeners(input)
    const echo = new Writable({
      write: (chunk, _, done) => {
        if (!this.#isHidden) output.write(chunk)
        done()
      },
    })
    // Without a history: the arrow keys must not show an earlier code.
    this.#readline = createInterface({ input, output: echo, terminal: true, historySize: 0, signal })
    this.#readline.on('line', (line) => {
      // At once: the same chunk may contain the answer to the next prompt, such as a pasted code.
      this.#isHidden = true
      this.#lines.push(line)
      this.#wake()
    })
    this.#readline.on('SIGINT', () => {
      this.#lines.length = 0
      this.#readline.close()
    })
    // Readline would stop this process, such as a server, on Ctrl-Z in an SSH session.
    if (input !== process.stdin || !process.stdin.isTTY) this.#readline.on('SIGTSTP', () => {})
    // Back in the foreground after Ctrl-Z, which paused the input.
    this.#readline.on('SIGCONT', () => {
      this.#readline.resume()
      if (this.#isHidden) output.write(this.#prompt)
    })
    // Readline emits errors of the input, which would end the process, and does not notice that it was destroyed.
    const onInput = (error?: unknown) => this.#fail('input', error)
    const onOutput = (error?: unknown) => this.#fail('output', error)
    this.#readline.on('error', onInput)
    input.on('close', onInput)
    output.on('error', onOutput).on('close', onOutput)
    this.closed = new Promise((resolve) => {
      this.#readline.once('close', () => {
        input.off('close', onInput)
        output.off('error', onOutput).off('close', onOutput)
        this.#isClosed = true
        this.#wake()
        resolve()
      })
    })
    if (input.readableEnded) this.#readline.close()
    else if (input.destroyed) this.#fail('input')
  }

  /** Why the terminal closed, if a stream failed or was destroyed. */
  get failure(): { readonly reason: string; readonly cause: unknown } | undefined {
    return this.#failure
  }

  /** Prints a line. */
  print(line: string): void {
    this.#output.write(`${line}\n`)
  }

  /**
   * Reads a line, without showing it if `isHidden`. An output that is not a TTY shows it once it is entered, without
   * control sequences. Returns `null` if the terminal is closed.
   */
  async readLine(prompt: string, isHidden: boolean): Promise<string | null> {
    const isEarly = this.#lines.length > 0
    if (this.#isClosed && !isEarly) return null
    this.#prompt = prompt
    const isEdited = !isHidden && !isEarly && 'isTTY' in this.#output && this.#output.isTTY === true
    if (isEdited) {
      this.#isHidden = false
      this.#readline.setPrompt(prompt)
      // Keeps the cursor behind what was typed ahead.
      this.#readline.prompt(true)
    } else this.#output.write(prompt)
    if (!isEarly) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
    }
    this.#isHidden = true
    const line = this.#lines.shift()
    // Readline shows and ends a line that is edited. One that was typed ahead may be a code for another prompt.
    if (!isEdited || line === undefined) this.#output.write(isHidden || isEarly ? '\n' : `${printable(line ?? '')}\n`)
    return line ?? null
  }

  /** Stops reading and restores the input. */
  close(): void {
    this.#readline.close()
    this.#restore()
  }

  #fail(side: 'input' | 'output', cause?: unknown): void {
    // Closing may emit another error, if the terminal hung up.
    if (this.#failure || this.#isClosed) return
    const reason = isError(cause) ? `failed: ${cause.message}` : 'was closed'
    this.#failure = { reason: `its ${side} ${reason}`, cause }
    this.#readline.close()
  }
}

/** Maximum length of a text that is not of the app. */
const MAX_LENGTH = 500

/** Removes characters of the service or the user which could move the cursor, imitate other lines, or reorder or hide text. */
export function printable(text: string): string {
  return text.slice(0, MAX_LENGTH).replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
}

/**
 * Detaches the listeners for keys: a readline interface of the app would show what is typed, and take the line.
 * @returns a function that restores the state of the input.
 */
function detachListeners(input: TerminalInput): () => void {
  const { isRaw, readableFlowing } = input
  // A cast, because Node's types call a listener only a function.
  const listeners = input.rawListeners('keypress') as (() => void)[]
  input.removeAllListeners('keypress')
  return () => {
    for (const listener of listeners) input.on('keypress', listener)
    if (isRaw && !input.destroyed) input.setRawMode?.(true)
    if (readableFlowing) input.resume()
  }
}
