import { validateComponent, validateModal } from 'rapport-sdk/components'
import { describe, expect, test } from 'vitest'
import { DISCORDJS_CONTROLS } from './discordjs-controls'
import { DISCORDJS_LAYOUTS } from './discordjs-layouts'

const trees = [...DISCORDJS_CONTROLS, ...DISCORDJS_LAYOUTS]
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

test('at least thirty trees are compared with @discordjs/builders', () => {
  expect(trees.length).toBeGreaterThanOrEqual(30)
})

test.each(trees)('our JSON equals that of @discordjs/builders for %s', (_, ours, theirs) => {
  expect(plain(ours)).toEqual(plain(theirs.toJSON()))
})

describe('validation of JSON of @discordjs/builders', () => {
  test.each(trees)('the JSON of @discordjs/builders is valid for %s', (_, __, theirs) => {
    const json = plain(theirs.toJSON())
    const result = 'title' in Object(json) ? validateModal(json) : validateComponent(json)
    expect(result).toMatchObject({ ok: true })
  })
})
