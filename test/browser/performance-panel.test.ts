import { expect, it } from 'vitest'
import { browserHarness } from './harness/browser-harness'

const harness = browserHarness()

it('the performance panel of Chromium has calls, attempts and states of the gateway, and no measure stays behind', async () => {
  const { service, server } = await harness.serve({})
  const ada = service.users.create({ login: 'ada@example.com', username: 'ada' })
  service.faults.on('Get Relationships', { status: 502, times: 1 })
  const page = await harness.open('page')
  const seen = await page.evaluate(
    async ({ baseUrl, url, token }) => {
      const { Client, showInPerformancePanel } = window.rapport
      const entries: { name: string; duration: number; detail: unknown }[] = []
      const observe = (measures: PerformanceEntryList) => {
        for (const { name, duration, detail } of measures as PerformanceMeasure[])
          entries.push({ name, duration, detail })
      }
      const observer = new PerformanceObserver((list) => observe(list.getEntries()))
      observer.observe({ type: 'measure' })
      performance.measure('of the app')
      const client = new Client({ baseUrl, token, gateway: { url } })
      const stop = showInPerformancePanel(client)
      await client.gateway.connect()
      await client.relationships.list()
      await client.relationships.delete('4242').catch(() => {})
      stop()
      await client.relationships.list()
      await client.gateway.disconnect()
      observe(observer.takeRecords())
      observer.disconnect()
      client.dispose()
      return { entries, left: performance.getEntriesByType('measure').map(({ name }) => name) }
    },
    { baseUrl: server.url, url: server.gatewayUrl, token: service.token(ada) },
  )

  expect(seen.left).toEqual(['of the app'])
  const shown = seen.entries.filter(({ name }) => name.startsWith('rapport: '))
  const call = '/users/@me/relationships'
  // Observers receive entries in the order of their start, which a call and its attempt may share.
  expect(shown.map(({ name }) => name.replace('rapport: ', '')).sort()).toEqual([
    `DELETE ${call}/{user.id} 404`,
    `GET ${call} 200`,
    `GET ${call} 502`,
    'Get Relationships success',
    'Remove Relationship NotFoundError',
    'connecting',
    'identifying',
    'idle',
  ])
  const [list] = shown.filter(({ name }) => name === 'rapport: Get Relationships success')
  expect(list?.detail).toEqual({
    devtools: {
      dataType: 'track-entry',
      trackGroup: 'rapport-sdk',
      track: 'calls',
      color: 'primary',
      tooltipText: 'Get Relationships success',
      properties: expect.arrayContaining([
        ['endpoint', 'Get Relationships'],
        ['attempts', '2'],
        ['outcome', 'success'],
      ]),
    },
  })
  const [retried] = shown.filter(({ name }) => name.endsWith(' 200'))
  expect(Number(list?.duration)).toBeGreaterThan(Number(retried?.duration))
  expect(JSON.stringify(shown)).not.toMatch(/4242|undefined/)
  expect(JSON.stringify(shown)).not.toContain(service.token(ada))
})
