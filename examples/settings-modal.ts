// A modal with every component that a modal may hold, and what the validator says of one that is wrong. A modal's envelope
// is a convention; the interface document shows its components alone.
import assert from 'node:assert/strict'
import {
  assertModal,
  channelSelect,
  checkbox,
  checkboxGroup,
  fileUpload,
  groupOption,
  label,
  mentionableSelect,
  modal,
  option,
  radioGroup,
  roleSelect,
  stringSelect,
  text,
  textInput,
  userSelect,
  validateModal,
} from 'rapport-sdk/components'

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
assertModal(settings)
console.log(`${settings.components.length} components, ${JSON.stringify(settings).length} bytes of JSON`)

const broken = {
  ...settings,
  components: [
    label('A name that is far longer than forty-five characters', textInput.small('name').withMinLength(4001)),
    label('Language', stringSelect('name', option('English', ''))),
  ],
}
const result = validateModal(broken)
assert(!result.ok)
for (const { path, message } of result.issues) console.log(`${path.join('.')}: ${message}`)
