// A queue of reported messages: moderators keep or remove each, and confirm a removal within a minute. The custom IDs are
// signed, so that nobody can make one up.
import { button, container, messageV2, row } from 'rapport-sdk/components'
import { restyle } from 'rapport-sdk/components/changes'
import { customId, param } from 'rapport-sdk/components/custom-id'
import type { Bot } from './service'

export function moderationBot(bot: Bot, sign: Uint8Array, remove: (message: string) => Promise<void>) {
  const review = customId('review', { message: param.snowflake, action: param.oneOf('keep', 'remove') }, { sign })
  const confirm = customId('confirm', { message: param.snowflake }, { sign })
  const render = async (message: string, text: string) => {
    const [keep, removal] = await Promise.all([
      review({ message, action: 'keep' }),
      review({ message, action: 'remove' }),
    ])
    return messageV2(container(text, row(button.success(keep, 'Keep'), button.danger(removal, 'Remove'))))
  }
  bot.on(review, async ({ params: { message, action }, interaction: { user }, reply }) => {
    if (action === 'keep') return reply(messageV2(`<@${user}> keeps the message ${message}.`))
    const question = messageV2('Really?', row(button.secondary(await confirm({ message }), 'Remove it')))
    const next = bot.next(confirm, { from: user, timeout: 60_000 })
    await reply(restyle(question, 'danger'))
    const confirmed = await next
    // The question may be an earlier one.
    await remove(confirmed.params.message)
    return confirmed.reply(messageV2(`<@${user}> has removed the message ${confirmed.params.message}.`))
  })
  return {
    report: async (channel: string, message: string, text: string) => bot.send(channel, await render(message, text)),
  }
}
