import { describe, expect, test } from 'vitest'
import { endpoints } from '../../src/contract/index'
import { ENDPOINT_TABLE } from '../contract/endpoint-table'
import { roundTrips } from './round-trips/trips'
import { openWorld, type Way } from './round-trips/world'

const WAYS: readonly Way[] = ['over HTTP', 'through msw']
const trips = new Map(Object.entries(roundTrips))

test.each(endpoints.map(({ endpoint }) => endpoint.name))('%s has a round trip', (name) => {
  expect(trips.get(name)).toBeTypeOf('function')
})

test('there are 55, no more and no fewer', () => {
  expect([...trips.keys()].sort()).toEqual(ENDPOINT_TABLE.map(({ name }) => name).sort())
})

describe.each(WAYS)('a round trip %s', (way) => {
  test.each(ENDPOINT_TABLE)('$name', async ({ name, method, path, params }) => {
    await using world = await openWorld(way)
    await trips.get(name)?.(world)

    const received = world.service.journal.requests.filter(({ endpoint }) => endpoint === name)
    const template = new RegExp(`^${path.replaceAll(/\{[^{}]+\}/g, '[^/]+')}$`)
    const fields = params.map((field) => field.replaceAll(/^&|[?~]+$/g, '')).sort()
    const full = received.filter((entry) => {
      return Object.keys(Object(entry.params)).sort().join() === fields.join() && (entry.status ?? 500) < 300
    })
    expect(full.length, 'calls with every field that succeeded').toBeGreaterThan(0)
    expect(full.every((entry) => entry.method === method && template.test(entry.path))).toBe(true)
  })
})
