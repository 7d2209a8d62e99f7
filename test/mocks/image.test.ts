import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { request } from 'node:https'
import { createServer } from 'node:net'
import { describe, expect, it } from 'vitest'
import { textOf } from '../architecture/sources'
import { temporaryFolder } from '../temporary-files'
import { mockCommand, urlOf } from './command'
import { rawSocket, requestText } from './raw-sockets'

const { startMockWith } = mockCommand()

const dockerfile = textOf('Dockerfile')
const lineOf = (pattern: RegExp) => pattern.exec(dockerfile)?.[1] ?? ''
const [entrypoint, ...imageArgs] = JSON.parse(lineOf(/^ENTRYPOINT (\[.*\])$/m)) as string[]
const [checkCommand, ...checkArgs] = JSON.parse(lineOf(/^HEALTHCHECK .*CMD (\[.*\])$/m)) as string[]
const imageEnv = Object.fromEntries(
  [...dockerfile.matchAll(/^ENV (\w+)=(\S+)$/gm)].map(([, name, value]) => [name, value]),
)
const exposed = Number(lineOf(/^EXPOSE (\d+)$/m))

/** Returns a port that is free now: the health check cannot know a port that the system chooses. */
async function freePort(): Promise<string> {
  const server = createServer().listen(0, '0.0.0.0')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  return String(port)
}

/** Starts the command as the image does, and its health check, in which process 1 is the command. */
async function startImage(env: Readonly<Record<string, string>>, args: readonly string[] = []) {
  const home = temporaryFolder()
  const containerEnv = { ...imageEnv, ...env, HOME: home }
  const { child, output, ended } = startMockWith(containerEnv, ...imageArgs, ...args)
  const health = async () => {
    const check = startMockWith(containerEnv, ...checkArgs.map((arg) => (arg === '1' ? String(child.pid) : arg)))
    const [code] = await check.ended
    return [code, check.output.stderr]
  }
  return { child, output, ended, health, url: (await urlOf(output)).replace('0.0.0.0', '127.0.0.1') }
}

describe('the image', () => {
  it('starts the command that the package installs, on its default port and all addresses', async () => {
    const { bin } = JSON.parse(textOf('package.json'))
    expect([entrypoint, checkCommand]).toEqual(['rapport-mock', 'rapport-mock'])
    expect(Object.keys(bin)).toContain('rapport-mock')
    expect(textOf('mocks/cli/options.ts')).toContain(`DEFAULT_PORT = ${exposed}\n`)
    const { output } = await startImage({ RAPPORT_MOCK_PORT: '0', RAPPORT_MOCK_LOG: 'json' })
    expect(output.stdout).toContain('"service":"http://0.0.0.0:')
  })

  it.each([
    ['a port of the environment', (port: string) => [{ RAPPORT_MOCK_PORT: port }, []]],
    ['a port of the arguments', (port: string) => [{ RAPPORT_MOCK_PORT: '1' }, ['--port', port]]],
    ['TLS of the environment', (port: string) => [{ RAPPORT_MOCK_PORT: port, RAPPORT_MOCK_TLS: 'true' }, []]],
    [
      'TLS of the arguments and a token',
      (port: string) => [{ RAPPORT_MOCK_CONTROL_TOKEN: 's3cret' }, ['--tls', '--port', port]],
    ],
    [
      'arguments that override invalid variables',
      (port: string) => [
        { RAPPORT_MOCK_PORT: 'tcp://10.0.0.1:4817', RAPPORT_MOCK_WATCH: 'true' },
        ['--port', port, '--no-watch'],
      ],
    ],
    ['another address', (port: string) => [{}, ['--host', '127.0.0.1', '--port', port]]],
  ] as const)('is healthy with %s, and not after its end', async (_, make) => {
    const [env, args] = make(await freePort()) as unknown as [Record<string, string>, string[]]
    const { child, ended, health } = await startImage(env, args)
    expect(await health()).toEqual([0, ''])
    child.kill('SIGTERM')
    expect(await ended).toEqual([0, null])
    expect(await health()).toEqual([1, expect.stringMatching(/^rapport-mock: process \d+ is not up: /)])
  })

  it('the health check says that it needs a port, if the mock was started on any free one', async () => {
    const { health, child } = await startImage({ RAPPORT_MOCK_PORT: '0', RAPPORT_MOCK_LOG: 'json' })
    const message = `process ${child.pid} cannot be checked: it listens on any free port; start it with a fixed --port`
    expect(await health()).toEqual([1, `rapport-mock: ${message}\n`])
  })

  it('serves TLS with a certificate for localhost', async () => {
    const { url } = await startImage({ RAPPORT_MOCK_PORT: '0', RAPPORT_MOCK_TLS: 'true', RAPPORT_MOCK_LOG: 'json' })
    const { port } = new URL(url)
    const health = request({ host: '127.0.0.1', port, path: '/_mock/health', rejectUnauthorized: false }).end()
    const [response] = await once(health, 'response')
    expect([new URL(url).protocol, response.statusCode]).toEqual(['https:', 200])
    expect(response.socket.getPeerCertificate().subjectaltname).toContain('DNS:localhost')
    response.destroy()
  })
})

it.each(['RapportMock.java', 'rapport_mock.py', 'rapport-mock.mjs', 'rapport_mock.go'])(
  'the recipe for Testcontainers in %s starts the image as it is, and the command accepts what it passes',
  async (file) => {
    const recipe = textOf(`examples/containers/${file}`)
    const names = [...new Set(recipe.match(/RAPPORT_MOCK_[A-Z_]+/g))]
    expect(names).toEqual(['RAPPORT_MOCK_CONTROL_TOKEN', 'RAPPORT_MOCK_SCENARIO'])
    expect(recipe).toMatch(/RAPPORT_MOCK_SCENARIO"?[:,]\s+["']empty["']/)
    if (file.endsWith('.mjs')) execFileSync(process.execPath, ['--check', `examples/containers/${file}`])
    expect([recipe.includes('rapport-mock'), recipe.includes(String(exposed))]).toEqual([true, true])
    const [path = ''] = /\/_mock\/\w+/.exec(recipe) ?? []
    const env = { RAPPORT_MOCK_CONTROL_TOKEN: 's3cret', RAPPORT_MOCK_SCENARIO: 'empty', RAPPORT_MOCK_PORT: '0' }
    const { url } = await startImage(env)
    // From another machine, as that of Docker may be.
    const socket = await rawSocket(Number(new URL(url).port))
    socket.write(requestText(`GET ${path}`, ['Host: docker.test:32768', 'Connection: close']))
    expect(await socket.response()).toMatchObject({ status: 200, body: '{"status":"ok"}' })
    const users = (authorization: string) => fetch(`${url}/_mock/users`, { headers: { authorization } })
    expect((await users('')).status).toBe(403)
    expect(await (await users('Bearer s3cret')).json()).toEqual({ items: [] })
  },
)
