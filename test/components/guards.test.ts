import * as components from 'rapport-sdk/components'
import { describe, expect, test } from 'vitest'
import { minimal, TYPE_VALUES, type TypeValue } from './json-components'

// API, "Component Type".
const GUARDS: Readonly<Record<string, readonly TypeValue[]>> = {
  isRow: [1],
  isButton: [2],
  isStringSelect: [3],
  isTextInput: [4],
  isUserSelect: [5],
  isRoleSelect: [6],
  isMentionableSelect: [7],
  isChannelSelect: [8],
  isSection: [9],
  isText: [10],
  isThumbnail: [11],
  isMediaGallery: [12],
  isFile: [13],
  isSeparator: [14],
  isContentInventoryEntry: [16],
  isContainer: [17],
  isLabel: [18],
  isFileUpload: [19],
  isCheckpointCard: [20],
  isRadioGroup: [21],
  isCheckboxGroup: [22],
  isCheckbox: [23],
  isSelect: [3, 5, 6, 7, 8],
  isInteractive: [2, 3, 4, 5, 6, 7, 8, 19, 21, 22, 23],
  isLayout: [1, 9, 14, 17, 18],
  isContent: [10, 11, 12, 13, 16, 20],
}

const exported: Readonly<Record<string, unknown>> = { ...components }

describe.each(Object.entries(GUARDS))('%s', (name, types) => {
  const guard = exported[name]
  const callGuard = (component: object): unknown => (typeof guard === 'function' ? guard(component) : undefined)

  test(`${name} returns true only for its types`, () => {
    for (const type of TYPE_VALUES) expect(callGuard(minimal[type]()), `type ${type}`).toBe(types.includes(type))
    expect(callGuard({ type: 99 })).toBe(false)
  })
})

test('a guard returns false if reading the type throws', () => {
  const unreadable = {
    get type(): number {
      throw new Error('no')
    },
  }
  expect(components.isButton(unreadable)).toBe(false)
})

test('every type has a guard', () => {
  expect(new Set(Object.values(GUARDS).flat())).toEqual(new Set(TYPE_VALUES))
  expect(
    Object.keys(exported)
      .filter((name) => /^is[A-Z]/.test(name) && name !== 'isComponentError')
      .toSorted(),
  ).toEqual(Object.keys(GUARDS).toSorted())
})
