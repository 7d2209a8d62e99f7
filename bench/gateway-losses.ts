// Measures recovery from a connection that was cut, and from one whose other end has vanished.
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import type { Ask, Recovery } from './gateway-asks'
import type { Connected } from './gateway-clients'
import { percentile } from './interleave'

/** A client to measure, and the number of measurements. */
export interface Loser {
  readonly name: string
  readonly open: (url: string) => Promise<Connected>
  readonly times: number
}

/** The server, in its own process. */
export class Server {
  readonly #process: ChildProcess
  readonly #port: number

  private constructor(process: ChildProcess, port: number) {
    this.#process = process
    this.#port = port
  }

  static async start(): Promise<Server> {
    const child = fork(new URL('./gateway-server.ts', import.meta.url))
    const [port] = (await once(child, 'message')) as [number]
    return new Server(child, port)
  }

  url(path: string): string {
    return `ws://127.0.0.1:${this.#port}${path}`
  }

  ask(ask: Ask): void {
    this.#process.send(ask)
  }

  /** Resolves when the client of a path has reconnected. */
  async recovery(path: string): Promise<Recovery> {
    for (;;) {
      const [report] = (await once(this.#process, 'message')) as [Recovery]
      if (report.path === path) return report
    }
  }

  stop(): void {
    this.#process.disconnect()
  }
}

const milliseconds = (samples: readonly number[], share: number) => percentile(samples, share).toFixed(1)

/** Measures from the command to cut a connection until the client reports that it is ready again. */
export async function measureKills(server: Server, { name, open, times }: Loser) {
  const path = `/45000/killed/${encodeURIComponent(name)}`
  const client = await open(server.url(path))
  const totals: number[] = []
  const beyond: number[] = []
  const waits: number[] = []
  let resumed = 0
  for (let round = 0; round < times; round += 1) {
    const back = client.recovered()
    const started = performance.now()
    server.ask({ what: 'kill', path })
    const { how, waitMs } = await back
    const took = performance.now() - started
    if (how === 'resumed') resumed += 1
    totals.push(took)
    waits.push(waitMs)
    beyond.push(took - waitMs)
  }
  client.close()
  return {
    name,
    kills: times,
    resumed,
    'p50 (ms)': milliseconds(totals, 0.5),
    'max (ms)': milliseconds(totals, 1),
    'of it waited, p50': milliseconds(waits, 0.5),
    'beyond the wait, p50': milliseconds(beyond, 0.5),
    'beyond the wait, max': milliseconds(beyond, 1),
  }
}

/** Measures from the missed acknowledgement until the server has a new connection. */
export async function measureHalfOpen(server: Server, intervalMs: number, { name, open, times }: Loser) {
  const path = `/${intervalMs}/half-open/${encodeURIComponent(name)}`
  const client = await open(server.url(path))
  const samples: number[] = []
  for (let round = 0; round < times; round += 1) {
    const back = client.recovered()
    server.ask({ what: 'freeze', path })
    const { afterMissedMs } = await server.recovery(path)
    samples.push(afterMissedMs)
    await back
  }
  client.close()
  return {
    name,
    times,
    'min (ms)': milliseconds(samples, 0),
    'p50 (ms)': milliseconds(samples, 0.5),
    'max (ms)': milliseconds(samples, 1),
  }
}
