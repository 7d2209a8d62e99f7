// Announces a giveaway. After `docs/showcase/giveaways.md` of github.com/Nziie-Development/website.
import { button, container, messageV2, row, separator } from 'rapport-sdk/components'

const giveaway = { id: '7', prize: 'A month of premium', ends: 1777680000, host: '101', winners: 1, entries: 12 }

export const message = messageV2(
  container(
    `## ${giveaway.prize}\nEverybody may enter. Good luck! 🎉`,
    separator(),
    `**Ends** <t:${giveaway.ends}:R>\n**Host** <@${giveaway.host}>\n**Winners** ${giveaway.winners}`,
    row(
      button.primary(`giveaway:${giveaway.id}`, `Enter (${giveaway.entries})`).withEmoji('🎉'),
      button.secondary(`giveaway:${giveaway.id}:list`, 'Entries'),
    ),
  ).withAccentColor(0x5865f2),
)
