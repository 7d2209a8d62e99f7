import { Client } from 'rapport-sdk'
import { createMockService } from 'rapport-sdk/mocks'
import { createSessionHandler } from 'rapport-sdk/server'
import { expect, onTestFinished, test, vi } from 'vitest'
import { deferred } from '../deferred'
import { keys, login, ORIGIN, Page, type Upstream } from './page'

const DAY_MS = 24 * 60 * 60 * 1000

/** A browser whose answers arrive when the test wants, from two processes with the same keys: the second one is slow. */
function setUp() {
  const service = createMockService()
  const user = service.users.create(login)
  const upstream: Upstream = async (url, init) =>
    url.endsWith('/mfa/finish') ? Response.json({ token: 'a verification' }) : service.fetch(url, init)
  const create = () => createSessionHandler({ baseUrl: service.baseUrl, keys, origin: ORIGIN, fetch: upstream })
  const [one, two] = [create(), create()]
  const page = new Page(one)
  /** Answers that wait, by when they were sent; `undefined` if they arrive at once. */
  let held: (() => void)[] | undefined
  let inFlight = 0
  const openTab = (handler = one) => {
    const client = new Client({
      baseUrl: `${ORIGIN}/rapport`,
      session: 'cookie',
      retry: 0,
      maxConcurrency: Infinity,
      async fetch(url, init) {
        inFlight++
        const headers = new Headers({ ...init.headers, 'sec-fetch-site': 'same-origin' })
        if (page.cookie !== undefined) headers.set('cookie', page.cookie)
        const answer = await handler(new Request(url, { ...init, headers }))
        if (held) {
          const arrival = deferred<void>()
          held.push(arrival.resolve)
          await arrival.promise
        }
        page.receive(answer)
        inFlight--
        return answer
      },
    })
    onTestFinished(() => client.dispose())
    return client
  }
  /** Makes requests whose answers arrive in another order. */
  const holdWhile = async (
    send: () => readonly Promise<unknown>[],
    order: (waiting: (() => void)[]) => (() => void)[],
  ) => {
    held = []
    const waiting = held
    const sent = send()
    const settled = Promise.allSettled(sent)
    await expect.poll(() => waiting.length).toBe(sent.length)
    held = undefined
    for (const arrive of order([...waiting])) {
      arrive()
      await new Promise(setImmediate)
    }
    await settled
  }
  const state = () => ({ inFlight, cookies: [...page.jar.keys()] })
  return { service, user, page, openTab, one, two, holdWhile, state }
}

test.each([
  ['in the order of the requests, of one process', false, (all: (() => void)[]) => all],
  ['in reverse order, of one process', false, (all: (() => void)[]) => all.reverse()],
  ['in the order of the requests, of two processes', true, (all: (() => void)[]) => all],
  ['in reverse order, of two processes', true, (all: (() => void)[]) => all.reverse()],
])(
  'a page that signs out while 20 calls, a verification and a poll are in flight ends without a cookie, if the answers arrive %s',
  async (_, isOther, order) => {
    vi.useFakeTimers({ toFake: ['Date'] })
    onTestFinished(() => void vi.useRealTimers())
    const { openTab, one, two, holdWhile, state } = setUp()
    const [client, other] = [openTab(one), openTab(isOther ? two : one)]
    await client.auth.login(login)
    await vi.waitFor(() => expect(other.session.status).toBe('signedIn'))
    expect(state().cookies).toEqual(['__Host-rapport'])
    // The poll renews the session.
    vi.setSystemTime(Date.now() + 10 * DAY_MS)

    await holdWhile(
      () => [
        ...Array.from({ length: 20 }, () => other.relationships.list()),
        other.mfa.finish({ ticket: 't', mfa_type: 'totp', data: '123456' }),
        openTab(isOther ? two : one).ready,
        client.auth.logout(),
      ],
      order,
    )

    await expect.poll(state).toEqual({ inFlight: 0, cookies: [] })
    expect([client.session.status, other.session.status]).toEqual(['signedOut', 'signedOut'])
  },
)

test.each(['__Host-rapport', '__Host-rapport-state'])(
  'a late answer of `GET session` to an old %s keeps the cookie of a sign-in meanwhile',
  async (name) => {
    const { page, openTab, one } = setUp()
    page.jar.set(name, `${name}=k1.stale`)
    const late = await page.send('GET', '/session')
    const client = openTab(one)
    await client.auth.login(login)

    page.receive(late)

    expect([...page.jar.keys()]).toContain('__Host-rapport')
    expect((await page.call('GET', '/session')).json).toMatchObject({ status: 'signedIn' })
  },
)
