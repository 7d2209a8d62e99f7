// examples/bots/ticket-bot.ts with discord.js.
import {
  ActionRowBuilder,
  ButtonBuilder,
  ButtonStyle,
  CheckboxBuilder,
  type Client,
  ContainerBuilder,
  LabelBuilder,
  MessageFlags,
  ModalBuilder,
  type SendableChannels,
  TextDisplayBuilder,
  TextInputBuilder,
  TextInputStyle,
} from 'discord.js'

const text = (content: string) => ({
  flags: MessageFlags.IsComponentsV2 as const,
  components: [new TextDisplayBuilder().setContent(content)],
})

export const form = new ModalBuilder()
  .setCustomId('ticket-form')
  .setTitle('Open a ticket')
  .addLabelComponents(
    new LabelBuilder()
      .setLabel('Subject')
      .setTextInputComponent(
        new TextInputBuilder().setCustomId('subject').setStyle(TextInputStyle.Short).setMaxLength(80),
      ),
    new LabelBuilder()
      .setLabel('What happened?')
      .setTextInputComponent(new TextInputBuilder().setCustomId('details').setStyle(TextInputStyle.Paragraph)),
    new LabelBuilder().setLabel('Is it urgent?').setCheckboxComponent(new CheckboxBuilder().setCustomId('urgent')),
  )

export const panel = {
  flags: MessageFlags.IsComponentsV2 as const,
  components: [
    new TextDisplayBuilder().setContent('**Need help?**'),
    new ActionRowBuilder<ButtonBuilder>().addComponents(
      new ButtonBuilder().setCustomId('ticket()').setLabel('Open a ticket').setStyle(ButtonStyle.Primary),
    ),
  ],
}

export async function ticketBot(client: Client, channel: SendableChannels, team: SendableChannels) {
  client.on('interactionCreate', async (interaction) => {
    if (interaction.isButton() && interaction.customId === 'ticket()') await interaction.showModal(form)
    if (interaction.isModalSubmit() && interaction.customId === 'ticket-form') {
      const subject = interaction.fields.getTextInputValue('subject')
      const details = interaction.fields.getTextInputValue('details')
      const urgent = interaction.fields.getCheckbox('urgent')
      const ticket = new ContainerBuilder()
        .addTextDisplayComponents((display) =>
          display.setContent(`## ${subject}\n${details}\n-# by <@${interaction.user.id}>`),
        )
        .addActionRowComponents<ButtonBuilder>((row) =>
          row.addComponents(
            new ButtonBuilder()
              .setCustomId(`close(${interaction.user.id})`)
              .setLabel('Close')
              .setStyle(ButtonStyle.Danger),
          ),
        )
      if (urgent) ticket.setAccentColor(0xd83c3e)
      await team.send({ flags: MessageFlags.IsComponentsV2, components: [ticket] })
      await interaction.reply(text('Thank you! The team will answer soon.'))
    }
    if (interaction.isButton()) {
      const [, author] = /^close\((\d+)\)$/.exec(interaction.customId) ?? []
      if (author !== undefined) await interaction.reply(text(`The ticket of <@${author}> is closed.`))
    }
  })
  await channel.send(panel)
}
