import { type Immutable, type LiveStore, type Open, type Relationship, RelationshipType } from 'rapport-sdk'
import { button, card, h } from './element'
import { field } from './field'
import type { Person } from './setup'
import { createStatusLine, runWithStatus, type StatusLine } from './status-line'

type Relationships = LiveStore<Immutable<Relationship>, string, Open<RelationshipType>>

/** The live friends of a user, and a form to send a request. */
export function createPersonCard(person: Person, other: Person, title: string): HTMLElement {
  const { client } = person
  const status = createStatusLine()
  const badge = h('span', { class: 'badge' })
  const lists = h('div', { class: 'lists', tabindex: '-1' })
  let store: Relationships | undefined

  const render = () => {
    if (store === undefined) return
    const isLive = !store.stale
    badge.textContent = isLive ? 'live' : 'catching up'
    badge.dataset.tone = isLive ? 'good' : 'calm'
    // The pressed button may be gone: keep the focus in the list.
    const hadFocus = lists.contains(document.activeElement)
    lists.replaceChildren(...KINDS.map((kind) => section(kind, store?.filter(kind.type) ?? [], person, status)))
    if (hadFocus) lists.focus()
  }
  const follow = () => {
    store?.close()
    store = client.relationships.live()
    store.subscribe(render)
    store.ready.catch(() => {})
    render()
  }
  client.session.onChange(({ type }) => {
    if (type === 'signedIn') follow()
  })
  if (client.session.isAuthenticated) follow()

  const requestNote = h('input', { maxlength: '120', value: 'From the chess club', autocomplete: 'off' })
  const sendRequest = () =>
    runWithStatus(status, async () => {
      const { username } = other.user
      await client.relationships.sendRequest({ username, discriminator: null, note: requestNote.value || null })
      return `Request sent to ${other.name}.`
    })
  const element = card(
    title,
    badge,
    lists,
    h(
      'form',
      {
        class: 'request',
        onsubmit: (event) => {
          event.preventDefault()
          void sendRequest()
        },
      },
      field(`Friend request to ${other.name}`, requestNote).element,
      h('button', { type: 'submit', 'aria-label': `Send request to ${other.name}` }, 'Send'),
    ),
    status.element,
  )
  element.dataset.person = person.user.username
  element.classList.add('person')
  return element
}

interface Kind {
  readonly type: RelationshipType
  readonly title: string
  readonly actions: readonly ('accept' | 'delete')[]
  readonly deleteLabel: string
}

const KINDS: readonly Kind[] = [
  {
    type: RelationshipType.INCOMING_REQUEST,
    title: 'Received requests',
    actions: ['accept', 'delete'],
    deleteLabel: 'Decline',
  },
  { type: RelationshipType.OUTGOING_REQUEST, title: 'Sent requests', actions: ['delete'], deleteLabel: 'Withdraw' },
  { type: RelationshipType.FRIEND, title: 'Friends', actions: ['delete'], deleteLabel: 'Remove' },
]

function section(
  kind: Kind,
  items: readonly Immutable<Relationship>[],
  person: Person,
  status: StatusLine,
): HTMLElement {
  const rows = items.map(({ id, user, note: words }) => {
    const name = String(user.username)
    const act = (method: 'accept' | 'delete', label: string, attributes = {}) =>
      button(
        label,
        () =>
          void runWithStatus(status, async () => {
            await person.client.relationships[method](id)
            return ''
          }),
        { 'aria-label': `${label} ${name}`, ...attributes },
      )
    const buttons = kind.actions.map((method) =>
      method === 'accept' ? act(method, 'Accept', { class: 'primary' }) : act(method, kind.deleteLabel),
    )
    const text = h(
      'div',
      { class: 'row-text' },
      h('strong', {}, name),
      words ? h('span', { class: 'soft' }, words) : null,
    )
    return h('li', {}, text, h('div', { class: 'actions' }, ...buttons))
  })
  const none = h('p', { class: 'soft' }, 'None')
  return h('div', {}, h('h3', {}, kind.title), rows.length === 0 ? none : h('ul', { class: 'rows' }, ...rows))
}
