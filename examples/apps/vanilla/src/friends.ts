import { RelationshipType } from 'rapport-sdk'
import { button, h } from './element'
import { client, relationships } from './rapport'

/** Returns the list of friends and requests, which follows the live store until `signal` aborts. */
export function friendsSection(signal: AbortSignal): HTMLElement {
  const list = h('ul')
  const status = h('p', { role: 'status' })
  const alert = h('p', { role: 'alert' })
  const render = () => {
    const friends = relationships.filter(RelationshipType.FRIEND)
    const requests = relationships.filter(RelationshipType.INCOMING_REQUEST)
    list.replaceChildren(
      ...requests.map(({ id, user }) => {
        const accept = button(`Accept ${user.username}`, () => client.relationships.accept(id), alert)
        return h('li', {}, `${user.username} wants to be your friend. `, accept)
      }),
      ...friends.map(({ id, user, nickname }) => {
        const remove = button(`Remove ${user.username}`, () => client.relationships.delete(id), alert)
        return h('li', {}, `${nickname ?? user.username} `, remove)
      }),
    )
    const isEmpty = relationships.status === 'ready' && friends.length === 0
    const isOffline = client.gateway.state === 'reconnecting'
    status.textContent = isOffline ? 'Offline. The list may be out of date.' : isEmpty ? 'Nobody yet.' : ''
  }
  signal.addEventListener('abort', relationships.subscribe(render))
  render()
  return h('section', {}, h('h1', {}, 'Friends'), status, list, alert)
}
