import fc from 'fast-check'
import { messageLegacy, messageV2, modal, validateMessage, validateModal } from 'rapport-sdk/components'
import { expect, test } from 'vitest'
import { legacyPart, messagePart } from './components-messages'
import { modalPart } from './components-modals'
import { textOf } from './components-texts'
import { runs } from './runs'

const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

/** How many components and characters of text there are, counted without the code that is tried. */
function totals(value: unknown): { components: number; characters: number } {
  const sum = { components: 0, characters: 0 }
  const look = (part: unknown): void => {
    if (Array.isArray(part)) {
      for (const item of part) look(item)
      return
    }
    const { type, content, components, accessory, component } = Object(part)
    sum.components += 1
    if (type === 10) sum.characters += [...String(content)].length
    for (const inner of [components, accessory, component]) if (inner !== undefined) look(inner)
  }
  look(value)
  return sum
}

/** As many of the first as a message holds. */
function fitting<T>(parts: readonly T[]): T[] {
  return parts.filter((_, index) => {
    const { components, characters } = totals(parts.slice(0, index + 1))
    return components <= 40 && characters <= 4000
  })
}

test('a v2 message of what the factories make of arguments within the limits is right', () => {
  fc.assert(
    fc.property(fc.array(messagePart, { maxLength: 12 }), fc.boolean(), (parts, asList) => {
      const list = fitting(parts)
      const message = asList ? messageV2(list) : messageV2(...list)
      expect(validateMessage(message)).toMatchObject({ ok: true })
      expect(validateMessage(plain(message))).toMatchObject({ ok: true })
      expect(plain(message)).toEqual({ flags: 32768, components: plain(list) })
    }),
    runs(5),
  )
})

test('so is a legacy message of rows, however many', () => {
  fc.assert(
    fc.property(fc.array(legacyPart, { maxLength: 20 }), fc.string(), (rows, content) => {
      const message = messageLegacy({ content }, ...rows)
      expect(validateMessage(message)).toMatchObject({ ok: true })
      expect(plain(message)).toEqual({ content, components: plain(rows) })
    }),
    runs(3),
  )
})

test('so is a modal', () => {
  fc.assert(
    fc.property(textOf(1, 100), textOf(1, 45), fc.array(modalPart, { maxLength: 8 }), (customId, title, parts) => {
      const made = modal(customId, title, parts)
      expect(validateModal(made)).toMatchObject({ ok: true })
      expect(plain(made)).toEqual({ custom_id: customId, title, components: plain(parts) })
    }),
    runs(5),
  )
})

test('what one is told about a message does not depend on how it was made', () => {
  const wrongs = fc.constantFrom({ type: 2 }, { type: 10, content: '' }, 5, { type: 14, id: 'x' }, { type: 99 }, null)
  fc.assert(
    fc.property(fc.array(fc.oneof(messagePart, wrongs), { maxLength: 12 }), (components) => {
      const message = { flags: 32768, components }
      const [made, literal] = [validateMessage(message), validateMessage(plain(message))]
      expect(literal.ok).toBe(made.ok)
      if (!made.ok && !literal.ok) expect(literal.issues).toEqual(made.issues)
    }),
    runs(3),
  )
})
