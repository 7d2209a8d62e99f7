import { exchangeSections } from '../journal/client-events'
import { createDetails } from '../journal/details'
import type { Exchange } from '../journal/exchange'
import { h } from '../ui/element'

/** The requests of a call and their answers, without their secrets. */
export interface ExchangeList {
  readonly element: HTMLElement
  add(exchange: Exchange): void
  clear(): void
}

export function createExchangeList(): ExchangeList {
  const list = h('ol', { class: 'exchanges' })
  return {
    element: list,
    add(exchange) {
      const { method, path, response, durationMs = 0 } = exchange
      const summary = [
        h('span', { class: 'what' }, String(response?.status ?? 'failed')),
        h('span', { class: 'text' }, `${method} ${path}`),
        h('span', { class: 'who' }, `${durationMs.toFixed(1)} ms`),
      ]
      // The last one, which answers the call, is open.
      for (const details of list.querySelectorAll('details')) details.open = false
      const tone = response && response.status < 400 ? 'good' : 'bad'
      list.append(
        h(
          'li',
          { 'data-tone': tone },
          createDetails(summary, () => exchangeSections(exchange, false), true),
        ),
      )
    },
    clear: () => list.replaceChildren(),
  }
}
