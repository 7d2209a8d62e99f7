import { X509Certificate } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'rapport-sdk'
import { createMockControl } from 'rapport-sdk/mocks/control'
import { afterAll, describe, expect, it, onTestFinished } from 'vitest'
import { WebSocket } from 'ws'
import { mockCommand, urlOf } from './command'
import { createFrameClient, identify } from './gateway-client'
import { sendTls } from './raw-sockets'
import { sender } from './set-up'

const { startMock, startMockWith } = mockCommand()
const home = mkdtempSync(join(tmpdir(), 'rapport-mock-home-'))
afterAll(() => rmSync(home, { recursive: true }))

const login = { login: 'grace@example.com', password: 'correct horse battery staple' }

describe('the output of rapport-mock', () => {
  it('--log pretty prints one line per request, with the caller and the reason of a refusal', async () => {
    const { output } = startMock('--port', '0')
    const url = await urlOf(output)
    const { token } = (await sender(fetch, url)('POST /auth/login', login)).body
    await sender(fetch, url, String(token))('GET /users/@me/relationships')
    await sender(fetch, url)('POST /auth/login', { ...login, password: 'wrong password' })
    await sender(fetch, url)('GET /nowhere/%1b[2J\u202e\u001b]0;title\u0007')
    await expect.poll(() => output.stdout).toContain('nowhere')
    const lines = output.stdout.trimEnd().split('\n').slice(-4)
    const time = String.raw`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z`
    expect(lines[0]).toMatch(new RegExp(`^${time} 200 POST {3}/auth/login \\(Login Account\\)$`))
    expect(lines[1]).toMatch(/ 200 GET {4}\/users\/@me\/relationships @grace \(Get Relationships\)$/)
    expect(lines[2]).toMatch(/ 400 POST {3}\/auth\/login \(Login Account\) - Invalid Form Body \[50035\] login: /)
    expect(lines[3]).toMatch(/ 404 GET {4}\/nowhere\S+ - 404/)
    const hidden = ['\u001b', '\u0007', '\u202e', String(token), 'wrong password']
    for (const text of hidden) expect(output.stdout).not.toContain(text)
  })

  it('--log pretty prints a line when a gateway connection opens, identifies, resumes and closes, without tokens', async () => {
    const { output } = startMock('--port', '0')
    const url = await urlOf(output)
    const token = String((await sender(fetch, url)('POST /auth/login', login)).body.token)
    const gateway = `${url.replace('http', 'ws')}/gateway`
    const client = new Client({ baseUrl: url, token, gateway: { url: gateway, backoff: { initialDelay: 0 } } })
    onTestFinished(() => client.dispose())
    await client.gateway.connect()
    const resumed = client.gateway.waitFor('resumed')
    await createMockControl(url).gateway.drop()
    await resumed
    await client.gateway.disconnect()
    const invalid = new Client({ baseUrl: url, token: 'nonsense', gateway: { url: gateway } })
    await expect(invalid.gateway.connect()).rejects.toThrow('Authentication failed')
    await expect.poll(() => output.stdout).toContain('4004')
    const lines = output.stdout.trimEnd().split('\n').slice(-9)
    expect(lines.map((line) => line.replace(/^\d{4}-\S+Z /, ''))).toEqual([
      'gateway connected',
      'gateway identify @grace - ready',
      'gateway disconnected - 1006',
      'gateway connected',
      'gateway resume @grace - resumed',
      'gateway disconnected @grace - 1000',
      'gateway connected',
      'gateway identify - closed',
      'gateway disconnected - 4004',
    ])
    for (const secret of [token, 'nonsense']) expect(output.stdout).not.toContain(secret)
  })

  it('--log json prints one JSON object per event, with secrets redacted', async () => {
    const { output } = startMock('--port', '0', '--log', 'json')
    const url = await urlOf(output)
    await sender(fetch, url)('POST /auth/login', login)
    await sender(fetch, url)('POST /auth/forgot', { login: 'grace@example.com' })
    await expect.poll(() => output.stdout).toContain('password_reset')
    await expect.poll(() => output.stdout).toContain('/auth/forgot')
    const [ready, ...events] = output.stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(ready).toMatchObject({ type: 'listening', service: url, gateway: `${url.replace('http', 'ws')}/gateway` })
    expect(ready.notes).toEqual([])
    expect(ready.accounts[0]).toMatchObject({ email: 'ada@example.com', totp_secret: expect.any(String) })
    expect(events.find(({ type }) => type === 'request')).toMatchObject({
      request: { path: '/auth/login', status: 200, params: { login: login.login, password: '[redacted]' } },
    })
    expect(events.find(({ type }) => type === 'mail')).toMatchObject({ message: { token: expect.any(String) } })
  })

  it('--log silent prints only where the service listens', async () => {
    const { output, child, ended } = startMock('--port', '0', '--log', 'silent')
    const url = await urlOf(output)
    const before = output.stdout
    expect((await sender(fetch, url)('POST /auth/forgot', { login: login.login })).status).toBe(200)
    child.kill('SIGTERM')
    await ended
    expect(output.stdout).toBe(before)
  })

  it('the control API is off on a public address without --control-token, and requires the token with it', async () => {
    const token = 'let-me-in'
    const args = ['--port', '0', '--host', '0.0.0.0']
    const [open, guarded] = [startMock(...args), startMock(...args, '--control-token', token)]
    const users = async (output: { stdout: string }, headers: Record<string, string> = {}) => {
      const url = (await urlOf(output)).replace('0.0.0.0', '127.0.0.1')
      return (await fetch(`${url}/_mock/users`, { headers })).status
    }
    expect(await users(open.output)).toBe(403)
    expect(open.output.stdout).toContain('Inspector  off')
    expect(open.output.stdout).toContain('Turn them on with --control-token')
    expect(await users(guarded.output)).toBe(403)
    expect(await users(guarded.output, { authorization: `Bearer ${token}` })).toBe(200)
    expect(guarded.output.stdout).not.toContain(token)
  })

  it('--cors allows pages of the given origins, in addition to those of this machine', async () => {
    const { output } = startMock('--port', '0', '--cors', 'https://app.example, https://admin.example')
    const url = await urlOf(output)
    const allowed = async (origin: string) =>
      (await fetch(`${url}/auth/location-metadata`, { headers: { origin } })).headers.get('access-control-allow-origin')
    for (const origin of ['https://app.example', 'https://admin.example', 'http://localhost:5173']) {
      expect(await allowed(origin)).toBe(origin)
    }
    expect(await allowed('https://evil.example')).toBe(null)
  })

  it('requests of a namespace are printed with its name', async () => {
    const { output } = startMock('--port', '0')
    const url = await urlOf(output)
    await sender(fetch, `${url}/_ns/worker-3`)('POST /auth/login', login)
    await expect.poll(() => output.stdout).toMatch(/\n\[worker-3\] \S+ 200 POST {3}\/auth\/login \(Login Account\)\n/)
  })

  it('the command prints the addresses of the service, the gateway and the inspector', async () => {
    const { output } = startMock('--port', '0', '--scenario', 'empty')
    const url = await urlOf(output)
    expect(output.stdout).toContain(
      `  Service    ${url}\n  Gateway    ${url.replace('http', 'ws')}/gateway\n  Inspector  ${url}/_mock/\n`,
    )
  })

  it('options that contradict each other or have no valid value end the command with 2 and the reason', async () => {
    const cases = [
      [['--log', 'loud'], '--log must be pretty, json or silent, got "loud"'],
      [['--now', 'soon'], '--now must be a time such as 2026-01-01T00:00:00Z, got "soon"'],
      [['--watch'], '--watch needs a seed file'],
      [['--import', 'x', '--seed', '3'], '--import cannot be combined with --seed'],
      [['--cors', 'app.example'], '--cors must be origins such as https://app.example'],
      [['--control-token', ''], '--control-token must not be empty'],
    ] as const
    const runs = cases.map(([args, message]) => ({ ...startMock(...args), message }))
    for (const { output, ended, message } of runs) {
      expect(await ended).toEqual([2, null])
      expect(output.stderr).toContain(`rapport-mock: ${message}`)
    }
  })

  it('--tls serves https and wss with a certificate that is created once and can be trusted', async () => {
    const start = () => startMockWith({ HOME: home, USERPROFILE: home }, '--port', '0', '--tls')
    const first = start()
    const url = (await urlOf(first.output)).replace('127.0.0.1', 'localhost')
    expect(url).toMatch(/^https:/)
    const file = join(home, '.rapport-mock', 'localhost.pem')
    expect(first.output.stdout).toContain(`NODE_EXTRA_CA_CERTS="${file}"`)
    const ca = readFileSync(file, 'utf8')
    const certificate = new X509Certificate(ca)
    expect(certificate.ca).toBe(false)
    expect(certificate.checkHost('localhost')).toBe('localhost')
    expect(certificate.checkIP('::1')).toBe('::1')
    const response = await sendTls(`${url}/auth/login`, 'POST', ca, JSON.stringify(login))
    expect(response.status).toBe(200)
    const address = `${url.replace('https', 'wss')}/gateway`
    const client = createFrameClient(new WebSocket(address, { ca }))
    expect(await identify(client, JSON.parse(response.body).token)).toHaveProperty('session_id')
    await expect(sendTls(`${url}/auth/login`, 'POST', '')).rejects.toThrow(/certificate/)
    if (process.platform !== 'win32') {
      expect(statSync(join(home, '.rapport-mock', 'localhost-key.pem')).mode & 0o777).toBe(0o600)
    }

    await urlOf(start().output)
    expect(readFileSync(file, 'utf8')).toBe(ca)
  })
})
