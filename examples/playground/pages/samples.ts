import {
  attachment,
  button,
  channelSelect,
  checkboxGroup,
  container,
  galleryItem,
  groupOption,
  label,
  mediaGallery,
  messageV2,
  modal,
  option,
  radioGroup,
  row,
  section,
  separator,
  stringSelect,
  text,
  textInput,
  thumbnail,
} from 'rapport-sdk/components'

const files = ['passkeys.png', 'before.png', 'after.png']
const announcement = messageV2(
  { attachments: files.map((filename, id) => ({ id, filename })) },
  text('# Release 2.0 is here'),
  container(
    section('## Passkeys', 'Sign in with your face, your finger or a key.').withAccessory(
      thumbnail(attachment('passkeys.png')).withDescription('The new sign-in dialog'),
    ),
    separator().withSpacing('large'),
    text('### Fixed\n- Signing out ends every tab\n- Avatars load twice as fast'),
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

const days = ['Monday', 'Wednesday', 'Friday']
const poll = messageV2(
  text('**When do we meet?**'),
  row(days.map((day) => button.secondary(`vote:${day.toLowerCase()}`, `${day} · 0`))),
  row(button.danger('close', 'Close the poll')),
)

const settings = modal(
  'settings',
  'Server settings',
  text('Everybody sees changes immediately.'),
  label('Name', textInput.small('name').withMinLength(2).withMaxLength(32).withValue('The Analytical Engine')),
  label('Language', stringSelect('language', option('English', 'en').withDefault(), option('Español', 'es'))),
  label('Channel for new members', channelSelect('welcome').withChannelTypes([0])),
  label(
    'Who can join',
    radioGroup('joining', groupOption('Everybody', 'open').withDefault(), groupOption('Only invited users', 'invited')),
  ),
  label('Digest', checkboxGroup('digest', groupOption('Daily', 'day'), groupOption('Weekly', 'week')).withMinValues(0)),
)

/** An invalid message: a `custom_id` is used twice, and a text is empty. */
const broken = {
  flags: 32768,
  components: [
    { type: 10, content: '**When?**' },
    {
      type: 1,
      components: [
        { type: 2, style: 2, custom_id: 'vote', label: 'Monday' },
        { type: 2, style: 2, custom_id: 'vote', label: 'Friday' },
        { type: 2, style: 5, label: 'Notes', url: 'notes.md' },
      ],
    },
    { type: 10, content: '' },
  ],
}

/** An example of the editor. */
export interface Sample {
  /** Last part of its route. */
  readonly name: string
  readonly title: string
  readonly value: unknown
}

/** The examples of the editor. */
export const SAMPLES: readonly Sample[] = [
  { name: 'poll', title: 'A poll', value: poll },
  { name: 'announcement', title: 'A release announcement', value: announcement },
  { name: 'settings', title: 'A settings modal', value: settings },
  { name: 'errors', title: 'A poll with errors', value: broken },
]
