import { parseArgs } from 'node:util'

/** What the command was asked to do. */
export interface CommandOptions {
  readonly port: number
  readonly host: string
  readonly seed: number
  readonly scenario: Scenario
  readonly help: boolean
}

const scenarios = ['demo', 'empty'] as const
type Scenario = (typeof scenarios)[number]

export const usage = `rapport-mock: the service in a box, over HTTP and WebSocket

  --port <number>      port to listen on, 0 for one that is free (4010)
  --host <address>     address to listen at (127.0.0.1)
  --scenario <name>    what is there from the start: ${scenarios.join(' or ')} (demo)
  --seed <integer>     what IDs, tokens and secrets follow from (1)
  --help               this text
`

/**
 * The options of a command line.
 * @throws Error that says what is wrong with it.
 */
export function commandOptions(args: readonly string[]): CommandOptions {
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
  if (scenario === undefined) throw new Error(`--scenario is ${scenarios.join(' or ')}, not "${values.scenario}"`)
  return {
    port: integer('--port', values.port, 0, 65_535),
    seed: integer('--seed', values.seed, 0, 2 ** 31 - 1),
    host: values.host,
    scenario,
    help: values.help,
  }
}

function integer(option: string, text: string, min: number, max: number): number {
  const value = Number(text)
  if (/^\d+$/.test(text) && value >= min && value <= max) return value
  throw new Error(`${option} is an integer from ${min} to ${max}, not "${text}"`)
}
