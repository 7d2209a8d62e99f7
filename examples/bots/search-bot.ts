// Search results in pages: the buttons have the query and their page in their custom IDs, so that nothing is stored.
import { container, messageV2, paginate } from 'rapport-sdk/components'
import { pageControls, truncate } from 'rapport-sdk/components/changes'
import { customId, param } from 'rapport-sdk/components/custom-id'
import type { Bot } from './service'

const search = customId('search', { query: param.string, page: param.integer })

export function searchBot(bot: Bot, find: (query: string) => readonly { readonly title: string }[]) {
  const render = (query: string, page: number) => {
    const titles = find(query).map(({ title }) => title)
    const pages = paginate(
      titles,
      (shown) => messageV2(`## ${truncate(query, 80)}`, container(shown.length > 0 ? shown : 'Nothing was found.')),
      { controls: pageControls((target) => search({ query, page: target })) },
    )
    return pages[page] ?? messageV2('There is no such page.')
  }
  bot.on(search, ({ params: { query, page }, reply }) => reply(render(query, page)))
  return { start: (channel: string, query: string) => bot.send(channel, render(query, 0)) }
}
