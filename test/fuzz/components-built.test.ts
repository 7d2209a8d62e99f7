import fc from 'fast-check'
import { messageLegacy, messageV2, modal, validateMessage, validateModal } from 'rapport-sdk/components'
import { expect, test } from 'vitest'
import { runs } from './arbitraries'
import { legacyPart, messagePart, modalPart, textOf } from './components'

const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

/** Counts components and characters of text, independently of the tested code. */
function totals(value: unknown): { components: number; characters: number } {
  const sum = { components: 0, characters: 0 }
  const visit = (part: unknown): void => {
    if (Array.isArray(part)) {
      for (const item of part) visit(item)
      return
    }
    const { type, content, components, accessory, component } = Object(part)
    sum.components += 1
    if (type === 10) sum.characters += [...String(content)].length
    for (const inner of [components, accessory, component]) if (inner !== undefined) visit(inner)
  }
  visit(value)
  return sum
}

/** Returns the first parts that are within the limits of a message. */
function takeWithinLimits<T>(parts: readonly T[]): T[] {
  return parts.filter((_, index) => {
    const { components, characters } = totals(parts.slice(0, index + 1))
    return components <= 40 && characters <= 4000
  })
}

test('a v2 message of factories is valid if their arguments are within the limits', () => {
  fc.assert(
    fc.property(fc.array(messagePart, { maxLength: 12 }), fc.boolean(), (parts, asArray) => {
      const list = takeWithinLimits(parts)
      const message = asArray ? messageV2(list) : messageV2(...list)
      expect(validateMessage(message)).toMatchObject({ ok: true })
      expect(validateMessage(plain(message))).toMatchObject({ ok: true })
      expect(plain(message)).toEqual({ flags: 32768, components: plain(list) })
    }),
    runs(5),
  )
})

test('a legacy message of factories is valid with any number of rows', () => {
  fc.assert(
    fc.property(fc.array(legacyPart, { maxLength: 20 }), fc.string(), (rows, content) => {
      const message = messageLegacy({ content }, ...rows)
      expect(validateMessage(message)).toMatchObject({ ok: true })
      expect(plain(message)).toEqual({ content, components: plain(rows) })
    }),
    runs(3),
  )
})

test('a modal of factories is valid if their arguments are within the limits', () => {
  fc.assert(
    fc.property(textOf(1, 100), textOf(1, 45), fc.array(modalPart, { maxLength: 8 }), (customId, title, parts) => {
      const created = modal(customId, title, parts)
      expect(validateModal(created)).toMatchObject({ ok: true })
      expect(plain(created)).toEqual({ custom_id: customId, title, components: plain(parts) })
    }),
    runs(5),
  )
})

test('the issues of a message are the same for factories and literals', () => {
  const invalid = fc.constantFrom({ type: 2 }, { type: 10, content: '' }, 5, { type: 14, id: 'x' }, { type: 99 }, null)
  fc.assert(
    fc.property(fc.array(fc.oneof(messagePart, invalid), { maxLength: 12 }), (components) => {
      const message = { flags: 32768, components }
      const [built, literal] = [validateMessage(message), validateMessage(plain(message))]
      expect(literal.ok).toBe(built.ok)
      if (!built.ok && !literal.ok) expect(literal.issues).toEqual(built.issues)
    }),
    runs(3),
  )
})
