import { h } from './element'
import { createPersonCard } from './person-card'
import type { World } from './world'

/** Two users side by side, each with a list that follows the gateway's events. */
export function createFriends({ ada, grace }: World): HTMLElement {
  return h(
    'div',
    { class: 'columns' },
    createPersonCard(ada, grace, 'Ada, that is you'),
    createPersonCard(grace, ada, 'Grace, who is simulated'),
  )
}
