import { type Immutable, type LiveStore, type Open, type Relationship, RelationshipType } from 'rapport-sdk'
import { attempt, createNote, type Note } from './attempt'
import { button, card, h } from './element'
import { field } from './field'
import type { Person } from './world'

type Relationships = LiveStore<Immutable<Relationship>, string, Open<RelationshipType>>

/** The friends of a person, live, and a form to ask another one. */
export function createPersonCard(person: Person, other: Person, title: string): HTMLElement {
  const { client } = person
  const note = createNote()
  const badge = h('span', { class: 'badge' })
  const lists = h('div', { class: 'lists', tabindex: '-1' })
  let store: Relationships | undefined

  const render = () => {
    if (store === undefined) return
    const isLive = !store.stale
    badge.textContent = isLive ? 'live' : 'catching up'
    badge.dataset.tone = isLive ? 'good' : 'calm'
    // Whoever has just pressed a button that goes away goes on from the list.
    const hadFocus = lists.contains(document.activeElement)
    lists.replaceChildren(...KINDS.map((kind) => section(kind, store?.filter(kind.type) ?? [], person, note)))
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

  const words = h('input', { maxlength: '120', value: 'From the chess club', autocomplete: 'off' })
  const ask = () =>
    attempt(note, async () => {
      const { username } = other.user
      await client.relationships.sendRequest({ username, discriminator: null, note: words.value || null })
      return `${other.name} has been asked.`
    })
  const element = card(
    title,
    badge,
    lists,
    h(
      'form',
      {
        class: 'ask',
        onsubmit: (event) => {
          event.preventDefault()
          void ask()
        },
      },
      field(`Note to ${other.name}`, words).element,
      h('button', { type: 'submit' }, `Ask ${other.name}`),
    ),
    note.element,
  )
  element.dataset.person = person.user.username
  element.classList.add('person')
  return element
}

interface Kind {
  readonly type: RelationshipType
  readonly title: string
  readonly actions: readonly ('accept' | 'delete')[]
  readonly undo: string
}

const KINDS: readonly Kind[] = [
  { type: RelationshipType.INCOMING_REQUEST, title: 'Requests', actions: ['accept', 'delete'], undo: 'Decline' },
  { type: RelationshipType.OUTGOING_REQUEST, title: 'Asked', actions: ['delete'], undo: 'Withdraw' },
  { type: RelationshipType.FRIEND, title: 'Friends', actions: ['delete'], undo: 'Remove' },
]

function section(kind: Kind, items: readonly Immutable<Relationship>[], person: Person, note: Note): HTMLElement {
  const rows = items.map(({ id, user, note: words }) => {
    const name = String(user.username)
    const act = (method: 'accept' | 'delete', label: string, attributes = {}) =>
      button(
        label,
        () =>
          void attempt(note, async () => {
            await person.client.relationships[method](id)
            return ''
          }),
        { 'aria-label': `${label} ${name}`, ...attributes },
      )
    const buttons = kind.actions.map((method) =>
      method === 'accept' ? act(method, 'Accept', { class: 'primary' }) : act(method, kind.undo),
    )
    const text = h(
      'div',
      { class: 'row-text' },
      h('strong', {}, name),
      words ? h('span', { class: 'soft' }, words) : null,
    )
    return h('li', {}, text, h('div', { class: 'actions' }, ...buttons))
  })
  const nobody = h('p', { class: 'soft' }, 'Nobody')
  return h('div', {}, h('h3', {}, kind.title), rows.length === 0 ? nobody : h('ul', { class: 'rows' }, ...rows))
}
