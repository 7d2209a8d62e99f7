import { assertMessage, assertModal, isComponentError, validateMessage, validateModal } from 'rapport-sdk/components'
import { describe, expect, test } from 'vitest'
import { cyclic, errorsOf, isRejectedAt, nested, ODD_VALUES, VALIDATORS, withThrowing } from './hostile-values'
import {
  buttonOf,
  containerOf,
  copyWith,
  labelOf,
  legacyOf,
  messageOf,
  minimal,
  modalOf,
  PLACES,
  type Place,
  rowOf,
  selectOf,
  textOf,
  V2,
} from './json-components'

describe.each(ODD_VALUES)('%s', (_, make) => {
  test.each(VALIDATORS)('it is rejected by %s without throwing', (name, validate) => {
    const result = validate(make())
    if (result.ok) {
      // An object without components is a valid message.
      expect([name, typeof result.value, Reflect.get(Object(result.value), 'components')]).toEqual([
        'validateMessage',
        'object',
        undefined,
      ])
    } else expect(result.issues.length).toBeGreaterThan(0)
  })

  test.each(Object.keys(PLACES) as Place[])('it is rejected as a component in: %s', (place) => {
    expect(isRejectedAt(PLACES[place](make()))).toBe(true)
  })

  test('it is rejected as the value of fields without throwing', () => {
    const fields = { label: make(), custom_id: make(), disabled: make(), emoji: make(), id: make(), style: make() }
    expect(validateMessage(legacyOf(rowOf({ type: 2, ...fields }))).ok).toBe(false)
    expect(validateModal(modalOf(labelOf(selectOf({ options: make(), min_values: make() })))).ok).toBe(false)
    expect(validateModal({ custom_id: make(), title: make(), components: make() }).ok).toBe(false)
    expect(validateMessage({ flags: make(), components: [textOf('a')] }).ok).toBe(false)
  })
})

test.each([
  ['content', textOf('a'), 'top level of a message'],
  ['custom_id', buttonOf(), 'row of a message'],
  ['components', containerOf(textOf('a')), 'top level of a message'],
  ['accessory', { type: 9, components: [textOf('a')] }, 'top level of a message'],
  ['options', selectOf(), 'row of a message'],
] as const)('a getter of %s that throws is an error of its component', (key, component, place) => {
  expect(isRejectedAt(PLACES[place](withThrowing(component, key)))).toBe(true)
})

test('a getter that throws does not hide other errors', () => {
  const value = messageOf(withThrowing(textOf('a'), 'content'), textOf(''))
  expect(errorsOf({ as: 'message', value }).map(({ path }) => path.join('.'))).toContain('components.1.content')
})

describe('deep nesting', () => {
  const levels: readonly (readonly [name: string, level: (inner: unknown) => unknown])[] = [
    ['containers', (inner) => containerOf(inner)],
    ['rows', (inner) => rowOf(inner)],
    ['labels', (inner) => labelOf(inner)],
    ['accessories', (accessory) => ({ type: 9, components: [textOf('a')], accessory })],
    ['arrays', (inner) => [inner]],
    ['unknown fields', (tomorrow) => ({ type: 14, tomorrow })],
  ]

  test.each(levels)('10,000 nested %s are validated without a stack overflow', (name, level) => {
    const value = nested(10_000, level)
    for (const [, validate] of VALIDATORS) expect(() => validate(value)).not.toThrow()
    const result = validateMessage(messageOf(value))
    expect(result.ok).toBe(name === 'unknown fields')
  })

  test('a component that contains itself is rejected', () => {
    expect(validateMessage(messageOf(cyclic()))).toMatchObject({ ok: false })
    const row = rowOf()
    row.components = [row]
    expect(validateMessage(legacyOf(row))).toMatchObject({ ok: false })
    const message = messageOf()
    message.components = [message]
    expect(validateMessage(message)).toMatchObject({ ok: false })
  })

  test('a cycle in an unknown field is accepted', () => {
    const value: Record<string, unknown> = { ...textOf('a') }
    value.tomorrow = value
    expect(validateMessage(messageOf(value))).toMatchObject({ ok: true })
  })
})

test('each hole of a sparse array is reported', () => {
  const components: unknown[] = [textOf('a')]
  components[3] = textOf('b')
  const paths = errorsOf({ as: 'message', value: { flags: V2, components } }).map(({ path }) => path.join('.'))
  expect(paths).toEqual(['components.1', 'components.2'])
})

test('an array of 100,000 items is reported with its length', () => {
  const components = Array.from({ length: 100_000 }, () => textOf('a'))
  const issues = errorsOf({ as: 'message', value: { flags: V2, components } })
  expect(issues).toContainEqual(expect.objectContaining({ code: 'too_many', limit: 40, actual: 100_000 }))
  const options = Array.from({ length: 100_000 }, (_, index) => ({ label: 'a', value: `${index}` }))
  const found = errorsOf(PLACES['row of a message'](selectOf({ options })))
  expect(found).toContainEqual(expect.objectContaining({ code: 'too_many', limit: 25, actual: 100_000 }))
})

describe('a string of a million characters', () => {
  const long = 'x'.repeat(1_000_000)

  test('it is reported with its length and is in no message', () => {
    const value = legacyOf(rowOf(buttonOf({ label: long, custom_id: long, disabled: long, style: long, id: long })))
    const issues = errorsOf({ as: 'message', value })
    expect(issues).toContainEqual(expect.objectContaining({ code: 'too_long', limit: 80, actual: 1_000_000 }))
    for (const { message } of issues) expect(message.length).toBeLessThan(500)
    expect(() => assertMessage(value)).toThrow(
      expect.objectContaining({ message: expect.not.stringContaining('xxxxx') }),
    )
  })

  test('a key of a million characters is accepted', () => {
    const result = validateMessage(messageOf({ ...textOf('a'), [long]: 1 }))
    expect(result).toMatchObject({ ok: true })
  })
})

describe('inherited properties', () => {
  const polluting = '"__proto__":{"polluted":true,"disabled":5},"constructor":{"prototype":{"polluted":true}}'

  test('the keys __proto__ and constructor pollute no prototype', () => {
    const button = `{"type":2,"style":1,"custom_id":"a",${polluting}}`
    const value: unknown = JSON.parse(`{"components":[{"type":1,"components":[${button}],${polluting}}],${polluting}}`)
    expect(() => validateMessage(value)).not.toThrow()
    expect(Reflect.get({}, 'polluted')).toBeUndefined()
  })

  test('do not count as fields', () => {
    const inherited = Object.create({ custom_id: 'a' })
    const value = legacyOf(rowOf(Object.assign(inherited, { type: 2, style: 1 })))
    expect(errorsOf({ as: 'message', value }).map(({ code }) => code)).toEqual(['required'])
  })
})

test('assertModal throws only ComponentErrors', () => {
  for (const [name, make] of ODD_VALUES) {
    let thrown: unknown
    try {
      assertModal(make())
    } catch (error) {
      thrown = error
    }
    expect(isComponentError(thrown), name).toBe(true)
  }
})

test('a property that changes on each read does not make a validation throw', () => {
  let reads = 0
  const component = new Proxy(textOf('a'), {
    get: (target, key) => (key === 'type' ? ++reads : Reflect.get(target, key)),
  })
  expect(() => validateMessage(messageOf(component, copyWith(minimal[9](), ['accessory'], component)))).not.toThrow()
})
