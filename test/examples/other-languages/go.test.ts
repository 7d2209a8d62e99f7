import { test } from 'vitest'
import { expectToFail, expectToSucceed } from './program'

const command = ['go', 'run']
const file = 'examples/other-languages/quickstart.go'

test('the program in Go signs in, steps up, registers, adds a friend and receives events', async () => {
  await expectToSucceed('go-quickstart', command, file)
})

test('the program in Go fails with the status of an unexpected response', async () => {
  await expectToFail(command, file)
})
