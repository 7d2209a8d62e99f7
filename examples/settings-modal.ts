// A modal with every component that a modal can contain, and the errors of an invalid one. The envelope of a modal is a
// convention; the API document shows only its components.
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
  text('Everybody sees changes immediately.'),
  label('Name', textInput.small('name').withMinLength(2).withMaxLength(32).withValue('The Analytical Engine')),
  label('Description', textInput.paragraph('about').withRequired(false).withPlaceholder('Markdown works')),
  label(
    'Language',
    stringSelect('language', option('English', 'en').withDefault(), option('Español', 'es'), option('日本語', 'ja')),
  ),
  label('Owner', userSelect('owner')).withDescription('Has all permissions'),
  label('Moderators', roleSelect('moderators').withMinValues(0).withMaxValues(5).withRequired(false)),
  label('Never notified', mentionableSelect('silent').withMinValues(0).withRequired(false)),
  label('Channel for new members', channelSelect('welcome').withChannelTypes([0])),
  label(
    'Who can join',
    radioGroup(
      'joining',
      groupOption('Everybody', 'open').withDefault(),
      groupOption('Only invited users', 'invited').withDescription('With a link that expires'),
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
