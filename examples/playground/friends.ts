import { h } from './element'
import { createPersonCard } from './person-card'
import type { Playground } from './setup'

/** The friends of two users, in lists that gateway events update. */
export function createFriends({ ada, grace }: Playground): HTMLElement {
  return h(
    'div',
    { class: 'columns' },
    createPersonCard(ada, grace, 'Ada (you)'),
    createPersonCard(grace, ada, 'Grace (simulated)'),
  )
}
