// examples/bots/tic-tac-toe-bot.ts with discord.js.
import {
  ActionRowBuilder,
  ButtonBuilder,
  ButtonStyle,
  ComponentType,
  type Message,
  MessageFlags,
  type SendableChannels,
  TextDisplayBuilder,
} from 'discord.js'

const LINES = ['012', '345', '678', '036', '147', '258', '048', '246']

export function render(board: string, next: string, other: string) {
  const winner = ['x', 'o'].find((mark) =>
    LINES.some((line) => [...line].every((cell) => board[Number(cell)] === mark)),
  )
  const isOver = winner !== undefined || !board.includes('-')
  const cells = [...board].map((mark, cell) => {
    const one = new ButtonBuilder()
      .setCustomId(`move(${board},${cell},${next},${other})`)
      .setLabel(mark === '-' ? '·' : mark)
      .setStyle(ButtonStyle.Secondary)
    return isOver || mark !== '-' ? one.setDisabled(true) : one
  })
  const title = winner ? `<@${other}> wins!` : isOver ? 'A draw.' : `<@${next}> is next.`
  return {
    flags: MessageFlags.IsComponentsV2 as const,
    components: [
      new TextDisplayBuilder().setContent(title),
      new ActionRowBuilder<ButtonBuilder>().addComponents(cells.slice(0, 3)),
      new ActionRowBuilder<ButtonBuilder>().addComponents(cells.slice(3, 6)),
      new ActionRowBuilder<ButtonBuilder>().addComponents(cells.slice(6)),
    ],
  }
}

export async function ticTacToeBot(channel: SendableChannels, x: string, o: string) {
  const collect = (message: Message) => {
    const collector = message.createMessageComponentCollector({ componentType: ComponentType.Button })
    collector.on('collect', async (interaction) => {
      const match = /^move\(([xo-]{9}),([0-8]),(\d+),(\d+)\)$/.exec(interaction.customId)
      if (match === null) return
      const [, board = '', position = '', next = '', other = ''] = match
      const cell = Number(position)
      if (interaction.user.id !== next || board[cell] !== '-') return
      const mark = board.replaceAll('-', '').length % 2 === 0 ? 'x' : 'o'
      const changed = render(board.slice(0, cell) + mark + board.slice(cell + 1), other, next)
      const response = await interaction.reply({ ...changed, withResponse: true })
      if (response.resource?.message) collect(response.resource.message)
    })
  }
  collect(await channel.send(render('-'.repeat(9), x, o)))
}
