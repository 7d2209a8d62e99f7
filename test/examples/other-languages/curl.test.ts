import { expect, test } from 'vitest'
import { mockCommand, urlOf } from '../../mocks/command'
import { expectToFail, expectToSucceed, run } from './program'

const { startMockWith } = mockCommand()

const command = ['bash']
const file = 'examples/other-languages/quickstart.sh'

test('the program in bash with curl signs in, steps up, registers, adds a friend and receives events', async () => {
  await expectToSucceed('curl-quickstart', command, file)
})

test('the program in bash with curl fails with the status of an unexpected response', async () => {
  await expectToFail(command, file)
})

test('a script in bash does with curl what tests need of the command, whose options are in the environment', async () => {
  const env = {
    RAPPORT_MOCK_PORT: '0',
    RAPPORT_MOCK_SCENARIO: 'empty',
    RAPPORT_MOCK_CONTROL_TOKEN: 's3cret',
    RAPPORT_MOCK_CONTROL_ORIGIN: 'http://localhost:5173',
    RAPPORT_MOCK_MAX_NAMESPACES: '2',
  }
  const url = await urlOf(startMockWith(env).output)
  const ended = await run(command, ['test/examples/other-languages/harness.sh', url, 's3cret'])
  expect(ended).toEqual({ code: 0, stdout: 'done\n', stderr: '' })
})
