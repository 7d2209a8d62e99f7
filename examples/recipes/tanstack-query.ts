import { type QueryClient, queryOptions } from '@tanstack/react-query'
import type { Client } from 'rapport-sdk'

/** The user's relationships, for `useQuery(relationshipsQuery(client))`. Leaving the page aborts the request. */
export function relationshipsQuery(client: Client) {
  return queryOptions({
    queryKey: ['relationships'],
    queryFn: ({ signal }) => client.relationships.list({ signal }),
    // The client retries by itself, and knows which errors may pass.
    retry: false,
  })
}

/** Reloads the relationships after events, and forgets all data if the account changes. Returns a function that stops it. */
export function followClient(client: Client, queries: QueryClient): () => void {
  const events = ['relationshipAdd', 'relationshipUpdate', 'relationshipRemove'] as const
  const invalidate = () => void queries.invalidateQueries({ queryKey: ['relationships'] })
  for (const event of events) client.gateway.on(event, invalidate)
  const unsubscribe = client.session.onChange(({ type }) => {
    if (type === 'signedOut' || type === 'tokenChanged') queries.clear()
  })
  return () => {
    for (const event of events) client.gateway.off(event, invalidate)
    unsubscribe()
  }
}
