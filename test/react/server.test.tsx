import { act } from '@testing-library/react'
import { type Client, createMfaPrompt, type MfaPrompt, type RelationshipStore, RelationshipType } from 'rapport-sdk'
import {
  RapportProvider,
  useCall,
  useClient,
  useGatewayState,
  useLive,
  useMfaPrompt,
  useSession,
} from 'rapport-sdk/react'
import { type ReactElement, StrictMode } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { renderToString } from 'react-dom/server'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { expectNoReactErrors, setUp } from './set-up'

function Page({ store }: { store: RelationshipStore }) {
  const client = useClient()
  const { data, loading } = useCall(client.relationships.list, [client])
  const { current } = useMfaPrompt()
  return (
    <ul>
      <li>session: {useSession().status}</li>
      <li>gateway: {useGatewayState()}</li>
      <li>call: {loading ? 'loading' : data?.length}</li>
      <li>live: {useLive(store).length}</li>
      <li>friends: {useLive(store, ({ filter }) => filter(RelationshipType.FRIEND).length)}</li>
      <li>status: {Object.values(useLive(store, ({ status, stale }) => ({ status, stale }))).join()}</li>
      <li>prompt: {current === null ? 'none' : current.state}</li>
    </ul>
  )
}

const app = (client: Client, store: RelationshipStore, mfaPrompt: MfaPrompt): ReactElement => (
  <StrictMode>
    <RapportProvider client={client} mfaPrompt={mfaPrompt}>
      <Page store={store} />
    </RapportProvider>
  </StrictMode>
)

/** A client with all that hooks can show: on a server, it would be of another user. */
async function setUpConnected() {
  const mfaPrompt = createMfaPrompt()
  const { client, service, ada, grace } = setUp({ onMfaRequired: mfaPrompt.handler })
  service.relationships.befriend(ada, grace)
  const store = client.relationships.live()
  await client.gateway.connect()
  await store.ready
  client.auth.login({ login: 'ada@example.com', password: 'correct horse' }).catch(() => {})
  await expect.poll(() => mfaPrompt.current?.state).toBe('waiting')
  return { client, service, mfaPrompt, store }
}

/** Text of the items of a page, without the comments that React puts between strings. */
const itemsOf = (html: string) =>
  Array.from(html.matchAll(/<li>(.*?)<\/li>/g), ([, item = '']) => item.replaceAll('<!-- -->', ''))

const INITIAL = [
  ...['session: loading', 'gateway: idle', 'call: loading', 'live: 0', 'friends: 0', 'status: loading,true'],
  'prompt: none',
]
const CURRENT = [
  ...['session: signedIn', 'gateway: ready', 'call: 1', 'live: 1', 'friends: 1', 'status: ready,false'],
  'prompt: waiting',
]

describe('server rendering', () => {
  it('every hook renders its initial state on the server, sends no request and subscribes to nothing', async () => {
    expectNoReactErrors()
    const { client, service, mfaPrompt, store } = await setUpConnected()
    const requests = service.journal.find('Get Relationships').length
    const subscribe = vi.fn()
    const watch = <T extends object>(target: T): T => Object.create(target, { subscribe: { value: subscribe } })
    const watched = Object.create(client, { session: { value: watch(client.session) } })
    expect(itemsOf(renderToString(app(watched, watch(store), watch(mfaPrompt))))).toEqual(INITIAL)
    // What the hooks had sent would arrive before it.
    await client.relationships.list()
    expect(service.journal.find('Get Relationships')).toHaveLength(requests + 1)
    expect(subscribe).not.toHaveBeenCalled()
  })

  it('hydrates what the server rendered without a mismatch, although the client has more, and then shows it', async () => {
    expectNoReactErrors()
    const server = setUp()
    const root = document.createElement('div')
    root.innerHTML = renderToString(app(server.client, server.client.relationships.live(), createMfaPrompt()))
    expect(itemsOf(root.innerHTML)).toEqual(INITIAL)
    const { client, mfaPrompt, store } = await setUpConnected()
    const hydrated = await act(async () => hydrateRoot(root, app(client, store, mfaPrompt)))
    onTestFinished(() => act(async () => hydrated.unmount()))
    await expect.poll(() => itemsOf(root.innerHTML)).toEqual(CURRENT)
  })
})
