import { Writable } from 'node:stream'
import { act } from '@testing-library/react'
import { Client, type InitialState, type RelationshipStore, RelationshipType, type TokenRecord } from 'rapport-sdk'
import * as hooks from 'rapport-sdk/react'
import { RapportProvider } from 'rapport-sdk/react'
import { dehydrate, serialize } from 'rapport-sdk/server'
import { type ReactElement, StrictMode, Suspense } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { renderToPipeableStream, renderToString } from 'react-dom/server'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { deferred } from '../deferred'
import { expectNoReactErrors, setUp } from './set-up'

/** The hooks, with a context of their own: React warns if the two renderers of a process share one. */
const importHooks = async (): Promise<typeof hooks> => import(`../../src/react/index.ts?${'stream'}`)

/** A page that writes down what each of its renders shows. */
function createPage(store: RelationshipStore, { useLive, useSession } = hooks) {
  const renders: string[] = []
  function Page() {
    const { status, user } = useSession()
    const friends = useLive(store, ({ filter }) =>
      filter(RelationshipType.FRIEND).map(({ nickname, id }) => nickname ?? id),
    )
    const text = [status, user?.id, useLive(store, (view) => view.status), useLive(store).length, ...friends].join()
    renders.push(text)
    return <p>{text}</p>
  }
  return { renders, Page }
}

const app = (client: Client, Page: () => ReactElement, initial?: InitialState | null, { RapportProvider } = hooks) => (
  <StrictMode>
    <RapportProvider client={client} initial={initial}>
      <Suspense>
        <Page />
      </Suspense>
    </RapportProvider>
  </StrictMode>
)

/** A service, what a server has loaded for ada and for grace, and a function that opens a page whose session is loading. */
async function setUpPages() {
  expectNoReactErrors()
  const { service, ada, grace, client } = setUp()
  service.relationships.befriend(ada, grace)
  const load = (user: typeof ada) => dehydrate(client.as(service.token(user), user.id), { live: ['relationships'] })
  const open = () => {
    const stored = deferred<TokenRecord | null>()
    const page = new Client({
      baseUrl: service.baseUrl,
      fetch: service.fetch,
      gateway: { url: service.gateway.url, WebSocket: service.WebSocket },
      tokenStore: { get: () => stored.promise, set: () => {} },
    })
    onTestFinished(() => page.dispose())
    const store = page.relationships.live()
    const signIn = (user: typeof ada) =>
      act(async () => stored.resolve({ token: service.token(user), userId: user.id }))
    return { client: page, store, signIn, answer: stored.resolve, ...createPage(store) }
  }
  const [ofAda, ofGrace] = [await load(ada), await load(grace)]
  service.journal.clear()
  const countRequests = () => service.journal.find('Get Relationships').length
  return { service, ada, grace, ofAda, ofGrace, open, countRequests }
}

/** Hydrates what a server has rendered; fails the test if React repairs anything. */
async function hydrate(html: string, element: ReactElement) {
  const root = document.createElement('div')
  root.innerHTML = html
  const onRecoverableError = vi.fn()
  const hydrated = await act(async () => hydrateRoot(root, element, { onRecoverableError }))
  onTestFinished(async () => {
    await act(async () => hydrated.unmount())
    expect(onRecoverableError).not.toHaveBeenCalled()
  })
  const rerender = (next: ReactElement) => act(async () => hydrated.render(next))
  return { root, rerender }
}

const textOf = (html: string) => /<p>(.*?)<\/p>/.exec(html)?.[1]

/** Renders as servers do that stream. */
const renderStream = (element: ReactElement) =>
  new Promise<string>((resolve, reject) => {
    let html = ''
    const sink = new Writable({
      write(chunk, _, done) {
        html += chunk
        done()
      },
    })
    sink.on('finish', () => resolve(html))
    const { pipe } = renderToPipeableStream(element, { onAllReady: () => pipe(sink), onError: reject })
  })

