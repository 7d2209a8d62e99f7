import type {
  APIMessageTopLevelComponent,
  APIModalInteractionResponseCallbackData,
  RESTPatchAPIChannelMessageJSONBody,
  RESTPostAPIChannelMessageJSONBody,
} from 'discord-api-types/v10'
import {
  attachment,
  button,
  channelSelect,
  checkbox,
  checkboxGroup,
  container,
  file,
  fileUpload,
  groupOption,
  label,
  mediaGallery,
  mentionableSelect,
  messageLegacy,
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
  toJSON,
  userSelect,
} from 'rapport-sdk/components'
import { expectTypeOf, test } from 'vitest'

test('the JSON of a message is assignable to the body of a message of discord-api-types', () => {
  const body: RESTPostAPIChannelMessageJSONBody = toJSON(messageV2({ flags: 64 }, container('Hello')))
  const edited: RESTPatchAPIChannelMessageJSONBody = toJSON(messageV2('Hello'))
  expectTypeOf([body, edited]).toBeArray()
})

test('the JSON of a message without the flag is assignable to an edit of discord-api-types, but not to a new message', () => {
  const legacy = toJSON(messageLegacy({ content: 'Sure?' }, row(button.success('yes', 'Yes'))))
  const edited: RESTPatchAPIChannelMessageJSONBody = legacy
  const components: RESTPostAPIChannelMessageJSONBody['components'] = legacy.components
  // @ts-expect-error: the content may be null
  const body: RESTPostAPIChannelMessageJSONBody = legacy
  expectTypeOf([body, edited, components]).toBeArray()
})

test('the JSON of a modal is assignable to the modal of discord-api-types', () => {
  const data: APIModalInteractionResponseCallbackData = toJSON(
    modal('m', 'A modal', 'Hello', label('Text', textInput.small('t'))),
  )
  expectTypeOf(data).toBeObject()
})

test('the JSON of each component of a message is assignable to that of discord-api-types', () => {
  const components: APIMessageTopLevelComponent[] = [
    toJSON(row(button.primary('a').withEmoji('🔥'), button.link('https://example.test'), button.premium('1'))),
    toJSON(row(stringSelect('s', option('A', 'a').withEmoji('<:name:1>')).withDisabled())),
    toJSON(row(userSelect('u'))),
    toJSON(row(roleSelect('r'))),
    toJSON(row(mentionableSelect('m'))),
    toJSON(row(channelSelect('c').withChannelTypes(0))),
    toJSON(section('A').withAccessory(thumbnail('https://example.test/a.png').withDescription('A'))),
    toJSON(section('A').withAccessory(button.danger('a'))),
    toJSON(text('A')),
    toJSON(mediaGallery(attachment('a.png'))),
    toJSON(file(attachment('a.txt'))),
    toJSON(separator().withSpacing('large')),
    toJSON(container('A', separator()).withAccentColor(0)),
  ]
  expectTypeOf(components).toBeArray()
})

test('the JSON of each field of a modal is assignable to that of discord-api-types', () => {
  type Item = APIModalInteractionResponseCallbackData['components'][number]
  const a = groupOption('A', 'a')
  const components: Item[] = [
    toJSON(label('A', textInput.paragraph('t').withMaxLength(9))),
    toJSON(label('A', stringSelect('s', option('A', 'a')).withRequired())),
    toJSON(label('A', userSelect('u'))),
    toJSON(label('A', fileUpload('f'))),
    toJSON(label('A', radioGroup('r', a, a))),
    toJSON(label('A', checkboxGroup('c', a, a))),
    toJSON(label('A', checkbox('c'))),
    toJSON(text('A')),
  ]
  expectTypeOf(components).toBeArray()
})

test('the JSON of a component is mutable', () => {
  const json = toJSON(container('A'))
  json.accent_color = 5
  json.components.push({ type: 10, content: 'B' })
  const go = toJSON(button.primary('a'))
  go.label = 'Go'
  // @ts-expect-error: the JSON has no methods
  go.withLabel('Go')
})
