// examples/bots/poll-bot.ts with discord.js.
import {
  ActionRowBuilder,
  ButtonBuilder,
  ButtonStyle,
  ComponentType,
  MessageFlags,
  type SendableChannels,
  TextDisplayBuilder,
} from 'discord.js'

const CHOICES = ['tea', 'coffee', 'water'] as const

export const render = (poll: string, votes: ReadonlyMap<string, string>) => ({
  flags: MessageFlags.IsComponentsV2 as const,
  components: [
    new TextDisplayBuilder().setContent('**What do we order?**'),
    new ActionRowBuilder<ButtonBuilder>().addComponents(
      CHOICES.map((choice) => {
        const count = [...votes.values()].filter((one) => one === choice).length
        return new ButtonBuilder()
          .setCustomId(`vote(${poll},${choice})`)
          .setLabel(`${choice} · ${count}`)
          .setStyle(ButtonStyle.Secondary)
      }),
    ),
  ],
})

export async function pollBot(channel: SendableChannels, poll: string) {
  const votes = new Map<string, string>()
  const message = await channel.send(render(poll, votes))
  const collector = message.createMessageComponentCollector({ componentType: ComponentType.Button })
  collector.on('collect', async (interaction) => {
    const [, id, choice] = /^vote\((\d+),(\w+)\)$/.exec(interaction.customId) ?? []
    if (id !== poll || choice === undefined || !CHOICES.some((one) => one === choice)) return
    votes.set(interaction.user.id, choice)
    await interaction.reply(render(poll, votes))
  })
}
