import { test } from 'vitest'
import { expectToFail, expectToSucceed } from './program'

const command = ['java']
const file = 'examples/other-languages/Quickstart.java'

test('the program in Java signs in, steps up, registers, adds a friend and receives events', async () => {
  await expectToSucceed('java-quickstart', command, file)
})

test('the program in Java fails with the status of an unexpected response', async () => {
  await expectToFail(command, file)
})
