import { PassThrough } from 'node:stream'
import { expect } from 'vitest'

const CONTROL_SEQUENCE = new RegExp(`${String.fromCharCode(27)}\\[\\d*[A-Z]`, 'g')

/** Returns the streams of a terminal that a test types into and reads from; `output` need not be one. */
export function createTerminal({ isTTY = true } = {}) {
  const input = Object.assign(new PassThrough(), {
    isRaw: false,
    setRawMode(isRaw: boolean) {
      input.isRaw = isRaw
    },
  })
  const output = Object.assign(new PassThrough(), { isTTY })
  let shown = ''
  let read = 0
  output.on('data', (chunk) => {
    shown += chunk
  })
  return {
    input,
    output,
    /** Everything that was shown. */
    shown: () => shown,
    /** All lines that were shown, without control sequences. */
    lines: () => shown.split(/\r*\n/).map((line) => line.replaceAll(CONTROL_SEQUENCE, '')),
    /** Types once the terminal shows, at the end, a prompt that contains `prompt`. */
    async type(prompt: string, keys: string) {
      await expect.poll(() => shown.slice(read).split('\n').at(-1)).toContain(prompt)
      read = shown.length
      input.write(keys)
    },
  }
}
