// Lists the roles of a server below a banner. After `webhooks/payloads/info/roles` of github.com/TrigamDev/Trigam-Den.
import { attachment, container, galleryItem, mediaGallery, messageV2 } from 'rapport-sdk/components'

const roles = { 301: 'Friends of the house', 302: 'Bots and apps', 303: 'Members who boost the server' }
const pings = { 304: 'New posts', 305: 'Events and game nights' }
const list = (items: object) => Object.entries(items).map(([id, meaning]) => `- <@&${id}>: ${meaning}`)

export const message = messageV2(
  container(mediaGallery(galleryItem(attachment('roles.png')).withDescription('Roles'))).withAccentColor(0x3f48cc),
  container(['## 🏷️ Groups', ...list(roles)].join('\n')).withAccentColor(0x3f48cc),
  container(['## 🔔 Pings', ...list(pings)].join('\n')).withAccentColor(0x3f48cc),
)
