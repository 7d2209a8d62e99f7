// Prints a run as a story: a heading per step, lines of text, and a line per request as it happens.
import { styleText } from 'node:util'
import type { Client } from 'rapport-sdk'

type Style = Parameters<typeof styleText>[0]

const isColoured = process.stdout.isTTY === true && process.env.NO_COLOR === undefined
const paint = (style: Style, text: string): string => (isColoured ? styleText(style, text) : text)
const STATUS_STYLES: Readonly<Record<string, Style>> = { 2: 'green', 4: 'yellow', 5: 'red' }

export interface Narrator {
  /** Runs a step under a heading and prints how long it took. */
  step<T>(title: string, run: () => Promise<T>): Promise<T>
  /** Prints a line of text. */
  say(text: string): void
  /** Prints every request of a client with its status. */
  follow(name: string, client: Client): void
}

export function createNarrator(): Narrator {
  let steps = 0
  let requests = 0
  return {
    async step(title, run) {
      steps++
      console.log(`\n${paint('bold', `${String(steps).padStart(2)}. ${title}`)}`)
      const startedAt = performance.now()
      requests = 0
      const result = await run()
      const elapsed = (performance.now() - startedAt).toFixed(1)
      console.log(paint('dim', `    ${elapsed} ms, ${requests} ${requests === 1 ? 'request' : 'requests'}`))
      return result
    },
    say(text) {
      console.log(`    ${text}`)
    },
    follow(name, client) {
      client.on('response', ({ endpoint, method, path, status, durationMs }) => {
        requests++
        const statusText = paint(STATUS_STYLES[String(status).charAt(0)] ?? 'red', String(status))
        const took = `${durationMs.toFixed(1).padStart(5)} ms`
        console.log(
          `  ${name.padEnd(6)} ${statusText} ${paint('dim', took)}  ${method} ${path}  ${paint('dim', endpoint)}`,
        )
      })
      client.on('mfaRequired', ({ methods }) => {
        const kinds = methods.map(({ type }) => type).join(', ')
        console.log(`  ${name.padEnd(6)} ${paint('magenta', `    the service requires a second factor: ${kinds}`)}`)
      })
      client.on('elevated', () => {
        console.log(`  ${name.padEnd(6)} ${paint('magenta', '    verified; the call is retried')}`)
      })
    },
  }
}
