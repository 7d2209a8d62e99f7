import { expect, test } from 'vitest'
import { expectToFail, expectToSucceed, run } from './program'

const command = [process.env.PYTHON ?? '']
const file = 'examples/other-languages/quickstart.py'

test('the program in Python signs in, steps up, registers, adds a friend and receives events', async () => {
  await expectToSucceed('python-quickstart', command, file)
})

test('the program in Python fails with the status of an unexpected response', async () => {
  await expectToFail(command, file)
})

test('the recipe for containers in Python is valid', async () => {
  const parse = 'import ast, sys; ast.parse(open(sys.argv[1], encoding="utf-8").read())'
  const checked = await run([...command, '-c', parse], ['examples/containers/rapport_mock.py'])
  expect(checked).toEqual({ code: 0, stdout: '', stderr: '' })
})
