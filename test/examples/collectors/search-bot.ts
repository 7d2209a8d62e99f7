// examples/bots/search-bot.ts with discord.js.
import {
  ActionRowBuilder,
  ButtonBuilder,
  ButtonStyle,
  type Client,
  ContainerBuilder,
  MessageFlags,
  type SendableChannels,
  TextDisplayBuilder,
} from 'discord.js'

interface Result {
  readonly title: string
}

const PER_PAGE = 10
const cut = (text: string, max: number) => {
  const points = [...text]
  return points.length <= max ? text : `${points.slice(0, max - 1).join('')}…`
}

export function render(found: readonly Result[], query: string, index: number) {
  const count = Math.max(1, Math.ceil(found.length / PER_PAGE))
  if (index < 0 || index >= count) {
    const components = [new TextDisplayBuilder().setContent('There is no such page.')]
    return { flags: MessageFlags.IsComponentsV2 as const, components }
  }
  const shown = found.slice(index * PER_PAGE, (index + 1) * PER_PAGE)
  const turn = (target: number, label: string) =>
    new ButtonBuilder()
      .setCustomId(`search(${encodeURIComponent(query)},${target})`)
      .setLabel(label)
      .setStyle(ButtonStyle.Secondary)
  const controls = new ActionRowBuilder<ButtonBuilder>().addComponents(
    turn(index - 1, 'Back').setDisabled(index === 0),
    turn(index, `${index + 1} / ${count}`).setDisabled(true),
    turn(index + 1, 'Next').setDisabled(index === count - 1),
  )
  const titles = shown.length > 0 ? shown.map(({ title }) => title) : ['Nothing was found.']
  return {
    flags: MessageFlags.IsComponentsV2 as const,
    components: [
      new TextDisplayBuilder().setContent(`## ${cut(query, 80)}`),
      new ContainerBuilder().addTextDisplayComponents(
        titles.map((title) => new TextDisplayBuilder().setContent(title)),
      ),
      ...(count > 1 ? [controls] : []),
    ],
  }
}

export function searchBot(client: Client, find: (query: string) => readonly Result[]) {
  client.on('interactionCreate', async (interaction) => {
    if (!interaction.isButton()) return
    const match = /^search\(([^)]*),(-?\d+)\)$/.exec(interaction.customId)
    if (match === null) return
    const [, escaped = '', page = ''] = match
    const query = decodeURIComponent(escaped)
    await interaction.reply(render(find(query), query, Number(page)))
  })
  return (channel: SendableChannels, query: string) => channel.send(render(find(query), query, 0))
}
