import { readFileSync } from 'node:fs'
import { Client } from 'rapport-sdk'
import { createMockService } from 'rapport-sdk/mocks'
import { listen } from 'rapport-sdk/mocks/node'
import { expect, it, vi } from 'vitest'
import { endpoints } from '../../src/contract/index'
import { roundTrips } from '../resources/round-trips/round-trips'
import { openWorld } from '../resources/round-trips/world'

const guide = readFileSync(new URL('../../docs/guides/cors.md', import.meta.url), 'utf8')

/** Returns the values of a header in the tables of the guide. */
function listed(header: string): string[] {
  const [, values = ''] = new RegExp(`^\\| \`${header}\` \\| \`([^\`]+)\``, 'm').exec(guide) ?? []
  return values.split(', ').sort()
}

/** Request headers that browsers send to other origins without a preflight. */
const SAFE_REQUEST_HEADERS = ['accept']
/** Response headers that browsers always expose. */
const SAFE_RESPONSE_HEADERS = ['content-length', 'content-type', 'cache-control']

/** Replaces the global `fetch` by one that records the headers sent and read. */
function recordHeaders() {
  const [sent, read] = [new Set<string>(), new Set<string>()]
  const { fetch } = globalThis
  vi.stubGlobal('fetch', async (url: string, init: { headers: Record<string, string> }) => {
    for (const name of Object.keys(init.headers)) sent.add(name)
    return recordReads(await fetch(url, init), read)
  })
  return { sent, read }
}

/** Returns a response that records the names of the headers that are read. */
function recordReads(response: Response, read: Set<string>): Response {
  const headers = new Proxy(response.headers, {
    get(target, key) {
      if (key !== 'get') return bound(target, key)
      return (name: string) => {
        read.add(name)
        return target.get(name)
      }
    },
  })
  return new Proxy(response, { get: (target, key) => (key === 'headers' ? headers : bound(target, key)) })
}

function bound(target: object, key: string | symbol): unknown {
  const value: unknown = Reflect.get(target, key)
  return typeof value === 'function' ? value.bind(target) : value
}

const without = (names: Set<string>, safe: readonly string[]) =>
  [...names].filter((name) => !safe.includes(name)).sort()

it('the guide lists the methods of all endpoints', () => {
  const methods = new Set(endpoints.map(({ endpoint }) => endpoint.method))
  expect(listed('Access-Control-Allow-Methods')).toEqual([...methods].sort())
})

it('the guide lists the headers that the calls of all endpoints send', async () => {
  const all = new Set<string>()
  for (const roundTrip of Object.values(roundTrips)) {
    await using world = await openWorld('over HTTP')
    const { sent } = recordHeaders()
    world.guest.session.fingerprint = world.service.fingerprint()
    await roundTrip(world)
    vi.unstubAllGlobals()
    for (const name of sent) all.add(name)
  }
  expect(without(all, SAFE_REQUEST_HEADERS)).toEqual(listed('Access-Control-Allow-Headers'))
})

it('the guide lists the headers of responses that the client reads, and the mock exposes them', async () => {
  const { read } = recordHeaders()
  const { fetch } = globalThis
  const fail = (status: number, headers: Record<string, string>) =>
    vi.stubGlobal('fetch', async () => recordReads(Response.json({}, { status, headers }), read))
  const client = new Client({ baseUrl: 'https://service.example', token: 'ada', retry: 0 })
  for (const status of [200, 400, 429, 500]) {
    fail(status, { 'retry-after': new Date().toUTCString() })
    await client.auth.sessions.list().catch(() => {})
  }
  vi.stubGlobal('fetch', fetch)
  vi.unstubAllGlobals()
  const server = await listen(createMockService())
  const { headers } = await fetch(server.url, { headers: { origin: 'http://localhost:5173' } })
  await server.close()

  const exposed = listed('Access-Control-Expose-Headers')
  expect(exposed).toEqual(expect.arrayContaining(without(read, SAFE_RESPONSE_HEADERS)))
  const ofMock = headers.get('access-control-expose-headers')?.split(', ')
  expect(ofMock?.sort()).toEqual(exposed.sort())
})
