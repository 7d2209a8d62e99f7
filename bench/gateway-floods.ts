// Measures events per second: the server sends the same flood to each client in turn.
import type { Connected } from './gateway-clients'
import type { Server } from './gateway-losses'
import { interleave, percentile } from './interleave'

const warmUp = 2

/** Size, batching and number of rounds. */
export interface Flood {
  readonly events: number
  readonly isBundled: boolean
  readonly rounds: number
}

/** A client to measure. The first one is the baseline. */
export interface Flooded {
  readonly name: string
  readonly open: (url: string) => Promise<Connected>
}

/** Returns the median wall and CPU time of each client, and the ratios to the first one. */
export async function measureFloods(server: Server, flooded: readonly Flooded[], flood: Flood) {
  const candidates = await Promise.all(flooded.map((one) => candidateOf(server, one, flood)))
  const samples = await interleave(candidates, warmUp, flood.rounds)
  for (const { client } of candidates) client.close()
  const medians = candidates.map(({ name, cpu }, index) => ({
    name,
    wall: percentile(samples[index] ?? [], 0.5),
    cpu: percentile(cpu.slice(warmUp), 0.5),
  }))
  const [base = { wall: Number.NaN, cpu: Number.NaN }] = medians
  return medians.map(({ name, wall, cpu }) => ({
    name,
    'wall (ms)': Math.round(wall),
    'cpu (ms)': Math.round(cpu),
    'events/s': Math.round((flood.events / wall) * 1000),
    'ratio, wall': (base.wall / wall).toFixed(2),
    'ratio, cpu': (base.cpu / cpu).toFixed(2),
  }))
}

async function candidateOf(server: Server, { name, open }: Flooded, { events, isBundled }: Flood) {
  const path = `/45000/${isBundled ? 'bundled' : 'single'}/${encodeURIComponent(name)}`
  const client = await open(server.url(path))
  /** CPU time of the whole process, including garbage collection and compilation. */
  const cpu: number[] = []
  const run = async () => {
    const before = process.cpuUsage()
    const all = client.received(events)
    server.ask({ what: 'flood', path, count: events, isBundled })
    await all
    const { user, system } = process.cpuUsage(before)
    cpu.push((user + system) / 1000)
  }
  return { name, client, cpu, run }
}
