import type { Client } from 'rapport-sdk'
import { RapportProvider, useLive } from 'rapport-sdk/react'
import type { InitialState } from 'rapport-sdk/server'
import { createElement, StrictMode, useEffect } from 'react'

/** Creates the app of `rendered-page.test.ts`, for the server and for the browser: the nicknames of friends. */
export function createApp(client: Client | Client<'cookie'>, initial: InitialState | null) {
  const relationships = client.relationships.live()
  const Friends = () => {
    const friends = useLive(relationships)
    useEffect(() => {
      document.body.dataset.status = 'hydrated'
    }, [])
    return createElement('ul', {}, ...friends.map(({ id, nickname }) => createElement('li', { key: id }, nickname)))
  }
  return createElement(StrictMode, {}, createElement(RapportProvider, { client, initial }, createElement(Friends)))
}
