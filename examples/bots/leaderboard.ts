// Ranks members by level, page by page. After `commands/Leveling/lb.js` of github.com/DodoGames7/Dodo-Bot.
import { button, container, messageV2, row, separator } from 'rapport-sdk/components'

const page = 1
const levels = new Map([
  ['101', 42],
  ['102', 37],
  ['103', 31],
  ['104', 18],
])
const places = ['🥇', '🥈', '🥉']
const lines = [...levels].map(([id, level], at) => `${places[at] ?? `${at + 1}.`} <@${id}> · level ${level}`)

export const message = messageV2(
  container(
    '## Leaderboard',
    lines.join('\n'),
    separator(),
    `-# Page ${page} of 3 · updated <t:1777636800:R>`,
    row(
      button.secondary(`lb:${page - 1}`, 'Back').withDisabled(page === 1),
      button.secondary(`lb:${page + 1}`, 'Next'),
    ),
  ).withAccentColor(0xe0a526),
)
