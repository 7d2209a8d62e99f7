// A poll: each user has one vote, and may change it. After the polls of public bots; the votes are in memory.
import { button, messageV2, row } from 'rapport-sdk/components'
import { customId, param } from 'rapport-sdk/components/custom-id'
import type { Bot } from './service'

const CHOICES = ['tea', 'coffee', 'water'] as const
const vote = customId('vote', { poll: param.snowflake, choice: param.oneOf(...CHOICES) })

export function pollBot(bot: Bot) {
  const polls = new Map<string, Map<string, string>>()
  const render = (poll: string, votes = new Map<string, string>()) =>
    messageV2(
      '**What do we order?**',
      row(
        CHOICES.map((choice) => {
          const count = [...votes.values()].filter((one) => one === choice).length
          return button.secondary(vote({ poll, choice }), `${choice} · ${count}`)
        }),
      ),
    )
  bot.on(vote, ({ params: { poll, choice }, interaction, reply }) => {
    const votes = (polls.get(poll) ?? new Map<string, string>()).set(interaction.user, choice)
    polls.set(poll, votes)
    return reply(render(poll, votes))
  })
  return { start: (channel: string, poll: string) => bot.send(channel, render(poll)) }
}
