import { assertMessage, assertModal, isComponentError, validateMessage, validateModal } from 'rapport-sdk/components'
import { describe, expect, test } from 'vitest'
import { cyclic, nested, ODD_VALUES, withThrowing } from './hostile-values'
import { PLACES, type Place, withAt } from './places'
import { errorsOf, isRefusedAt } from './problems'
import { CHECKS } from './readers'
import {
  buttonOf,
  containerOf,
  labelOf,
  legacyOf,
  messageOf,
  modalOf,
  rowOf,
  selectOf,
  smallest,
  textOf,
  V2,
} from './wire'

describe.each(ODD_VALUES)('%s', (_, make) => {
  test.each(CHECKS)('is refused by %s, which does not throw', (name, check) => {
    const result = check(make())
    if (result.ok) {
      // An object without components is a message without components.
      expect([name, typeof result.value, Reflect.get(Object(result.value), 'components')]).toEqual([
        'validateMessage',
        'object',
        undefined,
      ])
    } else expect(result.issues.length).toBeGreaterThan(0)
  })

  test.each(Object.keys(PLACES) as Place[])('is refused where a component is due: %s', (place) => {
    expect(isRefusedAt(PLACES[place](make()))).toBe(true)
  })

  test('is refused or let through where a text, a list or a number is due, and nothing is thrown', () => {
    const fields = { label: make(), custom_id: make(), disabled: make(), emoji: make(), id: make(), style: make() }
    expect(validateMessage(legacyOf(rowOf({ type: 2, ...fields }))).ok).toBe(false)
    expect(validateModal(modalOf(labelOf(selectOf({ options: make(), min_values: make() })))).ok).toBe(false)
    expect(validateModal({ custom_id: make(), title: make(), components: make() }).ok).toBe(false)
    expect(validateMessage({ flags: make(), components: [textOf('a')] }).ok).toBe(false)
  })
})

describe('a field that throws when it is read', () => {
  test.each([
    ['content', textOf('a'), 'top of a message'],
    ['custom_id', buttonOf(), 'row of a message'],
    ['components', containerOf(textOf('a')), 'top of a message'],
    ['accessory', { type: 9, components: [textOf('a')] }, 'top of a message'],
    ['options', selectOf(), 'row of a message'],
  ] as const)('is a problem of its component: %s', (key, component, place) => {
    expect(isRefusedAt(PLACES[place](withThrowing(component, key)))).toBe(true)
  })

  test('does not hide what else is wrong', () => {
    const value = messageOf(withThrowing(textOf('a'), 'content'), textOf(''))
    expect(errorsOf({ as: 'message', value }).map(({ path }) => path.join('.'))).toContain('components.1.content')
  })
})

describe('what nests without end', () => {
  const levels: readonly (readonly [name: string, level: (inner: unknown) => unknown])[] = [
    ['containers', (inner) => containerOf(inner)],
    ['rows', (inner) => rowOf(inner)],
    ['labels', (inner) => labelOf(inner)],
    ['accessories', (accessory) => ({ type: 9, components: [textOf('a')], accessory })],
    ['lists', (inner) => [inner]],
    ['fields of unknown names', (tomorrow) => ({ type: 14, tomorrow })],
  ]

  test.each(levels)('10,000 %s are checked without an overflow', (name, level) => {
    const value = nested(10_000, level)
    for (const [, check] of CHECKS) expect(() => check(value)).not.toThrow()
    const result = validateMessage(messageOf(value))
    expect(result.ok).toBe(name === 'fields of unknown names')
  })

  test('a component that is in itself is refused', () => {
    expect(validateMessage(messageOf(cyclic()))).toMatchObject({ ok: false })
    const row = rowOf()
    row.components = [row]
    expect(validateMessage(legacyOf(row))).toMatchObject({ ok: false })
    const message = messageOf()
    message.components = [message]
    expect(validateMessage(message)).toMatchObject({ ok: false })
  })

  test('a cycle behind an unknown name is let through: what it is, is not known', () => {
    const value: Record<string, unknown> = { ...textOf('a') }
    value.tomorrow = value
    expect(validateMessage(messageOf(value))).toMatchObject({ ok: true })
  })
})

describe('lists', () => {
  test('with holes are told of at each hole', () => {
    const components: unknown[] = [textOf('a')]
    components[3] = textOf('b')
    const paths = errorsOf({ as: 'message', value: { flags: V2, components } }).map(({ path }) => path.join('.'))
    expect(paths).toEqual(['components.1', 'components.2'])
  })

  test('of a hundred thousand are told of their length', () => {
    const components = Array.from({ length: 100_000 }, () => textOf('a'))
    const issues = errorsOf({ as: 'message', value: { flags: V2, components } })
    expect(issues).toContainEqual(expect.objectContaining({ code: 'too_many', limit: 40, actual: 100_000 }))
    const options = Array.from({ length: 100_000 }, (_, index) => ({ label: 'a', value: `${index}` }))
    const found = errorsOf(PLACES['row of a message'](selectOf({ options })))
    expect(found).toContainEqual(expect.objectContaining({ code: 'too_many', limit: 25, actual: 100_000 }))
  })
})

describe('a text of a million characters', () => {
  const long = 'x'.repeat(1_000_000)

  test('is told of by its length and is in no message', () => {
    const value = legacyOf(rowOf(buttonOf({ label: long, custom_id: long, disabled: long, style: long, id: long })))
    const issues = errorsOf({ as: 'message', value })
    expect(issues).toContainEqual(expect.objectContaining({ code: 'too_long', limit: 80, actual: 1_000_000 }))
    for (const { message } of issues) expect(message.length).toBeLessThan(500)
    expect(() => assertMessage(value)).toThrow(
      expect.objectContaining({ message: expect.not.stringContaining('xxxxx') }),
    )
  })

  test('as a key is let through, or told of in short', () => {
    const result = validateMessage(messageOf({ ...textOf('a'), [long]: 1 }))
    expect(result).toMatchObject({ ok: true })
  })
})

describe('keys that objects inherit', () => {
  const polluting = '"__proto__":{"polluted":true,"disabled":5},"constructor":{"prototype":{"polluted":true}}'

  test('pollute nothing and count as unknown', () => {
    const button = `{"type":2,"style":1,"custom_id":"a",${polluting}}`
    const value: unknown = JSON.parse(`{"components":[{"type":1,"components":[${button}],${polluting}}],${polluting}}`)
    expect(() => validateMessage(value)).not.toThrow()
    expect(Reflect.get({}, 'polluted')).toBeUndefined()
  })

  test('are no fields that were given', () => {
    const inherited = Object.create({ custom_id: 'a' })
    const value = legacyOf(rowOf(Object.assign(inherited, { type: 2, style: 1 })))
    expect(errorsOf({ as: 'message', value }).map(({ code }) => code)).toEqual(['required'])
  })
})

test('an assertion throws a ComponentError and nothing else, whatever it is given', () => {
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

test('a value that is another each time it is read does no harm', () => {
  let reads = 0
  const component = new Proxy(textOf('a'), {
    get: (target, key) => (key === 'type' ? ++reads : Reflect.get(target, key)),
  })
  expect(() => validateMessage(messageOf(component, withAt(smallest[9](), ['accessory'], component)))).not.toThrow()
})
