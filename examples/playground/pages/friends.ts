import { actionSnippet } from '../code/action-snippet'
import { createCodePanel } from '../code/code-panel'
import { accountText, createGrace, type Person } from '../people'
import type { Page, Playground } from '../playground'
import source from '../snippets/friends.ts?raw'
import { createAccountPage } from '../ui/account-bar'
import { controlState } from '../ui/control-state'
import { h } from '../ui/element'
import { createPersonCard, type PersonCard } from './person-card'

/** The friends of two users, in lists that gateway events update. */
export function createFriendsPage(playground: Playground): Page {
  const { world, ada, journal, router, onDispose } = playground
  /** Values of the last call of each kind. */
  const last: Record<string, Record<string, unknown>> = {
    sendRequest: { username: 'grace', note: 'From the chess club' },
    acceptRequest: { userId: world.grace.id },
    removeFriend: { userId: world.grace.id },
  }
  const snippet = (name: string, title: string, method: string) =>
    actionSnippet(name, title, source, method, () => last[method] ?? {})
  const panel = createCodePanel(router, 'friends', [
    snippet('follow', 'Follow the list', 'followFriends'),
    snippet('request', 'Send a request', 'sendRequest'),
    snippet('accept', 'Accept', 'acceptRequest'),
    snippet('remove', 'Remove', 'removeFriend'),
  ])
  const onCall = (name: string, method: string, values: Record<string, unknown>) => {
    last[method] = values
    panel.show(name)
  }
  const people = h('div', { class: 'columns' })
  const cards: PersonCard[] = []
  const addCard = (person: Person, other: string, title: string | Text) => {
    const card = createPersonCard({ person, other, title, journal, router, onCall })
    cards.push(card)
    people.append(card.element)
  }
  const grace = createGrace(world, journal)
  onDispose(() => grace.client.dispose())
  addCard(
    ada,
    'grace',
    accountText(ada, (name) => `${name} (you)`),
  )
  addCard(grace, 'ada', 'Grace (simulated)')
  const element = createAccountPage(playground, people, panel.element)
  return {
    name: 'friends',
    title: 'Friends',
    element,
    state: controlState(element),
    onShow() {
      if (!ada.client.session.isAuthenticated) return
      for (const card of cards) card.follow()
    },
  }
}
