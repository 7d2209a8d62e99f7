// Invites members to the support server of a bot. After `Misc/discord.js` of github.com/tbonegaming344/Tbotnew.
import { button, container, messageV2, section } from 'rapport-sdk/components'

export const message = messageV2(
  container(
    section(
      '# Our support server',
      'Suggest a deck with </suggest-deck:1394802186659168446>, or ask other players.',
      '- help with commands\n- news about updates\n- ideas for new features',
    ).withAccessory(button.link('https://example.test/join', 'Join the server').withEmoji('💬')),
  ),
)
