// Tic-tac-toe for two users: the buttons have the board in their custom IDs, so that nothing is stored.
import { button, disableAll, messageV2, row } from 'rapport-sdk/components'
import { customId, param } from 'rapport-sdk/components/custom-id'
import type { Bot } from './service'

const LINES = ['012', '345', '678', '036', '147', '258', '048', '246']
const move = customId('move', {
  board: param.string,
  cell: param.integer,
  next: param.snowflake,
  other: param.snowflake,
})

export function ticTacToeBot(bot: Bot) {
  const render = (board: string, next: string, other: string) => {
    const winner = ['x', 'o'].find((mark) =>
      LINES.some((line) => [...line].every((cell) => board[Number(cell)] === mark)),
    )
    const isOver = winner !== undefined || !board.includes('-')
    const cells = [...board].map((mark, cell) =>
      button
        .secondary(move({ board, cell, next, other }), mark === '-' ? '·' : mark)
        .withDisabled(mark !== '-' ? true : undefined),
    )
    const title = winner ? `<@${other}> wins!` : isOver ? 'A draw.' : `<@${next}> is next.`
    const message = messageV2(title, row(cells.slice(0, 3)), row(cells.slice(3, 6)), row(cells.slice(6)))
    return isOver ? disableAll(message) : message
  }
  bot.on(move, ({ params: { board, cell, next, other }, interaction, reply }) => {
    if (interaction.user !== next || board[cell] !== '-') return
    const mark = board.replaceAll('-', '').length % 2 === 0 ? 'x' : 'o'
    return reply(render(board.slice(0, cell) + mark + board.slice(cell + 1), other, next))
  })
  return { start: (channel: string, x: string, o: string) => bot.send(channel, render('-'.repeat(9), x, o)) }
}
