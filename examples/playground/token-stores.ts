import type { TokenStore } from 'rapport-sdk'
import { inAllTabs, inMemory, inThisTab } from './snippets/client'
import { recallInTab, rememberInTab } from './tab-storage'
import type { World } from './world'

/** A token store that the user can choose. */
export interface StoreChoice {
  readonly name: 'memory' | 'tab' | 'tabs'
  readonly title: string
  /** What happens to the session when the page is reloaded or opened in a second tab. */
  readonly effect: string
  /** Name of the function that creates it. */
  readonly code: string
  create(key: string): TokenStore
}

export const STORES: readonly [StoreChoice, ...StoreChoice[]] = [
  {
    name: 'memory',
    title: 'Memory (default)',
    effect: 'Ends with the page. A second tab starts signed out.',
    code: 'inMemory',
    create: inMemory,
  },
  {
    name: 'tab',
    title: 'Session storage',
    effect: 'Survives a reload. A second tab starts with a copy and goes its own way.',
    code: 'inThisTab',
    create: inThisTab,
  },
  {
    name: 'tabs',
    title: 'Local storage',
    effect:
      'Survives a reload, and is shared with the tabs that “Open a second tab” opens: signing out in one signs out the others. If the storage is blocked or full, the client keeps the token in memory and emits a warning.',
    code: 'inAllTabs',
    create: inAllTabs,
  },
]

const KEY = 'playground.store'

/** Key of the token in a storage. */
export const tokenKey = ({ id }: World): string => `playground.${id}.token`

/** Returns the store that was chosen in this tab, or in the one that opened it. */
export function chosenStore(): StoreChoice {
  const name = recallInTab(KEY)
  return STORES.find((store) => store.name === name) ?? STORES[0]
}

/** Remembers the choice while the tab is open. */
export function rememberStore({ name }: StoreChoice): void {
  rememberInTab(KEY, name)
}
