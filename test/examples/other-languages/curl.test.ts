import { test } from 'vitest'
import { expectToFail, expectToSucceed } from './program'

const command = 'bash'
const file = 'examples/other-languages/quickstart.sh'

test('the program in bash with curl signs in, steps up, registers, adds a friend and receives events', {
  timeout: 60_000,
}, async () => {
  await expectToSucceed('curl-quickstart', command, file)
})

test('the program in bash with curl fails with the status of an unexpected response', { timeout: 60_000 }, async () => {
  await expectToFail(command, file)
})
