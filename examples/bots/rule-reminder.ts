// Explains a rule after a warning. After `components/moderation/rulesreminderinfo.js` of github.com/raylou15/politibot.
import { button, container, messageV2, section, separator } from 'rapport-sdk/components'

export const message = messageV2(
  container(
    '### ❔ What does rule 1 forbid?\nInsults, also because of an opinion, and aggressive replies.\n' +
      '### ✅ How do you follow it?\nWrite as you would speak to a guest, even if you disagree.',
    separator(),
    section('*Do you still wonder why you were warned?*').withAccessory(
      button.primary('tickets:open', 'Ask the team').withEmoji('📩'),
    ),
  ).withAccentColor(0xffffff),
)
