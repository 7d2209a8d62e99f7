// examples/bots/moderation-bot.ts with discord.js.
import { createHmac, timingSafeEqual } from 'node:crypto'
import {
  ActionRowBuilder,
  ButtonBuilder,
  ButtonStyle,
  type Client,
  ComponentType,
  ContainerBuilder,
  MessageFlags,
  type SendableChannels,
  TextDisplayBuilder,
} from 'discord.js'

const text = (content: string) => ({
  flags: MessageFlags.IsComponentsV2 as const,
  components: [new TextDisplayBuilder().setContent(content)],
})
const confirmation = (message: string) => ({
  flags: MessageFlags.IsComponentsV2 as const,
  components: [
    new TextDisplayBuilder().setContent('Really?'),
    new ActionRowBuilder<ButtonBuilder>().addComponents(
      new ButtonBuilder().setCustomId(`confirm(${message})`).setLabel('Remove it').setStyle(ButtonStyle.Danger),
    ),
  ],
})

export function moderationBot(client: Client, key: Uint8Array, remove: (message: string) => Promise<void>) {
  const signatureOf = (id: string) => createHmac('sha256', key).update(`custom_id:${id}`).digest().subarray(0, 12)
  const review = (message: string, action: 'keep' | 'remove') => {
    const id = `review(${message},${action})`
    return id + signatureOf(id).toString('base64url')
  }
  client.on('interactionCreate', async (interaction) => {
    if (!interaction.isButton()) return
    const [, id, message = '', action, signature = ''] =
      /^(review\((\d+),(keep|remove)\))([\w-]{16})$/.exec(interaction.customId) ?? []
    if (id === undefined || !timingSafeEqual(signatureOf(id), Buffer.from(signature, 'base64url'))) return
    if (action === 'keep') {
      await interaction.reply(text(`<@${interaction.user.id}> keeps the message ${message}.`))
      return
    }
    const response = await interaction.reply({ ...confirmation(message), withResponse: true })
    const confirmed = await response.resource?.message?.awaitMessageComponent({
      componentType: ComponentType.Button,
      filter: ({ user, customId }) => user.id === interaction.user.id && customId === `confirm(${message})`,
      time: 60_000,
    })
    if (confirmed === undefined) return
    await remove(message)
    await confirmed.reply(text(`<@${interaction.user.id}> has removed the message ${message}.`))
  })
  const render = (message: string, content: string) => ({
    flags: MessageFlags.IsComponentsV2 as const,
    components: [
      new ContainerBuilder()
        .addTextDisplayComponents((display) => display.setContent(content))
        .addActionRowComponents<ButtonBuilder>((row) =>
          row.addComponents(
            new ButtonBuilder().setCustomId(review(message, 'keep')).setLabel('Keep').setStyle(ButtonStyle.Success),
            new ButtonBuilder().setCustomId(review(message, 'remove')).setLabel('Remove').setStyle(ButtonStyle.Danger),
          ),
        ),
    ],
  })
  return {
    render,
    report: (channel: SendableChannels, message: string, content: string) => channel.send(render(message, content)),
  }
}
