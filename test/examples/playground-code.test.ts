import fc from 'fast-check'
import * as components from 'rapport-sdk/components'
import { expect, test } from 'vitest'
import { componentCode } from '../../examples/playground/code/component-code'
import { moduleOf } from '../../examples/playground/code/source'
import { SAMPLES } from '../../examples/playground/pages/samples'
import { announcement, gallery, poll, settings } from '../browser/preview-content'
import { compilerErrors } from '../compiler-errors'
import { anyJson, runs } from '../fuzz/arbitraries'
import { legacyPart, messagePart, modalPart } from '../fuzz/components'
import { anyTrees } from '../fuzz/components-received'

const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

/** Runs code that the playground shows, and returns the JSON of the value that it exports. */
function run(code: string): unknown {
  const [, names = ''] = /^import \{([^}]*)\} from 'rapport-sdk\/components'$/m.exec(code) ?? []
  const used = names.split(',').flatMap((name) => name.trim() || [])
  const [, expression] = /^export const \w+ = ([\s\S]*)$/m.exec(code) ?? []
  const create = new Function(...used, `return ${expression}`)
  return plain(create(...used.map((name) => Reflect.get(components, name))))
}

const valid = {
  ...Object.fromEntries(SAMPLES.map(({ name, value }) => [name, value])),
  announcement,
  gallery,
  poll,
  settings,
}

test('the code of the examples compiles, uses only factories and returns the same JSON', () => {
  const codes = Object.fromEntries(Object.entries(valid).map(([name, value]) => [name, componentCode(plain(value))]))
  for (const [name, code] of Object.entries(codes)) {
    expect(run(code)).toEqual(plain(valid[name as keyof typeof valid]))
    expect(code, name).not.toContain('type:')
  }
  expect(compilerErrors(codes)).toEqual([])
})

test('the code of any message, modal or other JSON returns the same JSON', () => {
  const message = fc.array(messagePart, { maxLength: 6 }).map((parts) => components.messageV2(...parts))
  const legacy = fc
    .array(legacyPart, { maxLength: 5 })
    .map((rows) => components.messageLegacy({ content: 'x' }, ...rows))
  const modal = fc.array(modalPart, { maxLength: 5 }).map((parts) => components.modal('id', 'Title', ...parts))
  fc.assert(
    fc.property(fc.oneof(message, legacy, modal, anyTrees, anyJson), (value) => {
      const json = plain(value)
      expect(run(componentCode(json))).toEqual(json)
    }),
    runs(2),
  )
})

test('characters that reorder or break lines are escaped in the code, and its value has them', () => {
  const controls = '\u061c\u200e\u200f\u2028\u2029\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069'
  const code = componentCode({ [`key${controls}`]: `if (isAdmin) ${controls}` })
  expect(code).not.toMatch(/[\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/)
  expect(code).toContain('\\u061c\\u200e\\u200f\\u2028\\u2029\\u202a')
  expect(run(code)).toEqual({ [`key${controls}`]: `if (isAdmin) ${controls}` })
  expect(moduleOf('export function f(\n  note: string,\n) {\n  call(note)\n}\n', 'f', { note: '\u202e' })).toContain(
    "'\\u202e'",
  )
})

test('a v2 message of factories is shown with factories only', () => {
  fc.assert(
    fc.property(fc.array(messagePart, { maxLength: 6 }), (parts) => {
      expect(componentCode(plain(components.messageV2(...parts)))).not.toMatch(/^\s*\{ ?type: /m)
    }),
    runs(),
  )
})

test('the code of an action has the imports that it uses, the values of the form, and no final return', () => {
  const source = `import type { Client } from 'rapport-sdk'
import { mfaDialog, type MfaDialogOptions } from 'rapport-sdk/dialog'
import { helper } from './helper'

export async function end(
  client: Client,
  hashes: string[],
  note: string,
) {
  const dialog = mfaDialog()
  await client.auth.sessions.logout({ session_id_hashes: hashes })
  return dialog
}

export async function list(client: Client) {
  return client.auth.sessions.list()
}
`
  expect(
    moduleOf(source, 'end', { hashes: ['it’s'], note: "it's" }),
  ).toBe(`import { mfaDialog } from 'rapport-sdk/dialog'

const hashes: string[] = ['it’s']
const note = 'it\\'s'
const dialog = mfaDialog()
await client.auth.sessions.logout({ session_id_hashes: hashes })
`)
  expect(moduleOf(source, 'list')).toBe('client.auth.sessions.list()\n')
})
