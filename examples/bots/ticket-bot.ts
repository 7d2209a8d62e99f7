// Support tickets: a button opens a modal, its answers become a message for the team, which can close the ticket.
import { button, checkbox, container, label, messageV2, modal, row, textInput } from 'rapport-sdk/components'
import { customId, param } from 'rapport-sdk/components/custom-id'
import type { Bot } from './service'

const open = customId('ticket')
const close = customId('close', { author: param.snowflake })
const form = modal(
  'ticket-form',
  'Open a ticket',
  label('Subject', textInput.small('subject').withMaxLength(80)),
  label('What happened?', textInput.paragraph('details')),
  label('Is it urgent?', checkbox('urgent')),
)

export function ticketBot(bot: Bot, teamChannel: string) {
  bot
    .on(open, ({ reply }) => reply(form))
    .on(form, async ({ answers: { subject, details, urgent }, interaction, reply }) => {
      const ticket = container(
        `## ${subject}\n${details}\n-# by <@${interaction.user}>`,
        row(button.danger(close({ author: interaction.user }), 'Close')),
      )
      await bot.send(teamChannel, messageV2(urgent ? ticket.withAccentColor(0xd83c3e) : ticket))
      await reply(messageV2('Thank you! The team will answer soon.'))
    })
    .on(close, ({ params: { author }, reply }) => reply(messageV2(`The ticket of <@${author}> is closed.`)))
  const panel = messageV2('**Need help?**', row(button.primary(open(), 'Open a ticket')))
  return { start: (channel: string) => bot.send(channel, panel) }
}
