import { type Immutable, type Relationship, type RelationshipStore, RelationshipType } from 'rapport-sdk'
import type { Journal } from '../journal/journal'
import { runAction } from '../journal/run-action'
import type { Person } from '../people'
import { acceptRequest, followFriends, removeFriend, sendRequest } from '../snippets/friends'
import { createCard } from '../ui/card'
import { button, form, h } from '../ui/element'
import { field } from '../ui/field'
import type { Router } from '../ui/router'
import { createStatusLine } from '../ui/status-line'

/** The live friends of a user. */
export interface PersonCard {
  readonly element: HTMLElement
  /** Loads the friends, unless they are loaded, and follows them. */
  follow(): void
}

/** Contents of the card. */
export interface PersonCardOptions {
  readonly person: Person
  /** Name of the user to send requests to. */
  readonly other: string
  readonly title: string | Text
  readonly journal: Journal
  readonly router: Router
  /** Called before a call, with the name of its code, its function and the values of its parameters. */
  onCall(name: string, method: string, values: Record<string, unknown>): void
}

interface Kind {
  readonly type: RelationshipType
  readonly title: string
  readonly canAccept: boolean
  readonly removeLabel: string
}

const KINDS: readonly Kind[] = [
  { type: RelationshipType.INCOMING_REQUEST, title: 'Received requests', canAccept: true, removeLabel: 'Decline' },
  { type: RelationshipType.OUTGOING_REQUEST, title: 'Sent requests', canAccept: false, removeLabel: 'Withdraw' },
  { type: RelationshipType.FRIEND, title: 'Friends', canAccept: false, removeLabel: 'Remove' },
]

export function createPersonCard({ person, other, title, journal, router, onCall }: PersonCardOptions): PersonCard {
  const { client, user } = person
  const status = createStatusLine()
  const badge = h('span', { class: 'badge', hidden: true })
  const lists = h('div', { class: 'lists', tabindex: '-1' })
  let store: RelationshipStore | undefined
  let isFollowing = false

  const act = (title: string, run: () => Promise<string>) =>
    void runAction(journal, status, `${person.name}: ${title}`, run)

  const row = ({ id, user, note }: Immutable<Relationship>, { canAccept, removeLabel }: Kind) => {
    const friend = String(user.username)
    const accept = () => {
      onCall('accept', 'acceptRequest', { userId: id })
      act(`accept ${friend}`, () => acceptRequest(client, id).then(() => ''))
    }
    const remove = () => {
      onCall('remove', 'removeFriend', { userId: id })
      act(`${removeLabel.toLowerCase()} ${friend}`, () => removeFriend(client, id).then(() => ''))
    }
    return h(
      'li',
      {},
      h('div', { class: 'row-text' }, h('strong', {}, friend), note ? h('span', { class: 'soft' }, note) : null),
      h(
        'div',
        { class: 'actions' },
        canAccept && button('Accept', accept, { class: 'primary', 'aria-label': `Accept ${friend}` }),
        button(removeLabel, remove, { 'aria-label': `${removeLabel} ${friend}` }),
      ),
    )
  }
  const render = (friends: RelationshipStore) => {
    badge.hidden = false
    badge.textContent = friends.stale ? 'catching up' : 'live'
    badge.dataset.tone = friends.stale ? 'calm' : 'good'
    // The pressed button may be gone: keep the focus in the list.
    const hadFocus = lists.contains(document.activeElement)
    const sections = KINDS.map((kind) => {
      const rows = friends.filter(kind.type).map((each) => row(each, kind))
      const content = rows.length === 0 ? h('p', { class: 'soft' }, 'None') : h('ul', { class: 'rows' }, ...rows)
      return h('div', {}, h('h3', {}, kind.title), content)
    })
    lists.replaceChildren(...sections)
    if (hadFocus) lists.focus()
  }
  const stop = () => {
    store?.close()
    store = undefined
    isFollowing = false
    badge.hidden = true
    lists.replaceChildren()
  }
  client.session.onChange(({ type }) => {
    if (type === 'signedOut' || type === 'tokenChanged') stop()
  })
  const note = h('input', {
    name: `note-to-${other}`,
    maxlength: '120',
    value: 'From the chess club',
    autocomplete: 'off',
  })
  const send = () => {
    const values = { username: other, note: note.value || null }
    onCall('request', 'sendRequest', values)
    act(`send a request to ${other}`, async () => {
      await sendRequest(client, values.username, values.note)
      return 'The request was sent.'
    })
  }
  const element = createCard(router, `friends/${user.username}`, {
    title,
    controls: [
      badge,
      lists,
      form(
        send,
        { class: 'inline' },
        field(`Friend request to ${other}`, note).element,
        h('button', { type: 'submit', 'aria-label': `Send a request to ${other}` }, 'Send'),
      ),
      status.element,
    ],
  })
  element.dataset.person = user.username
  return {
    element,
    follow() {
      if (isFollowing) return
      isFollowing = true
      act('follow the list of friends', async () => {
        try {
          const friends = await followFriends(client, render)
          if (isFollowing) store = friends
          else friends.close()
        } catch (error) {
          isFollowing = false
          throw error
        }
        return ''
      })
    },
  }
}
