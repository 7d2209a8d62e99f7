import type { Drawer } from './journal/drawer'
import type { Journal } from './journal/journal'
import type { Passkeys } from './passkeys'
import type { Person } from './people'
import type { StoreChoice } from './token-stores'
import type { PageState, Router } from './ui/router'
import type { World } from './world'

/** What the pages share. */
export interface Playground {
  readonly world: World
  readonly ada: Person
  readonly passkeys: Passkeys
  readonly journal: Journal
  readonly drawer: Drawer
  readonly router: Router
  readonly store: StoreChoice
  /** Creates Ada's client again with another token store, which takes over her token. */
  useStore(store: StoreChoice): void
  /** Runs when the client is replaced. */
  onDispose(callback: () => void): void
}

/** A page of the playground. */
export interface Page {
  /** First part of its routes. */
  readonly name: string
  readonly title: string
  readonly element: HTMLElement
  /** What it keeps in the URL. Default: nothing. */
  readonly state?: PageState
  /** Called when the page is shown, and while it is shown when Ada signs in. */
  onShow?(): void
}
