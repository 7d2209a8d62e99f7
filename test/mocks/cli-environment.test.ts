import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { temporaryFolder } from '../temporary-files'
import { mockCommand, urlOf } from './command'

const { startMock, startMockWith } = mockCommand()

function fileWith(text: string): string {
  const folder = temporaryFolder()
  const file = join(folder, 'file')
  writeFileSync(file, text)
  return file
}

const statusOf = async (url: string, token?: string) =>
  (await fetch(`${url}/_mock/users`, { headers: token === undefined ? {} : { authorization: `Bearer ${token}` } }))
    .status

it('options are environment variables, and arguments win over them', async () => {
  const env = {
    RAPPORT_MOCK_PORT: '1',
    RAPPORT_MOCK_SCENARIO: 'empty',
    RAPPORT_MOCK_LOG: 'json',
    RAPPORT_MOCK_NOW: '2030-01-01T00:00:00Z',
    RAPPORT_MOCK_TLS: 'true',
    RAPPORT_MOCK_CORS: 'https://app.example',
    RAPPORT_MOCK_CONTROL_ORIGIN: 'http://localhost:5173',
    RAPPORT_MOCK_MAX_NAMESPACES: '2',
  }
  const { output } = startMockWith(env, '--port', '0', '--no-tls')
  const url = await urlOf(output)
  expect(url).toMatch(/^http:/)
  expect(JSON.parse(output.stdout.split('\n')[0] ?? '')).toMatchObject({ type: 'listening', accounts: [] })
  const clock = await fetch(`${url}/_mock/clock`, { headers: { origin: 'http://localhost:5173' } })
  expect(await clock.json()).toMatchObject({ now: '2030-01-01T00:00:00.000Z', frozen: true })
  expect(clock.headers.get('access-control-allow-origin')).toBe('http://localhost:5173')
  const page = await fetch(`${url}/auth/location-metadata`, { headers: { origin: 'https://app.example' } })
  expect(page.headers.get('access-control-allow-origin')).toBe('https://app.example')
  const inNamespace = (name: string) => fetch(`${url}/_ns/${name}/auth/location-metadata`)
  expect([(await inNamespace('one')).status, (await inNamespace('two')).status]).toEqual([200, 507])
})

it('the control token is read from the environment or a file, and never printed', async () => {
  const host = { RAPPORT_MOCK_HOST: '0.0.0.0', RAPPORT_MOCK_PORT: '0' }
  const file = fileWith('s3cret-from-a-file\r\n')
  const runs = [
    [startMockWith({ ...host, RAPPORT_MOCK_CONTROL_TOKEN: 's3cret' }), 's3cret'],
    [startMockWith({ ...host, RAPPORT_MOCK_CONTROL_TOKEN_FILE: file }), 's3cret-from-a-file'],
    [
      startMockWith({ ...host, RAPPORT_MOCK_CONTROL_TOKEN: 's3cret' }, '--control-token-file', file),
      's3cret-from-a-file',
    ],
  ] as const
  for (const [{ output }, token] of runs) {
    const url = (await urlOf(output)).replace('0.0.0.0', '127.0.0.1')
    expect([await statusOf(url), await statusOf(url, 'wrong'), await statusOf(url, token)]).toEqual([403, 403, 200])
    expect(output.stdout + output.stderr).not.toContain('s3cret')
  }
})

it.each(['s3cret\n\n', 's3cret \n', ' s3cret', 's3c\tret', 's3cr\u00e9t', '\ufeffs3cret'])(
  'a token file with %j is an error that does not show it',
  async (text) => {
    const { output, ended } = startMockWith({ RAPPORT_MOCK_CONTROL_TOKEN_FILE: fileWith(text) })
    expect(await ended).toEqual([2, null])
    expect(output.stderr).toMatch(/_FILE: expected one or more visible ASCII characters without spaces, got others\n/)
    expect(output.stderr).not.toContain('s3c')
  },
)

