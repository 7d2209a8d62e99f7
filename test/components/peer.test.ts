import { validateComponent, validateModal } from 'rapport-sdk/components'
import { describe, expect, test } from 'vitest'
import { PEER_CONTROLS } from './peer-controls'
import { PEER_LAYOUTS } from './peer-layouts'

const trees = [...PEER_CONTROLS, ...PEER_LAYOUTS]
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

test('at least thirty trees are compared', () => {
  expect(trees.length).toBeGreaterThanOrEqual(30)
})

describe('the JSON of @discordjs/builders and ours are the same:', () => {
  test.each(trees)('%s', (_, ours, theirs) => {
    expect(plain(ours)).toEqual(plain(theirs.toJSON()))
  })
})

describe('what @discordjs/builders makes of it passes our checks:', () => {
  test.each(trees)('%s', (_, __, theirs) => {
    const json = plain(theirs.toJSON())
    const result = 'title' in Object(json) ? validateModal(json) : validateComponent(json)
    expect(result).toMatchObject({ ok: true })
  })
})
