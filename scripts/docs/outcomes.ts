import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { context, type HrTime, SpanStatusCode } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base'
import { Client, type ClientEvents, type ClientOptions } from 'rapport-sdk'
import { createMockService, type Fault } from 'rapport-sdk/mocks'
import { instrument } from 'rapport-sdk/otel'
import { root } from './sources'

// Makes calls with each outcome, and writes their events and spans as a table into docs/guides/operating.md. With `--check`, only
// compares it.

/** One way in which a call can go. */
interface Outcome {
  readonly fault?: Fault
  readonly options?: Partial<ClientOptions>
  /** Sends the call; by default Get Relationships. */
  run?(client: Client): Promise<unknown>
}

const stepUp = (client: Client) => client.auth.sessions.logout({ session_id_hashes: ['unknown'] })

/** The outcomes, as the guide names them. */
export const OUTCOMES: Readonly<Record<string, Outcome>> = {
  success: {},
  'not found, 404': { fault: { status: 404 } },
  '502, then 200': { fault: { status: 502, times: 1 } },
  '429, then 200': { fault: { status: 429, retryAfter: 0.5, times: 1 } },
  '429, too long to wait': { fault: { status: 429, retryAfter: 3600, times: 1 } },
  'no response': { fault: { network: true }, options: { retry: 0 } },
  'connection broke in the body': { fault: { truncate: true }, options: { retry: 0 } },
  timeout: { fault: { stall: true }, options: { timeout: 50 } },
  'invalid parameter': { run: (client) => client.relationships.accept('not-a-snowflake') },
  'second factor': { run: stepUp },
  'second factor declined': { options: { onMfaRequired: () => null }, run: stepUp },
  'aborted during the prompt': {
    run: (client) => {
      const controller = new AbortController()
      const onMfaRequired = () => {
        controller.abort()
        return new Promise<null>(() => {})
      }
      return client.auth.sessions.logout(
        { session_id_hashes: ['unknown'] },
        { signal: controller.signal, onMfaRequired },
      )
    },
  },
  'client disposed before': {
    run: (client) => {
      client.dispose()
      return client.relationships.list()
    },
  },
}

const CALL_EVENTS = [
  ...(['request', 'response', 'requestFailed', 'retry', 'rateLimited', 'mfaRequired', 'elevated'] as const),
  ...(['unauthorized', 'callEnd'] as const),
] satisfies readonly (keyof ClientEvents)[]

/** What was seen of a call. */
interface Observed {
  /** Events of the call, in order, without those of the calls that belong to it. */
  readonly events: readonly string[]
  /** Span of the call. */
  readonly call: ReadableSpan
  /** Its children in the order of their start: attempts, and the verification of a second factor. */
  readonly children: readonly ReadableSpan[]
  /** All spans, in the order of their end. */
  readonly spans: readonly ReadableSpan[]
}

/** Makes a call with an outcome. */
export async function observe({ fault, options, run }: Outcome): Promise<Observed> {
  const service = createMockService()
  const ada = service.users.create({ login: 'ada@example.com', mfa: ['totp'] })
  if (fault) service.faults.on('Get Relationships', fault)
  const client = new Client({
    baseUrl: service.baseUrl,
    fetch: service.fetch,
    token: service.token(ada),
    onMfaRequired: () => ({ type: 'totp', code: service.users.totp(ada) }),
    ...options,
  })
  const exporter = new InMemorySpanExporter()
  const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] })
  const tracer = provider.getTracer('test')
  const stop = instrument(client, { tracer })
  const events: string[] = []
  for (const type of CALL_EVENTS) {
    client.on(type, (event) => {
      if (!('parentCallId' in event) || event.parentCallId === undefined) events.push(type)
    })
  }
  context.setGlobalContextManager(new AsyncLocalStorageContextManager())
  try {
    await (run ? run(client) : client.relationships.list()).catch(() => {})
  } finally {
    context.disable()
    stop()
    client.dispose()
    await service.close()
  }
  const spans = exporter.getFinishedSpans()
  const call = spans.at(-1)
  if (call === undefined) throw new Error('The call has no span.')
  const children = spans.filter(({ parentSpanContext: parent }) => parent?.spanId === call.spanContext().spanId)
  return { events, call, children: children.sort((one, other) => compareTimes(one.startTime, other.startTime)), spans }
}

const compareTimes = (one: HrTime, other: HrTime): number => one[0] - other[0] || one[1] - other[1]

/** Returns how a span ended. */
function resultOf({ name, status, attributes }: ReadableSpan): string {
  const { 'http.response.status_code': code, 'error.type': error, 'rapport.outcome': outcome } = attributes
  const words = [name === 'Verify MFA' ? name : (outcome ?? code), error === String(code) ? undefined : error]
  const text = words.filter((word) => word !== undefined && word !== 'error').join(' ')
  return status.code === SpanStatusCode.ERROR ? `**${text}**` : text
}

/** Returns the table of the guide. */
export async function outcomeTable(): Promise<string> {
  const lines = ['| call | events | span of the call | its children |', '|---|---|---|---|']
  for (const [name, outcome] of Object.entries(OUTCOMES)) {
    const { events, call, children } = await observe(outcome)
    const result = [resultOf(call), ...call.events.map((event) => `\`${event.name}\``)].join(', ')
    lines.push(`| ${name} | ${events.join(', ') || '–'} | ${result} | ${children.map(resultOf).join(', ') || '–'} |`)
  }
  return lines.join('\n')
}

const path = join(root, 'docs/guides/operating.md')
const [START, END] = ['<!-- outcomes: `npx tsx scripts/docs/outcomes.ts` -->', '<!-- end of outcomes -->']

/** Returns the guide with a table. */
export function withTable(guide: string, table: string): string {
  const [before, after] = [guide.indexOf(START) + START.length, guide.indexOf(END)]
  if (before < START.length || after < before) throw new Error(`${path} lacks the place of the table.`)
  return `${guide.slice(0, before)}\n${table}\n${guide.slice(after)}`
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const guide = readFileSync(path, 'utf8')
  const current = withTable(guide, await outcomeTable())
  if (!process.argv.includes('--check')) writeFileSync(path, current)
  else if (guide !== current) {
    console.error('docs/guides/operating.md is out of date: run `npx tsx scripts/docs/outcomes.ts`.')
    process.exitCode = 1
  }
}
