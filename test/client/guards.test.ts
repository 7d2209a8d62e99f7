import * as sdk from 'rapport-sdk'
import * as components from 'rapport-sdk/components'
import { expect, test } from 'vitest'

const fail = () => {
  throw new Error('a trap')
}
const traps = new Proxy({}, { get: () => fail })
const revoked = Proxy.revocable({}, {})
revoked.revoke()
const deep: Record<string, unknown> = {}
deep.components = deep.fields = deep

const VALUES: Readonly<Record<string, unknown>> = {
  'a proxy whose traps throw': new Proxy({}, traps),
  'a proxy of an error whose traps throw': new Proxy(new Error('an error'), traps),
  'a revoked proxy': revoked.proxy,
  'an object whose getters throw': Object.defineProperties(
    {},
    Object.fromEntries(['type', 'surface', 'name'].map((name) => [name, { get: fail, enumerable: true }])),
  ),
  'an object that contains itself': deep,
  'a layout with a proxy whose traps throw': {
    surface: 'widget_top',
    key: 'k',
    display_name: 'n',
    components: { a: new Proxy({}, traps) },
  },
  undefined,
  null: null,
  'a function': fail,
}

const guards = Object.entries({ ...sdk, ...components }).filter(
  ([name, value]) => /^is[A-Z]/.test(name) && typeof value === 'function',
)

test('every exported guard returns false for what it cannot read', () => {
  expect(guards.length).toBeGreaterThan(40)
  for (const [name, guard] of guards)
    for (const [title, value] of Object.entries(VALUES))
      expect(Reflect.apply(Object(guard), undefined, [value]), `${name}: ${title}`).toBe(false)
})
