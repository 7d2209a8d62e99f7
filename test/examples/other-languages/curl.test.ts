import { test } from 'vitest'
import { expectToFail, expectToSucceed } from './program'

const command = ['bash']
const file = 'examples/other-languages/quickstart.sh'

test('the program in bash with curl signs in, steps up, registers, adds a friend and receives events', async () => {
  await expectToSucceed('curl-quickstart', command, file)
})

test('the program in bash with curl fails with the status of an unexpected response', async () => {
  await expectToFail(command, file)
})
