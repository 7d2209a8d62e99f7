import { expect, test } from 'vitest'
import { removeDocComments } from '../../scripts/package/doc-comments'

test('removeDocComments removes the documentation of members of classes and objects', () => {
  const source =
    'class A {\n/** One. */\none = 1\n/**\n * Two.\n */\ntwo() {}\n}\nconst b = {\n/** Three. */\nthree: 3 }'
  expect(removeDocComments(source)).toBe('class A {\n\none = 1\n\ntwo() {}\n}\nconst b = {\n\nthree: 3 }')
})

test('removeDocComments keeps marks for bundlers, texts and other comments', () => {
  const source = [
    '// @__NO_SIDE_EFFECTS__',
    'export const a = { b: /*@__PURE__*/ c(), d: "/** text */", e: `/** $' + '{/* why */ f} */` }',
    'class A {',
    '  // Why.',
    '  g = /[/**]/',
    '}',
  ].join('\n')
  expect(removeDocComments(source)).toBe(source)
})
