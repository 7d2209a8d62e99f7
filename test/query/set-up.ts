import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { Client, type ClientOptions } from 'rapport-sdk'
import { createMockService } from 'rapport-sdk/mocks'
import { createQueries } from 'rapport-sdk/query'
import { onTestFinished } from 'vitest'

/** Creates a service where ada and grace have one friend each, and a client of ada with its queries, which a QueryClient follows. */
export function setUp(options: Partial<ClientOptions> = {}) {
  const service = createMockService({ now: 0 })
  const create = (username: string) =>
    service.users.create({ login: `${username}@example.com`, username, password: 'correct horse', mfa: ['totp'] })
  const [ada, grace, linus, mary] = [create('ada'), create('grace'), create('linus'), create('mary')]
  service.relationships.befriend(ada, linus)
  service.relationships.befriend(grace, mary)
  const client = new Client({
    baseUrl: service.baseUrl,
    fetch: service.fetch,
    gateway: { url: service.gateway.url, WebSocket: service.WebSocket },
    token: service.token(ada),
    ...options,
  })
  const queryClient = new QueryClient()
  const queries = createQueries(client)
  const stop = queries.follow(queryClient)
  onTestFinished(async () => {
    stop()
    queryClient.clear()
    client.dispose()
    await service.close()
  })
  return { service, ada, grace, linus, mary, client, queries, queryClient, stop }
}

/** Shows a query as a component does, and keeps what it shows. */
export function show<T>(queryClient: QueryClient, options: ConstructorParameters<typeof QueryObserver<T>>[1]) {
  const seen: (T | undefined)[] = []
  const observer = new QueryObserver<T>(queryClient, options)
  const hide = observer.subscribe(({ data }) => seen.push(data))
  onTestFinished(hide)
  return { observer, seen, hide }
}
