import { mountApp } from './app'
import { createDrawer } from './journal/drawer'
import { createJournal } from './journal/journal'
import { chosenStore, rememberStore, type StoreChoice, tokenKey } from './token-stores'
import { openWorld } from './world'

const opened = openWorld()
const { world } = opened
const journal = createJournal()
const drawer = createDrawer(journal)

function mount(store: StoreChoice, token: string | null): void {
  const tokenStore = store.create(tokenKey(world))
  if (token !== null) void tokenStore.set({ token })
  const app = mountApp({ ...opened, journal, drawer, store, tokenStore }, (next) => {
    const { token } = app.session
    app.dispose()
    if (next !== store) void tokenStore.set(null)
    rememberStore(next)
    mount(next, token)
  })
}

mount(chosenStore(), null)
