import { actionSnippet } from '../code/action-snippet'
import { createCodePanel } from '../code/code-panel'
import type { Playground } from '../playground'
import { followOtherTabs } from '../snippets/client'
import source from '../snippets/client.ts?raw'
import { STORES, tokenKey } from '../token-stores'
import { createCard } from '../ui/card'
import { button, h, uniqueId } from '../ui/element'
import { choice, group } from '../ui/field'
import { createStatusLine } from '../ui/status-line'
import { startOver } from '../world'

/** Where the token is kept, and a second tab to see what that means. */
export function createTokenStoreCard({ world, ada, store, useStore, router, onDispose }: Playground): HTMLElement {
  const status = createStatusLine()
  const panel = createCodePanel(router, 'sign-in/token-store', [
    actionSnippet('store', 'Token store', source, store.code, () => ({ key: tokenKey(world) })),
    actionSnippet('client', 'Client', source, 'createClient'),
    actionSnippet('tabs', 'Other tabs', source, 'followOtherTabs'),
  ])
  const name = uniqueId()
  const radios = STORES.map((each) => {
    const onchange = () => {
      useStore(each)
      document.querySelector<HTMLElement>(`[data-store=${each.name}]`)?.focus()
    }
    const radio = h('input', { type: 'radio', name, checked: each === store, 'data-store': each.name, onchange })
    return choice(each.title, radio)
  })
  ada.client.on('warning', ({ message }) => status.show(message, 'bad'))
  void followOtherTabs(ada.client, (text) => status.show(text)).then(onDispose)
  const openTab = () => {
    panel.show('tabs')
    // With its opener: the service is in this tab.
    if (window.open(location.href)) return
    status.show('The browser blocked the second tab. Allow pop-ups for this page, then try again.', 'bad')
  }
  return createCard(router, 'sign-in/token-store', {
    title: 'Keep the session',
    intro: 'Choose where the client keeps the token, sign in, and reload or open a second tab.',
    controls: [
      group('Token store', h('div', { class: 'choices' }, ...radios)).element,
      h('p', { class: 'soft' }, store.effect),
      h(
        'div',
        { class: 'actions' },
        button('Open a second tab', openTab, { class: 'primary' }),
        button('Reload', () => location.reload()),
        button('Forget everything', startOver),
      ),
      status.element,
    ],
    code: panel.element,
  })
}
