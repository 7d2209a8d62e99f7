// Opens a support ticket. After `ticket_creation_panel.md` of github.com/nikkischnelle/yagpdb-ticket-buttons.
import { button, container, messageV2, row, text } from 'rapport-sdk/components'

export const message = messageV2(
  container(
    text('## Need help?\nOpen a ticket. Only you and the team can read it.'),
    row(button.primary('tickets:open', 'Open a ticket').withEmoji({ name: '🎟️' })),
  ).withAccentColor(0x02cef7),
)
