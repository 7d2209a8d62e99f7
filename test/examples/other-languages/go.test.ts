import { expect, test } from 'vitest'
import { expectToFail, expectToSucceed, run } from './program'

const command = ['go', 'run']
const file = 'examples/other-languages/quickstart.go'

test('the program in Go signs in, steps up, registers, adds a friend and receives events', async () => {
  await expectToSucceed('go-quickstart', command, file)
})

test('the program in Go fails with the status of an unexpected response', async () => {
  await expectToFail(command, file)
})

test('the recipe for containers in Go is valid and formatted', async () => {
  const checked = await run(['gofmt', '-e', '-d'], ['examples/containers/rapport_mock.go', file])
  expect(checked).toEqual({ code: 0, stdout: '', stderr: '' })
})
