import { DataPointType, type MetricData } from '@opentelemetry/sdk-metrics'
import { createDriftReport } from 'rapport-sdk/doctor'
import { instrument } from 'rapport-sdk/otel'
import { expect, test } from 'vitest'
import { textOf } from '../architecture/sources'
import { settle, setUpLive } from '../live/set-up'
import { collect } from './telemetry'

interface Dashboard {
  readonly panels: readonly { readonly title: string; readonly targets?: readonly { readonly expr: string }[] }[]
}

/** Functions and keywords of PromQL that the queries use. */
const PROMQL = new Set(['sum', 'max', 'rate', 'by', 'histogram_quantile', 'le'])

const dashboard: Dashboard = JSON.parse(textOf('docs/guides/operating-dashboard.json'))
const panels = dashboard.panels.flatMap(({ title, targets = [] }) => targets.map(({ expr }) => [title, expr] as const))
const section = textOf('docs/guides/operating.md').split('## What to alert on')[1]?.split('\n## ')[0] ?? ''
const alerts = [...section.matchAll(/^\| `([^`]+)` \|/gm)].map(([, expr = '']) => [expr, expr] as const)

/** Returns the labels of each name that Prometheus stores, as a client with every outcome records them. */
async function recordedNames(): Promise<Map<string, Set<string>>> {
  const { client, service } = await setUpLive({ retry: 2 })
  await client.gateway.disconnect()
  const telemetry = collect()
  instrument(client, telemetry.options)
  createDriftReport(client)
  service.faults.on('Get Game Relationships', { status: 200, body: [5], times: 1 })
  await client.gameRelationships.list()
  const connected = client.gateway.connect()
  await settle()
  await connected
  const store = client.relationships.live()
  await settle()
  await store.ready
  service.gateway.drop()
  await client.gateway.waitFor('resumed')
  service.faults.on('Get Relationships', { status: 500 })
  await store.refresh().catch(() => {})
  service.faults.on('Get Friend Suggestions', { network: true })
  await client.friendSuggestions.list({ retry: 0 }).catch(() => {})
  service.faults.clear()
  service.faults.on('Get Friend Suggestions', { status: 429, retryAfter: 30 })
  const controller = new AbortController()
  client.on('rateLimited', () => setImmediate(() => controller.abort()))
  await client.friendSuggestions.list({ signal: controller.signal }).catch(() => {})
  const onMfaRequired = () => null
  service.faults.on('Logout Auth Sessions', {
    status: 401,
    body: { code: 60003, message: '', mfa: { ticket: 'ticket', methods: [{ type: 'totp' }] } },
  })
  await client.auth.sessions.logout({ session_id_hashes: ['unknown'] }, { onMfaRequired }).catch(() => {})

  const { scopeMetrics } = await telemetry.resourceMetrics()
  const names = scopeMetrics.flatMap(({ metrics }) => metrics.filter(({ dataPoints }) => dataPoints.length > 0))
  return new Map(
    names.flatMap((metric) => {
      const labels = new Set(metric.dataPoints.flatMap(({ attributes }) => Object.keys(attributes).map(toPrometheus)))
      return namesOf(metric).map((name) => [name, labels] as const)
    }),
  )
}

const toPrometheus = (name: string): string => name.replace(/\W/g, '_')

/** Returns the names that Prometheus and the collector give to a metric that they receive by OTLP, with unit and type. */
function namesOf({ descriptor, ...metric }: MetricData): string[] {
  const name = toPrometheus(descriptor.name) + (descriptor.unit === 's' ? '_seconds' : '')
  if (metric.dataPointType === DataPointType.HISTOGRAM)
    return ['bucket', 'count', 'sum'].map((part) => `${name}_${part}`)
  return [metric.dataPointType === DataPointType.SUM && metric.isMonotonic ? `${name}_total` : name]
}

/** Returns the words of a query that are neither recorded nor PromQL. Labels must be those of a metric in the query. */
function unknownWords(expr: string, recorded: ReadonlyMap<string, ReadonlySet<string>>): string[] {
  const words = expr.replace(/"[^"]*"|\[[^\]]*\]/g, '').match(/[a-z_]\w*/g) ?? []
  const labels = new Set(words.flatMap((word) => [...(recorded.get(word) ?? [])]))
  return words.filter((word) => !recorded.has(word) && !labels.has(word) && !PROMQL.has(word))
}

test('the dashboard and the alerts of the guide query only names and labels that are recorded, and all of them', async () => {
  const recorded = await recordedNames()
  expect([panels.length, alerts.length].every((count) => count > 7)).toBe(true)
  const unknown = [...panels, ...alerts].map(([title, expr]) => [title, unknownWords(expr, recorded)] as const)
  expect(unknown.filter(([, words]) => words.length > 0)).toEqual([])
  expect(unknownWords('sum by (nobody) (rate(rapport_client_calls[5m]))', recorded)).toEqual([
    'nobody',
    'rapport_client_calls',
  ])

  const metrics = new Set([...recorded.keys()].map((name) => name.replace(/_(?:bucket|count|sum)$/, '')))
  expect(metrics.size).toBe(11)
  const queries = panels.map(([, expr]) => expr).join('\n')
  expect([...metrics].filter((name) => !queries.includes(name))).toEqual([])
})
