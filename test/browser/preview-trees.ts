// The trees of examples/, which are scripts and export nothing.
import {
  attachment,
  button,
  channelSelect,
  checkbox,
  checkboxGroup,
  container,
  fileUpload,
  galleryItem,
  groupOption,
  label,
  mediaGallery,
  mentionableSelect,
  messageV2,
  modal,
  option,
  radioGroup,
  roleSelect,
  row,
  section,
  separator,
  stringSelect,
  text,
  textInput,
  thumbnail,
  userSelect,
} from 'rapport-sdk/components'

/** Of examples/release-announcement.ts. */
export const announcement = messageV2(
  text('# Release 2.0 is here'),
  container(
    section('## Passkeys', 'Sign in with your face, your finger or a key.').withAccessory(
      thumbnail(attachment('passkeys.png')).withDescription('The new sign-in dialog'),
    ),
    separator().withSpacing('large'),
    text('### Mended\n- Signing out ends every tab\n- Avatars load twice as fast\n- Search finds umlauts'),
    mediaGallery(
      galleryItem(attachment('before.png')).withDescription('Before'),
      galleryItem(attachment('after.png')).withDescription('After'),
    ),
    row(button.link('https://example.test/notes', 'All notes'), button.primary('subscribe', 'Tell me about the next')),
  ).withAccentColor(0x3366ff),
)

/** Of examples/poll.ts. */
export const poll = messageV2(
  text('**When do we meet?**'),
  row(['Monday', 'Wednesday', 'Friday'].map((day) => button.secondary(`vote:${day}`, `${day} · 0`))),
  row(button.danger('close', 'Close the poll')),
)

/** Of examples/settings-modal.ts. */
export const settings = modal(
  'settings',
  'Server settings',
  text('Changes are seen by everybody at once.'),
  label('Name', textInput.small('name').withMinLength(2).withMaxLength(32).withValue('The Analytical Engine')),
  label('What it is about', textInput.paragraph('about').withRequired(false).withPlaceholder('Markdown works')),
  label(
    'Language',
    stringSelect('language', option('English', 'en').withDefault(), option('Español', 'es'), option('日本語', 'ja')),
  ),
  label('Owner', userSelect('owner')).withDescription('May do everything'),
  label('Moderators', roleSelect('moderators').withMinValues(0).withMaxValues(5).withRequired(false)),
  label('Never notified', mentionableSelect('silent').withMinValues(0).withRequired(false)),
  label('Where newcomers arrive', channelSelect('welcome').withChannelTypes([0])),
  label(
    'Who may join',
    radioGroup(
      'joining',
      groupOption('Everybody', 'open').withDefault(),
      groupOption('Who is invited', 'invited').withDescription('By a link that expires'),
    ),
  ),
  label(
    'Digest',
    checkboxGroup('digest', groupOption('Daily', 'day'), groupOption('Weekly', 'week'), groupOption('Monthly', 'month'))
      .withMinValues(0)
      .withRequired(false),
  ),
  label('Listed in search', checkbox('listed').withDefault()),
  label('Icon', fileUpload('icon').withMaxValues(1)).withDescription('A square picture'),
)

/** The first page of examples/gallery-pages.ts. */
export const gallery = messageV2(
  text('**Pictures 1 to 10** of 23'),
  mediaGallery(
    Array.from({ length: 10 }, (_, at) =>
      galleryItem(`https://example.test/pictures/${at + 1}.png`).withDescription(`Picture ${at + 1}`),
    ),
  ),
  row(
    button.secondary('page:-1', 'Back').withDisabled(),
    button.secondary('page', '1 of 3').withDisabled(),
    button.secondary('page:1', 'On'),
  ),
)
