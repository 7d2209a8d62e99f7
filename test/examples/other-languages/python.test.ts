import { test } from 'vitest'
import { expectToFail, expectToSucceed } from './program'

const command = [process.env.PYTHON ?? '']
const file = 'examples/other-languages/quickstart.py'

test('the program in Python signs in, steps up, registers, adds a friend and receives events', async () => {
  await expectToSucceed('python-quickstart', command, file)
})

test('the program in Python fails with the status of an unexpected response', async () => {
  await expectToFail(command, file)
})
