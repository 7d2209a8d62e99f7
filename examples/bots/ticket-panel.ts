// Opens a support ticket. After `ticket_creation_panel.md` of github.com/nikkischnelle/yagpdb-ticket-buttons.
import { button, container, messageV2, row } from 'rapport-sdk/components'

export const message = messageV2(
  container(
    '## Need help?\nOpen a ticket. Only you and the team can read it.',
    row(button.primary('tickets:open', 'Open a ticket').withEmoji('🎟️')),
  ).withAccentColor(0x02cef7),
)
