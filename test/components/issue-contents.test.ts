import { validateComponent, validateMessage, validateModal } from 'rapport-sdk/components'
import { expect, test } from 'vitest'
import {
  buttonOf,
  containerOf,
  inputOf,
  labelOf,
  legacyOf,
  messageOf,
  minimal,
  modalOf,
  rowOf,
  selectOf,
  textOf,
  V2,
} from './json-components'

type Checked = ReturnType<typeof validateComponent>

/** Returns all errors as `severity code path: message (limit, actual)`. */
function lines(result: Checked | ReturnType<typeof validateMessage> | ReturnType<typeof validateModal>): string[] {
  const issues = result.ok ? [] : result.issues
  return issues.map(({ severity, code, path, message, limit, actual }) => {
    const facts = [limit, actual].filter((fact) => fact !== undefined).map((fact) => JSON.stringify(fact))
    return `${severity} ${code} ${path.join('.')}: ${message}${facts.length > 0 ? ` (${facts.join(', ')})` : ''}`
  })
}

const inMessage = (...components: unknown[]) => lines(validateMessage(messageOf(...components)))
const inModal = (component: unknown) => lines(validateModal(modalOf(component)))
const alone = (component: object) => lines(validateComponent(component))

test.each<readonly [string, () => string[], readonly string[]]>([
  [
    'a row of buttons and a select',
    () => alone(rowOf(buttonOf(), selectOf())),
    ['error conflict components: only buttons can share a row'],
  ],
  [
    'a row of four buttons and a select',
    () => alone(rowOf(buttonOf(), buttonOf(), buttonOf(), buttonOf(), selectOf())),
    ['error conflict components: only buttons can share a row'],
  ],
  [
    'a field of another button style',
    () => alone({ type: 2, style: 5, url: 'https://x.test', custom_id: 'a', label: 'Go' }),
    ['error conflict custom_id: not allowed with this style'],
  ],
  ['a link button without a URL', () => alone({ type: 2, style: 5, label: 'Go' }), ['error required url: required']],
  ['a label of 38 characters', () => alone(buttonOf({ label: 'x'.repeat(38) })), []],
  [
    'a label of 34 characters with an emoji',
    () => alone(buttonOf({ label: 'x'.repeat(34), emoji: { name: 'a' } })),
    [],
  ],
  [
    'a label of 81 characters',
    () => alone(buttonOf({ label: 'x'.repeat(81) })),
    ['error too_long label: 81 characters, at most 80 (80, 81)'],
  ],
  [
    'a min_values above max_values',
    () => alone({ ...minimal[5](), min_values: 3, max_values: 2 }),
    ['error conflict min_values: minimum 3 exceeds maximum 2'],
  ],
  [
    'a max_values below the default min_values',
    () => alone({ ...minimal[5](), max_values: 0 }),
    ['error conflict max_values: minimum 1 exceeds maximum 0'],
  ],
  [
    'a field for messages in a modal',
    () => inModal(labelOf(selectOf({ disabled: false }))),
    ['error conflict components.0.component.disabled: only in messages'],
  ],
  [
    'a field for modals in a message',
    () => inMessage(rowOf(selectOf({ required: true }))),
    ['error conflict components.0.components.0.required: only in modals'],
  ],
  [
    'a file with another URL',
    () => alone({ type: 13, file: { url: 'https://x.test' } }),
    ['error invalid_format file.url: expected attachment://<filename> ("https://x.test")'],
  ],
  [
    'a file without a name',
    () => alone({ type: 13, file: { url: 'attachment://' } }),
    ['error invalid_format file.url: expected attachment://<filename> ("attachment://")'],
  ],
  [
    'an unknown separator size',
    () => alone({ type: 14, spacing: 3 }),
    ['error invalid_value spacing: 3, one of 1,2 (2, 3)'],
  ],
  [
    'a max_length above its limit',
    () => alone(inputOf({ max_length: 4001 })),
    ['error invalid_value max_length: 4001, at most 4000 (4000, 4001)'],
  ],
  [
    'a max_length of 0',
    () => alone(inputOf({ max_length: 0 })),
    ['error invalid_value max_length: 0, at least 1 (1, 0)'],
  ],
  [
    'a duplicate id',
    () => inMessage({ ...textOf('A'), id: 7 }, { ...textOf('B'), id: 7 }),
    ['error conflict components.1.id: duplicate id (7)'],
  ],
  [
    'two ids of 0, which the service replaces',
    () => inMessage({ ...textOf('A'), id: 0 }, { ...textOf('B'), id: 0 }),
    [],
  ],
  [
    'a duplicate custom_id',
    () => inMessage(rowOf(buttonOf({ custom_id: 'a' }), buttonOf({ custom_id: 'a' }))),
    ['error conflict components.0.components.1.custom_id: duplicate custom_id ("a")'],
  ],
  [
    'a received-only component',
    () => inMessage(minimal[20]()),
    [
      'error conflict components.0: checkpoint card not allowed in message with IS_COMPONENTS_V2; allowed: action row, text display, section, media gallery, separator, file, container',
    ],
  ],
  [
    'a label in a message',
    () => lines(validateMessage(messageOf(labelOf(inputOf())))).slice(0, 1),
    [
      'error conflict components.0: label not allowed in message with IS_COMPONENTS_V2; allowed: action row, text display, section, media gallery, separator, file, container',
    ],
  ],
  [
    'a number as text',
    () => alone({ type: 10, content: 5 }),
    ['error invalid_type content: expected string, got 5 (5)'],
  ],
  ['null as text', () => alone({ type: 10, content: null }), ['error invalid_type content: expected string, got null']],
  [
    'an array as text',
    () => alone({ type: 10, content: [] }),
    ['error invalid_type content: expected string, got array'],
  ],
  [
    'an object as text',
    () => alone({ type: 10, content: {} }),
    ['error invalid_type content: expected string, got object'],
  ],
  [
    'a string as a component',
    () => inMessage('A'),
    ['error invalid_type components.0: expected component, got string ("A")'],
  ],
  ['a component without a type', () => alone({}), ['error required type: expected a component type, got undefined']],
  [
    'a string as a type',
    () => alone({ type: '2' }),
    ['error invalid_type type: expected a component type, got string ("2")'],
  ],
  ['null as a message', () => lines(validateMessage(null)), ['error invalid_type : expected message, got null']],
  ['an array as a modal', () => lines(validateModal([])), ['error invalid_type : expected modal, got array']],
  [
    'a component as a message',
    () => lines(validateMessage(textOf('A'))),
    ['error invalid_type : expected message, got text display'],
  ],
  [
    'content with IS_COMPONENTS_V2',
    () => lines(validateMessage({ flags: V2, content: 'A', components: [textOf('B')] })),
    ['error conflict content: not allowed with the flag IS_COMPONENTS_V2'],
  ],
  [
    'a text display in a legacy message',
    () => lines(validateMessage(legacyOf(textOf('A')))).slice(0, 1),
    ['error conflict components.0: text display not allowed in message without IS_COMPONENTS_V2; allowed: action row'],
  ],
])('the issues of %s have a severity, code, path and message', (_, validate, expected) => {
  expect(validate()).toEqual(expected)
})

test('a getter that throws is reported at the path of its component', () => {
  const unreadable = {
    type: 10,
    get content(): string {
      throw new Error('no')
    },
  }
  expect(inMessage(textOf('A'), unreadable)).toEqual(['error invalid_type components.1.content: cannot be read'])
})

test('a component that contains itself is reported as nested too deeply', () => {
  const cyclic = containerOf()
  Object.assign(cyclic, { components: [cyclic] })
  expect(alone(cyclic).filter((line) => line.includes('too_deep'))).toHaveLength(1)
})
