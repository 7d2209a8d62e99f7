import type { Session, TokenStore } from 'rapport-sdk'
import type { Drawer } from './journal/drawer'
import type { Journal } from './journal/journal'
import { createCallsPage } from './pages/calls'
import { createComponentsPage } from './pages/components'
import { createFailuresPage } from './pages/failures'
import { createFriendsPage } from './pages/friends'
import { createSessionsPage } from './pages/sessions'
import { createSignInPage } from './pages/sign-in'
import { createStartPage } from './pages/start'
import { createWidgetsPage } from './pages/widgets'
import { createPasskeys } from './passkeys'
import { createAda } from './people'
import type { Page, Playground } from './playground'
import type { StoreChoice } from './token-stores'
import { createAccountBar } from './ui/account-bar'
import { h } from './ui/element'
import { createRouter } from './ui/router'
import type { OpenWorld } from './world'

/** What outlives a change of the token store. */
export interface AppContext extends OpenWorld {
  readonly journal: Journal
  readonly drawer: Drawer
  readonly store: StoreChoice
  readonly tokenStore: TokenStore
}

/** The page with one client. */
export interface App {
  readonly session: Session
  dispose(): void
}

/** Names of the pages, in the order of the navigation. */
const PAGES = ['start', 'sign-in', 'sessions', 'friends', 'widgets', 'failures', 'calls', 'components']

/** Builds the page. `useStore` replaces it with one that has another token store. */
export function mountApp(context: AppContext, useStore: (store: StoreChoice) => void): App {
  const { world, isKept, isCopy, journal, drawer, store, tokenStore } = context
  const disposing: (() => void)[] = []
  const passkeys = createPasskeys(world)
  const ada = createAda(world, journal, tokenStore, passkeys)
  const { session } = ada.client
  const router = createRouter({ names: PAGES, show: (name) => show(name), state: (name) => pageOf(name)?.state })
  const onDispose = (callback: () => void) => void disposing.push(callback)
  const playground: Playground = { world, ada, passkeys, journal, drawer, router, store, useStore, onDispose }

  const pages: readonly Page[] = [
    createStartPage(playground),
    createSignInPage(playground),
    createSessionsPage(playground),
    createFriendsPage(playground),
    createWidgetsPage(playground),
    createFailuresPage(playground),
    createCallsPage(playground),
    createComponentsPage(router),
  ]
  const pageOf = (name: string) => pages.find((page) => page.name === name)
  const links = pages.map(({ name, title }) => h('a', { href: `#${name}` }, title))
  const show = (name: string) => {
    for (const [at, page] of pages.entries()) {
      const isShown = page.name === name
      page.element.hidden = !isShown
      if (isShown) links[at]?.setAttribute('aria-current', 'page')
      else links[at]?.removeAttribute('aria-current')
      if (isShown) document.title = `${page.title} · Rapport playground`
    }
    document.body.dataset.page = name
    pageOf(name)?.onShow?.()
  }
  session.onChange(({ status, previous }) => {
    if (status === 'signedIn' && previous.status !== 'signedIn') pageOf(router.page)?.onShow?.()
  })

  const notices = [
    !isKept &&
      'The browser’s storage is blocked or full, so this page keeps everything in memory. A reload starts over.',
    isCopy &&
      'The tab that opened this one was closed or reloaded, so this tab goes on with a copy of the service. ' +
        'If that tab is open, reload this one to share its service again.',
  ]
  const banners = notices.filter((text) => text !== false).map((text) => h('p', { class: 'banner' }, text))
  // Set by the documentation site, which contains this page.
  const { docs: home } = document.documentElement.dataset
  const docs = home === undefined ? [] : [h('a', { href: home }, 'Documentation')]
  document.body.replaceChildren(
    h(
      'header',
      { class: 'top' },
      h(
        'div',
        {},
        h('h1', {}, 'Rapport playground'),
        h('p', { class: 'soft' }, 'The SDK and a simulated service, both in this page. Nothing leaves your browser.'),
      ),
      createAccountBar(playground),
    ),
    h('nav', { class: 'pages', 'aria-label': 'Pages' }, ...links, ...docs),
    drawer.toggle,
    h(
      'div',
      { class: 'layout' },
      h('main', { oninput: router.keep, onclick: router.keep }, ...banners, ...pages.map(({ element }) => element)),
      drawer.element,
    ),
  )
  router.start()
  return {
    session,
    dispose() {
      router.stop()
      for (const callback of disposing) callback()
      ada.client.dispose()
    },
  }
}