it('an argument that excludes a variable wins over it', async () => {
  const first = startMock('--port', '0', '--scenario', 'empty', '--export', fileWith('').replace(/file$/, 'data'))
  await urlOf(first.output)
  first.child.kill('SIGTERM')
  await first.ended
  const [, folder = ''] = /exported to (\S+)/.exec(first.output.stderr) ?? []
  const { output } = startMockWith({ RAPPORT_MOCK_SCENARIO: 'demo', RAPPORT_MOCK_PORT: '0' }, '--import', folder)
  expect(await statusOf(await urlOf(output))).toBe(200)
})

it.each<readonly [Record<string, string>, string]>([
  [{ RAPPORT_MOCK_PROT: '1' }, 'unknown environment variable RAPPORT_MOCK_PROT; known are RAPPORT_MOCK_PORT, '],
  [{ RAPPORT_MOCK_HELP: 'true' }, 'unknown environment variable RAPPORT_MOCK_HELP'],
  [{ RAPPORT_MOCK_PORT: 'tcp://10.0.0.1:4817' }, 'RAPPORT_MOCK_PORT must be an integer from 0 to 65535'],
  [{ RAPPORT_MOCK_TLS: 'yes' }, 'RAPPORT_MOCK_TLS must be true or false, got "yes"'],
  [{ RAPPORT_MOCK_CONTROL_TOKEN: '' }, 'RAPPORT_MOCK_CONTROL_TOKEN must not be empty'],
  [
    { RAPPORT_MOCK_CONTROL_TOKEN: 's3cret\nX: y' },
    'RAPPORT_MOCK_CONTROL_TOKEN: expected one or more visible ASCII characters without spaces, got others\n',
  ],
  [{ RAPPORT_MOCK_CONTROL_TOKEN: 's3crét' }, 'RAPPORT_MOCK_CONTROL_TOKEN: expected one or more visible ASCII'],
  [{ RAPPORT_MOCK_CONTROL_TOKEN: ' s3cret' }, 'RAPPORT_MOCK_CONTROL_TOKEN: expected one or more visible ASCII'],
  [
    { RAPPORT_MOCK_CONTROL_ORIGIN: 'http://localhost:5173', RAPPORT_MOCK_HOST: '0.0.0.0' },
    'RAPPORT_MOCK_CONTROL_ORIGIN needs --control-token: the control API is off on 0.0.0.0 without it',
  ],
  [{ RAPPORT_MOCK_CONTROL_ORIGIN: '*' }, 'RAPPORT_MOCK_CONTROL_ORIGIN must be origins'],
  [{ RAPPORT_MOCK_WATCH: 'true' }, 'RAPPORT_MOCK_WATCH needs a seed file'],
  [
    { RAPPORT_MOCK_IMPORT: '/tmp', RAPPORT_MOCK_SEED: '1' },
    'RAPPORT_MOCK_IMPORT cannot be combined with RAPPORT_MOCK_SEED',
  ],
  [{ RAPPORT_MOCK_NOW: 'noon' }, 'RAPPORT_MOCK_NOW must be a time'],
  [{ RAPPORT_MOCK_CONTROL_TOKEN_FILE: '/nowhere' }, 'RAPPORT_MOCK_CONTROL_TOKEN_FILE: ENOENT'],
  [{ RAPPORT_MOCK_CONTROL_TOKEN_FILE: '/dev/null' }, 'RAPPORT_MOCK_CONTROL_TOKEN_FILE: /dev/null is empty'],
  [
    { RAPPORT_MOCK_CONTROL_TOKEN_FILE: '/dev/null', RAPPORT_MOCK_CONTROL_TOKEN: 's3cret' },
    'RAPPORT_MOCK_CONTROL_TOKEN_FILE cannot be combined with RAPPORT_MOCK_CONTROL_TOKEN\n',
  ],
])('the environment %j is an error that names the variable', async (env, message) => {
  const { output, ended } = startMockWith(env)
  expect(await ended).toEqual([2, null])
  expect(output.stderr).toContain(message)
  expect(output.stderr).not.toContain('s3cret')
})
