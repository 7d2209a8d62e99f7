import { inspect } from 'node:util'
import { button, container, messageV2, row, separator, stringSelect, text } from 'rapport-sdk/components'
import { expect, test } from 'vitest'
import { cpuNow } from '../cpu-time'

/** Gives a container its components one by one. */
function append(count: number): void {
  let made = container(separator())
  for (let index = 1; index < count; index += 1) made = made.addComponents(separator())
  expect(made.components).toHaveLength(count)
}

test('addComponents looks only at what it adds, not at every component again', { timeout: 30_000 }, async () => {
  append(500)
  const startedAt = cpuNow()
  append(8000)
  // To look at each again, as a copy does, takes 10 s and more.
  expect(cpuNow() - startedAt).toBeLessThan(2500)
})

test('what is added to many options is copied, and what was there is shared', () => {
  const given = { label: 'A', value: 'a' }
  const many = stringSelect(
    's',
    Array.from({ length: 200 }, () => ({ ...given })),
  )
  const more = many.addOptions(given)
  expect(more.options.at(-1)).toEqual(given)
  expect(more.options.at(-1)).not.toBe(given)
  expect(more.options[0]).toBe(many.options[0])
  expect(Object.isFrozen(more.options)).toBe(true)
})

test('what is made prints as the plain object that it is', () => {
  expect(inspect(button.primary('a', 'A'))).toBe("{ type: 2, style: 1, custom_id: 'a', label: 'A' }")
  expect(inspect(messageV2(row(text('A') as never)), { depth: 5 })).not.toContain('Owned')
})