describe('the provider’s initial', () => {
  it('it is what the server renders, without a request, and the shared client and store stay as they are', async () => {
    const { ada, grace, ofAda, open, countRequests } = await setUpPages()
    const { client, store, Page } = open()
    const html = renderToString(app(client, Page, ofAda))
    expect(textOf(html)).toBe(['signedIn', ada.id, 'ready', 1, grace.id].join())
    expect(textOf(renderToString(app(client, Page)))).toBe('loading,,loading,0')
    expect([store.status, store.all().length, client.session.status, countRequests()]).toEqual([
      'loading',
      0,
      'loading',
      0,
    ])
  })

  it('hydrates without a warning, stays while the session loads, and saves the second request', async () => {
    const { service, ada, grace, ofAda, open, countRequests } = await setUpPages()
    const server = open()
    const html = renderToString(app(server.client, server.Page, ofAda))
    const { client, store, signIn, renders, Page } = open()
    const initial: InitialState = JSON.parse(serialize(ofAda))
    const { root } = await hydrate(html, app(client, Page, initial))
    expect(textOf(root.innerHTML)).toBe(textOf(html))
    await signIn(ada)
    await store.ready
    expect(new Set(renders)).toEqual(new Set([textOf(html)]))
    expect(countRequests()).toBe(0)

    await act(() => client.gateway.connect())
    await expect.poll(() => store.stale).toBe(false)
    expect(countRequests()).toBe(1)
    await act(async () => service.relationships.remove(ada, grace))
    await expect.poll(() => textOf(root.innerHTML)).toBe(['signedIn', ada.id, 'ready', 0].join())
  })

  it('it is dropped after hydration if the session is that of another user', async () => {
    const { ada, grace, ofAda, open } = await setUpPages()
    const server = open()
    const html = renderToString(app(server.client, server.Page, ofAda))
    const { client, store, signIn, renders, Page } = open()
    const { root } = await hydrate(html, app(client, Page, ofAda))
    renders.length = 0
    await signIn(grace)
    await act(async () => store.ready)
    await expect.poll(() => textOf(root.innerHTML)).toBe(['signedIn', grace.id, 'ready', 1, ada.id].join())
    expect(renders.filter((text) => text.includes(`signedIn,${ada.id}`))).toEqual([])
  })

  it('it is not shown by a store whose session is already that of another user', async () => {
    const { grace, ofAda, open } = await setUpPages()
    const { client, store, signIn, Page } = open()
    await signIn(grace)
    await store.ready
    const server = open()
    const { root } = await hydrate(renderToString(app(server.client, server.Page, ofAda)), app(client, Page, ofAda))
    await expect.poll(() => textOf(root.innerHTML)).toContain(`signedIn,${grace.id}`)
  })

  it('says that nobody is signed in', async () => {
    const { open } = await setUpPages()
    const initial = await dehydrate(undefined, { live: ['relationships'] })
    const server = open()
    const html = renderToString(app(server.client, server.Page, initial))
    expect(textOf(html)).toBe('signedOut,,loading,0')
    const { client, answer, Page } = open()
    const { root } = await hydrate(html, app(client, Page, initial))
    await act(async () => answer(null))
    expect(textOf(root.innerHTML)).toBe('signedOut,,signedOut,0')
  })

  it.each([null, 5, {}, { session: { status: 'admin' }, live: { relationships: 'all' } }])(
    'is as if it were not there if it is damaged: %j',
    async (damaged) => {
      const { open } = await setUpPages()
      const { client, Page } = open()
      expect(textOf(renderToString(app(client, Page, Object(damaged))))).toBe('loading,,loading,0')
    },
  )

  it('it is not a polluted one of Object.prototype', async () => {
    const { ofAda, open } = await setUpPages()
    const { client, Page } = open()
    Object.defineProperty(Object.prototype, 'initial', { value: ofAda, configurable: true })
    onTestFinished(() => void Reflect.deleteProperty(Object.prototype, 'initial'))
    const html = renderToString(
      <RapportProvider client={client}>
        <Page />
      </RapportProvider>,
    )
    expect(textOf(html)).toBe('loading,,loading,0')
  })

  it('it is taken over by a store that has not loaded when it changes', async () => {
    const { ada, ofAda, open, countRequests } = await setUpPages()
    const server = open()
    const { client, store, signIn, Page } = open()
    const { root, rerender } = await hydrate(renderToString(app(server.client, server.Page)), app(client, Page))
    expect(textOf(root.innerHTML)).toBe('loading,,loading,0')
    await rerender(app(client, Page, ofAda))
    expect(textOf(root.innerHTML)).toContain(`signedIn,${ada.id},ready,1`)
    await signIn(ada)
    await store.ready
    expect(countRequests()).toBe(0)
  })

  it('100 concurrent renders of two users with one client and store never mix', async () => {
    const { ada, grace, ofAda, ofGrace, open } = await setUpPages()
    const { client, store } = open()
    const streamed = await importHooks()
    const { Page } = createPage(store, streamed)
    const states = Array.from({ length: 100 }, (_, index) => ((index * 7) % 3 === 0 ? ofAda : ofGrace))
    const pages = await Promise.all(
      states.map(async (state, index) => {
        for (let turn = 0; turn < (index * 5) % 13; turn++) await Promise.resolve()
        return renderStream(app(client, Page, state, streamed))
      }),
    )
    expect(pages.map(textOf)).toEqual(
      states.map((state) => {
        const [user, friend] = state === ofAda ? [ada, grace] : [grace, ada]
        return ['signedIn', user.id, 'ready', 1, friend.id].join()
      }),
    )
  })

  it('a nickname that looks like markup stays text, in the page and in its data', async () => {
    const { service, ada, grace, open } = await setUpPages()
    const nickname = '</script><script>alert(1)</script>'
    service.faults.on('Get Relationships', {
      status: 200,
      body: [{ id: grace.id, type: 1, user: { id: grace.id }, nickname, user_ignored: false }],
      times: 1,
    })
    const { client, Page } = open()
    const state = await dehydrate(client.as(service.token(ada), ada.id), { live: ['relationships'] })
    const html = renderToString(app(client, Page, state))
    const root = document.createElement('div')
    root.innerHTML = `${html}<script type="application/json">${serialize(state)}</script>`
    const scripts = [...root.querySelectorAll('script')]
    expect(scripts.map(({ type }) => type)).toEqual(['application/json'])
    expect(JSON.parse(scripts[0]?.textContent ?? '')).toEqual(state)
    expect(root.querySelector('p')?.textContent).toContain(nickname)
  })
})
