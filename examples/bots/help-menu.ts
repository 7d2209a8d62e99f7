// Lists the commands of a category. After `commands/help/help.js` of github.com/aliusa93/goose-bot.
import { messageV2, option, row, stringSelect } from 'rapport-sdk/components'

const categories = [
  { name: 'Fun', about: 'Games and pictures', emoji: '😀' },
  { name: 'Moderation', about: 'Warnings and timeouts', emoji: '👮' },
  { name: 'Economy', about: 'Coins and the shop', emoji: '💰' },
]

export const message = messageV2(
  '## Help\nPick a category to list its commands.',
  row(
    stringSelect(
      'help',
      categories.map(({ name, about, emoji }) => option(name, name).withDescription(about).withEmoji(emoji)),
    ).withPlaceholder('Category'),
  ),
)
