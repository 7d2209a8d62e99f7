import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { commandOptions } from '../../mocks/cli'
import { bareClient, identify } from './bare-gateway'
import { sender } from './calls'
import { handshake, rawSocket, requestText } from './raw-sockets'

const children: ChildProcess[] = []
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
})

function start(...args: string[]) {
  const child = spawn(process.execPath, ['--import', 'tsx', 'mocks/cli.ts', ...args])
  children.push(child)
  const output = { stdout: '', stderr: '' }
  child.stdout.on('data', (chunk) => {
    output.stdout += chunk
  })
  child.stderr.on('data', (chunk) => {
    output.stderr += chunk
  })
  return { child, output, ended: once(child, 'close') as Promise<[number | null]> }
}

describe('rapport-mock', () => {
  it('serves the demo until a signal ends it', { timeout: 20_000 }, async () => {
    const { child, output, ended } = start('--port', '0')
    await expect.poll(() => output.stdout, { timeout: 15_000 }).toContain('Ctrl+C')
    const [url = ''] = /http:\/\/\S+/.exec(output.stdout) ?? []
    const [, backupCode = ''] = /backup codes {2}(\S+)/.exec(output.stdout) ?? []
    const send = sender(fetch, url)
    const login = { login: 'ada@example.com', password: 'correct horse battery staple' }
    const { ticket } = (await send('POST /auth/login', login)).body
    const { token } = (await send('POST /auth/mfa/backup', { ticket, code: backupCode })).body
    const mine = sender(fetch, url, String(token))
    expect((await mine('GET /users/@me/relationships')).body).toHaveLength(3)
    expect((await mine('GET /friend-suggestions')).body).toHaveLength(1)
    const [gatewayUrl = ''] = /ws:\/\/\S+/.exec(output.stdout) ?? []
    const client = bareClient(new WebSocket(gatewayUrl))
    expect(await identify(client, String(token))).toHaveProperty('session_id')
    child.kill('SIGTERM')
    expect(await client.closed).toMatchObject({ code: 1001 })
    expect(await ended).toEqual([0, null])
  })

  it('writes what it mails, one line for each, with what the mail carries', { timeout: 20_000 }, async () => {
    const { output } = start('--port', '0')
    await expect.poll(() => output.stdout, { timeout: 15_000 }).toContain('Ctrl+C')
    const [url = ''] = /http:\/\/\S+/.exec(output.stdout) ?? []
    const send = sender(fetch, url)
    await send('POST /auth/forgot', { login: 'grace@example.com' })
    const mail = /mail to grace@example.com, password_reset: .* token=(\S+) ticket=\S+\n/
    await expect.poll(() => output.stdout).toMatch(mail)
    const [, token] = mail.exec(output.stdout) ?? []
    expect((await send('POST /auth/reset', { token, password: 'a brand new password' })).status).toBe(200)
  })

  it('writes an address on the line of its mail, whatever is in it', { timeout: 20_000 }, async () => {
    const { output } = start('--port', '0', '--scenario', 'empty')
    await expect.poll(() => output.stdout, { timeout: 15_000 }).toContain('Ctrl+C')
    const [url = ''] = /http:\/\/\S+/.exec(output.stdout) ?? []
    const send = sender(fetch, url)
    const email = '\u001b[2Jx\nforged mail to y@example.com'
    const registered = await send('POST /auth/register', { username: 'x', email, password: 'a long password' })
    expect(registered.status).toBe(200)
    await send('POST /auth/forgot', { login: email })
    await expect.poll(() => output.stdout).toContain('password_reset')
    expect(output.stdout).not.toContain('\u001b')
    expect(output.stdout).not.toContain('\nforged')
  })

  it('survives what HTTP does not have, and the end of whoever reads its output', { timeout: 20_000 }, async () => {
    const { child, output, ended } = start('--port', '0')
    await expect.poll(() => output.stdout, { timeout: 15_000 }).toContain('Ctrl+C')
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
      for (const how of ['end', 'reset'] as const) {
        const socket = await rawSocket(port)
        socket.write(text)
        if (how === 'end') await new Promise((resolve) => setTimeout(resolve, 10))
        socket[how]()
        await socket.closed
      }
    }
    const send = sender(fetch, url)
    // Each of these writes a mail into a pipe that nobody reads.
    for (let count = 0; count < 3; count++) {
      expect((await send('POST /auth/forgot', { login: 'grace@example.com' })).status).toBe(200)
    }
    child.kill('SIGTERM')
    expect(await ended).toEqual([0, null])
    expect(output.stderr).toBe('')
  })

  it('prints one line if the port is in use', { timeout: 20_000 }, async () => {
    const blocker = createServer().listen(0, '127.0.0.1')
    await once(blocker, 'listening')
    const { port } = blocker.address() as { port: number }
    const { output, ended } = start('--port', String(port))
    expect(await ended).toEqual([1, null])
    expect(output.stderr).toBe(
      `rapport-mock: port ${port} is in use; choose another one, or --port 0 for any free port\n`,
    )
    blocker.close()
  })

  it('explains itself, and refuses what it does not know with 2', { timeout: 20_000 }, async () => {
    const [help, wrong] = [start('--help'), start('--prot', '1')]
    expect(await help.ended).toEqual([0, null])
    expect(help.output.stdout).toContain('--scenario')
    expect(await wrong.ended).toEqual([2, null])
    expect(wrong.output.stderr).toContain("Unknown option '--prot'")
  })

  it('takes sensible values alone', () => {
    expect(commandOptions([])).toEqual({ port: 4010, host: '127.0.0.1', seed: 1, scenario: 'demo', help: false })
    expect(() => commandOptions(['--port', '65536'])).toThrow('--port must be an integer from 0 to 65535, got "65536"')
    expect(() => commandOptions(['--seed', '-1'])).toThrow()
    expect(() => commandOptions(['--scenario', 'chaos'])).toThrow('--scenario must be demo or empty, got "chaos"')
  })
})
