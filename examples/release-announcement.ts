// A release announcement: built, validated, sent and read back. The endpoint for messages is the mock's own, because the
// API document shows none.
import assert from 'node:assert/strict'
import { Client } from 'rapport-sdk'
import {
  assertMessage,
  attachment,
  button,
  container,
  countComponents,
  galleryItem,
  mediaGallery,
  messageV2,
  parseComponents,
  row,
  section,
  separator,
  text,
  thumbnail,
  toSendable,
  walk,
} from 'rapport-sdk/components'
import { createMockService } from 'rapport-sdk/mocks'

const fixes = ['Signing out ends every tab', 'Avatars load twice as fast', 'Search finds umlauts']

export const announcement = messageV2(
  text('# Release 2.0 is here'),
  container(
    section('## Passkeys', 'Sign in with your face, your finger or a key.').withAccessory(
      thumbnail(attachment('passkeys.png')).withDescription('The new sign-in dialog'),
    ),
    separator().withSpacing('large'),
    text(`### Fixed\n${fixes.map((fix) => `- ${fix}`).join('\n')}`),
    mediaGallery(
      galleryItem(attachment('before.png')).withDescription('Before'),
      galleryItem(attachment('after.png')).withDescription('After'),
    ),
    row(
      button.link('https://example.test/notes', 'All notes'),
      button.primary('subscribe', 'Notify me of the next one'),
    ),
  ).withAccentColor(0x3366ff),
)

const message = {
  ...announcement,
  attachments: ['passkeys.png', 'before.png', 'after.png'].map((filename, id) => ({ id, filename })),
  allowed_mentions: { parse: [] },
}
assertMessage(message) // throws and lists every problem with its path

const service = createMockService()
const bot = service.users.create({ login: 'bot@example.com', password: 'correct horse battery' })
const client = new Client({ baseUrl: service.baseUrl, fetch: service.fetch, token: service.token(bot) })
const sent = await client.request<{ id: string; components: unknown }>({
  method: 'POST',
  path: '/channels/{channel.id}/messages',
  pathParams: { 'channel.id': '300' },
  body: message,
})

const received = parseComponents(sent.components)
console.log(`Sent ${countComponents(received)} components; the service assigned their IDs:`)
for (const { component, path } of walk(received)) console.log(`  ${component.id} at ${path.join('.')}`)

const { components, dropped } = toSendable(received)
assertMessage({ flags: message.flags, components })
assert.equal(dropped.length, 0)
console.log('The received components can be sent again unchanged.')
