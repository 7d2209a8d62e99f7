import { RelationshipType } from 'rapport-sdk'
import { useClient, useGatewayState, useLive } from 'rapport-sdk/react'
import { relationships } from './rapport'
import { useAction } from './use-action'

export function Friends() {
  const status = useLive(relationships, ({ status }) => status)
  const friends = useLive(relationships, ({ filter }) => filter(RelationshipType.FRIEND))
  const requests = useLive(relationships, ({ filter }) => filter(RelationshipType.INCOMING_REQUEST))
  const isOffline = useGatewayState() === 'reconnecting'
  const { relationships: calls } = useClient()
  // The lists change with the events that follow.
  const accept = useAction((id: string) => calls.accept(id))
  const remove = useAction((id: string) => calls.delete(id))
  return (
    <section aria-labelledby="friends">
      <h1 id="friends">Friends</h1>
      {isOffline && <p role="status">Offline. The list may be out of date.</p>}
      {status === 'loading' && <p>Loading…</p>}
      {status === 'ready' && friends.length === 0 && <p>Nobody yet.</p>}
      <ul>
        {requests.map(({ id, user }) => (
          <li key={id}>
            {user.username} wants to be your friend.{' '}
            <button type="button" onClick={() => accept.start(id)}>
              Accept {user.username}
            </button>
          </li>
        ))}
        {friends.map(({ id, user, nickname }) => (
          <li key={id}>
            {nickname ?? user.username}{' '}
            <button type="button" onClick={() => remove.start(id)}>
              Remove {user.username}
            </button>
          </li>
        ))}
      </ul>
      {accept.alert ?? remove.alert}
    </section>
  )
}
