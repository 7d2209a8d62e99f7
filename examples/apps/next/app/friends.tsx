import { RelationshipType } from 'rapport-sdk'
import { useClient, useGatewayState, useLive } from 'rapport-sdk/react'
import { relationships } from './rapport'
import { useAction } from './use-action'

export function Friends({ disabled }: { disabled: boolean }) {
  const status = useLive(relationships, ({ status }) => status)
  const friends = useLive(relationships, ({ filter }) => filter(RelationshipType.FRIEND))
  const requests = useLive(relationships, ({ filter }) => filter(RelationshipType.INCOMING_REQUEST))
  const isOffline = useGatewayState() === 'reconnecting'
  const { relationships: calls } = useClient()
  // The list changes with the event that follows.
  const accept = useAction((id: string) => calls.accept(id))
  return (
    <section>
      <h1>Friends</h1>
      {isOffline && <p role="status">Offline. The list may be out of date.</p>}
      {status === 'loading' && <p>Loading…</p>}
      <ul>
        {requests.map(({ id, user }) => (
          <li key={id}>
            {user.username} wants to be your friend.{' '}
            <button type="button" name="accept" disabled={disabled} onClick={() => accept.start(id)}>
              Accept
            </button>
          </li>
        ))}
        {friends.map(({ id, user, nickname }) => (
          <li key={id}>{nickname ?? user.username}</li>
        ))}
      </ul>
      {accept.alert}
    </section>
  )
}
