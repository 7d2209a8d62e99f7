import { expect, test } from 'vitest'
import { shareDeclarations } from '../../scripts/api-reports'

const report = (entry: string, ...paragraphs: string[]) => ({
  entry,
  text: `## API Report File\n\n\`\`\`ts\n\n${paragraphs.join('\n\n')}\n\n// (No @packageDocumentation comment)\n\n\`\`\`\n`,
})

const shared = (...reports: ReturnType<typeof report>[]) =>
  shareDeclarations(reports).map(({ text }) => (/```ts\n(.*)\n```/s.exec(text)?.[1] ?? '').split('\n\n'))

const user = '// @public\ninterface User {\n    id: string;\n}'
const exportedUser = user.replace('interface', 'export interface')

test('a symbol that two entries export is declared by the first one and exported again by the other', () => {
  expect(shared(report('sdk', exportedUser), report('sdk/core', exportedUser))).toEqual([
    [exportedUser],
    ["export { User } from 'sdk'"],
  ])
})

test('a symbol is declared by an entry that exports it rather than by an earlier one that mentions it', () => {
  expect(shared(report('sdk', user), report('sdk/core', exportedUser))).toEqual([[''], [exportedUser]])
})

test('a symbol that no entry exports is declared by the first one that mentions it', () => {
  expect(shared(report('sdk', user), report('sdk/core', user))).toEqual([[user], ['']])
})

test('symbols of one name with different declarations both stay', () => {
  const other = exportedUser.replace('string', 'number')
  expect(shared(report('sdk', exportedUser), report('sdk/core', other))).toEqual([[exportedUser], [other]])
})

test('an alias of a numbered symbol counts as an export of its type', () => {
  const numbered = user.replace('User', 'User_2')
  const list = '// @public\nexport function list(): User_2[];'
  expect(
    shared(report('sdk', exportedUser), report('sdk/core', '// @public\nexport type User = User_2;', numbered, list)),
  ).toEqual([[exportedUser], ['// @public\nexport function list(): User[];', "export { type User } from 'sdk'"]])
})

test('imports stay only where a declaration uses them', () => {
  const imports = "import { Readable } from 'node:stream';\nimport * as z from 'zod';"
  const schema = '// @public\nexport const UserSchema: z.ZodType<User>;'
  expect(shared(report('sdk', imports, schema), report('sdk/core', imports, schema))).toEqual([
    ["import * as z from 'zod';", schema],
    ["export { UserSchema } from 'sdk'"],
  ])
})

test('a symbol that is exported under a second name stays as it is', () => {
  const renamed = '// @public\nconst row: Factory;\nexport { row as actionRow }\nexport { row }'
  expect(shared(report('sdk', renamed))).toEqual([[renamed]])
})
