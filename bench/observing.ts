// Measures what it costs to observe calls: with listeners, a logger, a subscriber of Node's channel, and spans and metrics of
// OpenTelemetry. The `fetch` responds at once, so that nothing else is measured.
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { MeterProvider, MetricReader } from '@opentelemetry/sdk-metrics'
import { BasicTracerProvider, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base'
import type { ClientEvents, ClientOptions } from 'rapport-sdk'
import { type Candidate, interleave, percentile } from './interleave'

process.env.NODE_ENV = 'production'
// Measures the build, not the sources, because users run the build.
const load = (path: string) => import(new URL(`../dist/${path}.js`, import.meta.url).href)
const { Client } = (await load('index')) as typeof import('rapport-sdk')
const { instrument } = (await load('otel/index')) as typeof import('rapport-sdk/otel')

const CALLS = 200
const WARM_UP = 15
const rounds = Number(process.env.BENCH_ROUNDS ?? 40)

/** Collects on demand only. */
class Reader extends MetricReader {
  protected override async onForceFlush(): Promise<void> {}
  protected override async onShutdown(): Promise<void> {}
}

const exporter = { export: () => {}, shutdown: async () => {} }
const tracers = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] })
const meters = new MeterProvider({ readers: [new Reader()] })
const telemetry = { tracer: tracers.getTracer('bench'), meter: meters.getMeter('bench') }

const createClient = (options: Partial<ClientOptions> = {}) =>
  new Client({ baseUrl: 'https://service.example', token: 'token', fetch: async () => new Response('[]'), ...options })

function withListeners(types: readonly (keyof ClientEvents)[]) {
  const client = createClient()
  for (const type of types) client.on(type, () => {})
  return client
}

function withSpans(options: Parameters<typeof instrument>[1]) {
  const client = createClient()
  instrument(client, options)
  return client
}

const candidate = (name: string, client = createClient()): Candidate => ({
  name,
  async run() {
    for (let call = 0; call < CALLS; call++) await client.relationships.list()
  },
})

const nothing = candidate('nothing')
const listen = () => {}
const candidates = [
  nothing,
  candidate('a listener of callEnd', withListeners(['callEnd'])),
  candidate('listeners of request, response and callEnd', withListeners(['request', 'response', 'callEnd'])),
  candidate('a logger of warnings', createClient({ logger: { warn: () => {} } })),
  {
    name: 'a subscriber of rapport:call',
    async run() {
      subscribe('rapport:call', listen)
      await nothing.run()
      unsubscribe('rapport:call', listen)
    },
  },
  candidate('instrument(), without an SDK', withSpans({})),
  candidate('instrument(), spans and metrics', withSpans(telemetry)),
]

/** CPU time per call of each round, in microseconds: times of the clock would include those of other processes. */
const costs = candidates.map((): number[] => [])
const measured = candidates.map(({ name, run }, index) => ({
  name,
  async run() {
    const before = process.cpuUsage()
    await run()
    const { user, system } = process.cpuUsage(before)
    costs[index]?.push((user + system) / CALLS)
  },
}))
await interleave(measured, WARM_UP, rounds)
const medians = costs.map((values) => percentile(values.slice(WARM_UP), 0.5))
const [base = Number.NaN] = medians
console.log(`${rounds} rounds of ${CALLS} calls, medians`)
console.table(
  candidates.map(({ name }, index) => ({
    observed: name,
    'CPU µs/call': medians[index]?.toFixed(0),
    '× nothing': ((medians[index] ?? Number.NaN) / base).toFixed(2),
  })),
)
