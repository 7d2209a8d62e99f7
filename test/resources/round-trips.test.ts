import { describe, expect, test } from 'vitest'
import { endpoints } from '../../src/contract/index'
import { ENDPOINT_TABLE } from '../contract/endpoint-table'
import { roundTrips } from './round-trips/round-trips'
import { openWorld, type Transport } from './round-trips/world'

const TRANSPORTS: readonly Transport[] = ['over HTTP', 'through msw']

const byName = new Map(Object.entries(roundTrips))

test.each(endpoints.map(({ endpoint }) => endpoint.name))('%s has a round trip', (name) => {
  expect(byName.get(name)).toBeTypeOf('function')
})

test('no round trip is missing or unknown', () => {
  expect([...byName.keys()].sort()).toEqual(ENDPOINT_TABLE.map(({ name }) => name).sort())
})

describe.each(TRANSPORTS)('a round trip %s', (transport) => {
  test.each(ENDPOINT_TABLE)(
    `$name succeeds with all its fields ${transport}`,
    async ({ name, method, path, params }) => {
      await using world = await openWorld(transport)
      await byName.get(name)?.(world)

      const received = world.service.journal.requests.filter(({ endpoint }) => endpoint === name)
      const template = new RegExp(`^${path.replaceAll(/\{[^{}]+\}/g, '[^/]+')}$`)
      const fields = params.map((field) => field.replaceAll(/^&|[?~]+$/g, '')).sort()
      const full = received.filter((entry) => {
        return Object.keys(Object(entry.params)).sort().join() === fields.join() && (entry.status ?? 500) < 300
      })
      expect(full.length, 'successful calls with every field').toBeGreaterThan(0)
      expect(full.every((entry) => entry.method === method && template.test(entry.path))).toBe(true)
    },
  )
})
