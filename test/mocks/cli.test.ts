import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { request } from 'node:http'
import { request as requestWithTls } from 'node:https'
import { createServer } from 'node:net'
import { expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { textOf } from '../architecture/sources'
import { temporaryFolder } from '../temporary-files'
import { mockCommand, urlOf } from './command'
import { createFrameClient, identify } from './gateway-client'
import { handshake, rawSocket, requestText } from './raw-sockets'
import { sender } from './set-up'

const { startMock, startMockWith } = mockCommand()

it('rapport-mock serves the demo until it receives a signal', async () => {
  const { child, output, ended } = startMock('--port', '0')
  await expect.poll(() => output.stdout).toContain('Ctrl+C')
  const [url = ''] = /http:\/\/\S+/.exec(output.stdout) ?? []
  const [, backupCode = ''] = /backup codes {2}(\S+)/.exec(output.stdout) ?? []
  const send = sender(fetch, url)
  const login = { login: 'ada@example.com', password: 'correct horse battery staple' }
  const { ticket } = (await send('POST /auth/login', login)).body
  const { token } = (await send('POST /auth/mfa/backup', { ticket, code: backupCode })).body
  const asAda = sender(fetch, url, String(token))
  expect((await asAda('GET /users/@me/relationships')).body).toHaveLength(3)
  expect((await asAda('GET /friend-suggestions')).body).toHaveLength(1)
  const [gatewayUrl = ''] = /ws:\/\/\S+/.exec(output.stdout) ?? []
  const client = createFrameClient(new WebSocket(gatewayUrl))
  expect(await identify(client, String(token))).toHaveProperty('session_id')
  child.kill('SIGTERM')
  expect(await client.closed).toMatchObject({ code: 1001 })
  expect(await ended).toEqual([0, null])
})

it('rapport-mock prints a TOTP code with which Ada can sign in', async () => {
  const { output } = startMock('--port', '0')
  await expect.poll(() => output.stdout).toContain('Ctrl+C')
  const [url = ''] = /http:\/\/\S+/.exec(output.stdout) ?? []
  const [, code = ''] = /TOTP code {5}(\d{6})/.exec(output.stdout) ?? []
  const send = sender(fetch, url)
  const login = { login: 'ada@example.com', password: 'correct horse battery staple' }
  const { ticket } = (await send('POST /auth/login', login)).body
  expect((await send('POST /auth/mfa/totp', { ticket, code })).status).toBe(200)
})

it('rapport-mock prints one line per mail, with its token and ticket', async () => {
  const { output } = startMock('--port', '0')
  await expect.poll(() => output.stdout).toContain('Ctrl+C')
  const [url = ''] = /http:\/\/\S+/.exec(output.stdout) ?? []
  const send = sender(fetch, url)
  await send('POST /auth/forgot', { login: 'grace@example.com' })
  const mail = /mail to grace@example.com, password_reset: .* token=(\S+) ticket=\S+\n/
  await expect.poll(() => output.stdout).toMatch(mail)
  const [, token] = mail.exec(output.stdout) ?? []
  expect((await send('POST /auth/reset', { token, password: 'a brand new password' })).status).toBe(200)
})

it.each([
  [[], 'http:', 'localhost'],
  [['--host', '127.0.0.2'], 'http:', 'localhost'],
  [['--tls', '--host', '0.0.0.0', '--control-token', 's3cret'], 'https:', 'localhost'],
])('with --port 0 and %j, mails link to the port that rapport-mock listens on', async (args, protocol, hostname) => {
  const home = temporaryFolder()
  const { output } = startMockWith({ HOME: home, USERPROFILE: home }, '--port', '0', ...args)
  const url = new URL(await urlOf(output))
  const send = protocol === 'https:' ? requestWithTls : request
  const host = url.hostname.replace('0.0.0.0', '127.0.0.1')
  const options = { host, port: url.port, path: '/auth/forgot', method: 'POST', rejectUnauthorized: false }
  const call = send(options).end(JSON.stringify({ login: 'grace@example.com' }))
  const [response] = await once(call, 'response')
  response.resume()
  const mail = /mail to grace@example\.com.* link=(\S+)/
  await expect.poll(() => output.stdout).toMatch(mail)
  const link = new URL(mail.exec(output.stdout)?.[1] ?? '')
  expect([link.protocol, link.hostname, link.port]).toEqual([protocol, hostname, url.port])
})

it('rapport-mock escapes control characters of names and addresses that it prints', async () => {
  const { output } = startMock('--port', '0', '--scenario', 'empty')
  await expect.poll(() => output.stdout).toContain('Ctrl+C')
  const [url = ''] = /http:\/\/\S+/.exec(output.stdout) ?? []
  const send = sender(fetch, url)
  const account = { username: 'x\nforged line', email: '\u001b[2Jx@example.com', password: 'a long password' }
  const registered = await send<{ token: string }>('POST /auth/register', account)
  expect(registered.status).toBe(200)
  await send('GET /users/@me/relationships', undefined, { authorization: registered.body.token })
  await send('POST /auth/forgot', { login: account.email })
  await expect.poll(() => output.stdout).toContain('password_reset')
  expect(output.stdout).toContain('forged')
  expect(output.stdout).not.toContain('\u001b')
  expect(output.stdout).not.toContain('\nforged')
})

it('rapport-mock survives malformed requests and a closed output pipe', async () => {
  const { child, output, ended } = startMock('--port', '0')
  await expect.poll(() => output.stdout).toContain('Ctrl+C')
  const [url = ''] = /http:\/\/\S+/.exec(output.stdout) ?? []
  const port = Number(new URL(url).port)
  child.stdout.destroy()
  const texts = [
    requestText('GET /gateway', ['Host: [', ...handshake]),
    requestText('GET /gateway', ['Host: a b', ...handshake]),
    requestText('GET /elsewhere', ['Host: x', ...handshake]),
    requestText('GET http://[', ['Host: x']),
    requestText('OPTIONS *'),
    requestText('GET /', ['Host: x', 'Connection: Upgrade', 'Upgrade: h2c']),
    '\0\r\n\r\n',
  ]
  for (const text of texts) {
    for (const ending of ['end', 'reset'] as const) {
      const socket = await rawSocket(port)
      socket.write(text)
      if (ending === 'end') await new Promise((resolve) => setTimeout(resolve, 10))
      socket[ending]()
      await socket.closed
    }
  }
  const send = sender(fetch, url)
  // Each of these prints a mail to the closed pipe.
  for (let count = 0; count < 3; count++) {
    expect((await send('POST /auth/forgot', { login: 'grace@example.com' })).status).toBe(200)
  }
  child.kill('SIGTERM')
  expect(await ended).toEqual([0, null])
  expect(output.stderr).toBe('')
})

it('rapport-mock prints one line if the port is in use', async () => {
  const blocker = createServer().listen(0, '127.0.0.1')
  await once(blocker, 'listening')
  const { port } = blocker.address() as { port: number }
  const { output, ended } = startMock('--port', String(port))
  expect(await ended).toEqual([1, null])
  expect(output.stderr).toBe(
    `rapport-mock: port ${port} is in use; choose another one, or --port 0 for any free port\n`,
  )
  blocker.close()
})

it('rapport-mock prints its help and version, and exits with 2 on an unknown option', async () => {
  const [help, version, invalid] = [startMock('--help'), startMock('--version'), startMock('--prot', '1')]
  expect(await help.ended).toEqual([0, null])
  expect(await version.ended).toEqual([0, null])
  expect(version.output.stdout).toBe(`${JSON.parse(readFileSync('package.json', 'utf8')).version}\n`)
  expect(help.output.stdout).toContain('--scenario')
  expect(await invalid.ended).toEqual([2, null])
  expect(invalid.output.stderr).toMatch(/^rapport-mock: Unknown option '--prot'.*\nRun rapport-mock --help .*\n$/)
})

it('each option of --help is in the table of the guide', async () => {
  const { output, ended } = startMock('--help')
  await ended
  const listed = [...output.stdout.matchAll(/^ {2}(--[a-z-]+)/gm)].map(([, option]) => option)
  const rows = textOf('docs/guides/testing-with-the-mock.md').match(/^\| `--.*$/gm) ?? []
  const documented = rows.flatMap((row) => row.split('|')[1]?.match(/--[a-z-]+/g) ?? [])
  expect(listed.length).toBeGreaterThan(15)
  expect([...new Set(documented)].sort()).toEqual([...new Set(listed)].sort())
})

it('rapport-mock exits with 2 on an option with an invalid value', async () => {
  const invalid = [
    ['--port', '65536', '--port must be an integer from 0 to 65535, got "65536"'],
    ['--no-tls', '--seed=-1', '--seed must be an integer from 0 to 2147483647, got "-1"'],
    ['--seed', '1.5', '--seed must be an integer from 0 to 2147483647, got "1.5"'],
    [
      '--control-origin',
      '*',
      '--control-origin must be origins such as https://app.example, separated by commas, got "*"',
    ],
    ['--control-origin', 'https://*.example', '--control-origin must be origins'],
    ['--control-token', 's3cret ', '--control-token: expected one or more visible ASCII characters without spaces'],
    ['--check', 'x', '--check must be an integer from 1 to 2147483647, got "x"'],
    ['--max-namespaces', '0', '--max-namespaces must be an integer from 1 to 10000, got "0"'],
    ['--scenario', 'chaos', '--scenario must be demo or empty, got "chaos"'],
  ] as const
  const runs = invalid.map(([option, value, message]) => ({ ...startMock(option, value), message }))
  for (const { output, ended, message } of runs) {
    expect(await ended).toEqual([2, null])
    expect(output.stderr).toContain(message)
  }
})

it('--max-namespaces sets the number of namespaces', async () => {
  const { output } = startMock('--port', '0', '--max-namespaces', '2')
  const url = await urlOf(output)
  const statusIn = async (name: string) => (await fetch(`${url}/_ns/${name}/auth/location-metadata`)).status
  expect([await statusIn('one'), await statusIn('two'), await statusIn('one')]).toEqual([200, 507, 200])
})

it('rapport-mock without options serves the demo with seed 1 at 127.0.0.1:4817', async () => {
  const byDefault = startMock()
  const explicit = startMock('--port', '0', '--host', '127.0.0.1', '--scenario', 'demo', '--seed', '1')
  await expect.poll(() => explicit.output.stdout).toContain('Ctrl+C')
  const { output } = byDefault
  // Another process may use the port.
  await expect.poll(() => output.stdout + output.stderr).toMatch(/Ctrl\+C|port 4817 is in use/)
  if (output.stderr === '') {
    const [url = ''] = /http:\/\/\S+/.exec(explicit.output.stdout) ?? []
    const { port } = new URL(url)
    const withoutCode = (text: string) => text.replace(/TOTP code .*/, '')
    expect(withoutCode(output.stdout)).toBe(withoutCode(explicit.output.stdout.replaceAll(`:${port}`, ':4817')))
  }
})

it.for(['SIGTERM', 'SIGHUP'] as const)(
  'rapport-mock that gets %s as soon as it listens exports its data',
  async (signal) => {
    const data = temporaryFolder()
    const { child, output, ended } = startMock('--port', '0', '--export', data)
    child.stdout.once('data', () => child.kill(signal))
    expect(await ended).toEqual([0, null])
    expect(output.stderr).toBe(`rapport-mock: exported to ${data}\n`)
  },
)

it('rapport-mock drops output that nobody reads, and still ends', async () => {
  const { child, output, ended } = startMock('--port', '0', '--log', 'json')
  const url = await urlOf(output)
  child.stdout.pause()
  // About 6 MB of lines: more than a pipe holds.
  const params = JSON.stringify({ login: 'x'.repeat(500), more: Array.from({ length: 10 }, () => 'x'.repeat(500)) })
  const post = () => fetch(`${url}/auth/login`, { method: 'POST', body: params })
  for (let round = 0; round < 100; round++) {
    const responses = await Promise.all(Array.from({ length: 10 }, post))
    await Promise.all(responses.map((response) => response.arrayBuffer()))
  }
  child.kill('SIGTERM')
  const [code] = await Promise.race([once(child, 'exit'), ended])
  expect(code).toBe(0)
  child.stdout.resume()
  await ended
  expect(output.stdout.length).toBeLessThan(4_000_000)
})
