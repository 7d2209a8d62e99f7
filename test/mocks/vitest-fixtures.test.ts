import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'rapport-sdk'
import type { MockService } from 'rapport-sdk/mocks'
import { type MockFixtures, mockFixtures } from 'rapport-sdk/mocks/vitest'
import { test as base, describe, expect, vi } from 'vitest'

const test = base.extend<MockFixtures>(mockFixtures())
const login = 'ada@example.com'

describe('a service for each test', () => {
  const seen: MockService[] = []

  test.for([1, 2])('test %s of two has its own service, without users', (_, { service }) => {
    expect(service.users.all()).toEqual([])
    service.users.create({ login })
    seen.push(service)
  })

  test('it is closed after its test', async () => {
    expect(new Set(seen).size).toBe(2)
    for (const service of seen)
      expect(await service.fetch(service.baseUrl).catch(({ cause }) => cause.message)).toMatch(/closed/)
  })

  test('it is not shared by tests that run concurrently', { concurrent: true }, ({ service }) => {
    expect(seen).not.toContain(service)
  })

  base.extend<MockFixtures>(
    mockFixtures({ seed: 7, now: '2026-01-01T00:00:00Z' }, ({ users }) => users.create({ login })),
  )('the service has the given options, and is prepared for each test', ({ service }) => {
    const [user] = service.users.all()
    expect(user?.email).toBe(login)
    expect(service.clock.now()).toBe(Date.UTC(2026, 0, 1))
  })
})

describe('clients', () => {
  test('a client with the given options is not signed in, and signs in by itself', async ({
    service,
    clientOptions,
  }) => {
    service.users.create({ login, password: 'correct horse battery' })
    const client = new Client(clientOptions)
    expect(client.session.status).toBe('signedOut')
    await client.auth.login({ login, password: 'correct horse battery' })
    expect(await client.relationships.list()).toEqual([])
  })

  test('signInAs returns the options of a client that is signed in as the user, with the gateway', async ({
    service,
    signInAs,
  }) => {
    const [ada, grace] = [service.users.create({ login }), service.users.create({ login: 'grace@example.com' })]
    const client = new Client(signInAs(ada))
    const added = client.gateway.waitFor('relationshipAdd')
    await client.gateway.connect()
    await new Client(signInAs(grace)).relationships.create(ada.id)
    expect((await added).id).toBe(grace.id)
    client.dispose()
  })

  test('passkeyOf signs a user in with a virtual passkey', async ({ service, clientOptions, passkeyOf }) => {
    const ada = service.users.create({ login, mfa: ['webauthn'] })
    const client = new Client({ ...clientOptions, webauthn: passkeyOf(ada) })
    await client.auth.loginWithPasskey()
    expect(client.session.user?.id).toBe(ada.id)
  })
})

describe('time', () => {
  test('the clock of the service moves with fake timers', ({ service }) => {
    vi.useFakeTimers({ now: 1_000_000 })
    expect(service.clock.now()).toBe(1_000_000)
    vi.advanceTimersByTime(300_000)
    expect(service.clock.now()).toBe(1_300_000)
    vi.setSystemTime(2_000_000)
    expect(service.clock.now()).toBe(2_000_000)
  })

  test('what expires by the clock expires when fake timers move', async ({ service, clientOptions }) => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const { id } = service.users.create({ login })
    const token = service.users.verificationToken(id)
    vi.setSystemTime(Date.now() + 30 * 24 * 3_600_000)
    await expect(new Client(clientOptions).auth.authorizeIp({ token })).rejects.toThrow(/Authorize IP Address/)
  })

  test('service.clock.advance moves the service further than the fake timers', ({ service }) => {
    vi.useFakeTimers({ now: 1_000_000 })
    service.clock.advance('5m')
    vi.advanceTimersByTime(1_000)
    expect(service.clock.now()).toBe(1_301_000)
  })
})

describe('the report of a failed test', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'rapport-sdk-'))
  const [config, report] = ['test/inner-run.config.ts', join(folder, 'report.json')]
  const args = ['run', '--config', config, '--reporter=default', '--reporter=json', `--outputFile=${report}`]
  const { stdout, stderr } = await new Promise<Record<'stdout' | 'stderr', string>>((resolve) => {
    const env = { ...process.env, NO_COLOR: '1', TESTS: 'test/mocks/fixtures/failing-tests.ts' }
    execFile(process.execPath, ['node_modules/vitest/vitest.mjs', ...args], { env }, (_, ...outputs) =>
      resolve({ stdout: outputs[0], stderr: outputs[1] }),
    )
  })
  const { testResults } = JSON.parse(await readFile(report, 'utf8'))
  const [withRequests, without, passed] = testResults[0].assertionResults
  await rm(folder, { recursive: true })

  base('the error lists the requests with their status and why they were refused', () => {
    expect(stdout).toContain('2 failed | 1 passed')
    const [, lines] =
      /expected 'the first' to be 'the second'.*?\n\n(Requests of the mock:(?:\n {2}.*)*)/.exec(stderr) ?? []
    expect(lines).toBe(
      'Requests of the mock:\n' +
        '  200 POST /auth/login (Login Account)\n' +
        '  400 POST /auth/login (Login Account) - Invalid Form Body',
    )
    expect(stderr).toContain('The mock received no requests.')
  })

  base('the metadata for reporters contains the journal, without passwords, and that of a passed test does not', () => {
    expect(withRequests.meta.mockRequests).toMatchObject([
      { endpoint: 'Login Account', status: 200, params: { password: '[redacted]' } },
      { endpoint: 'Login Account', status: 400 },
    ])
    expect(without.meta).toEqual({ mockRequests: [] })
    expect(passed).toMatchObject({ status: 'passed', meta: {} })
    expect(stdout + stderr).not.toContain('correct horse')
  })
})
