import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createMockService } from 'rapport-sdk/mocks'
import { afterAll, describe, expect, it } from 'vitest'
import { mockCommand, urlOf } from './command'
import { password, sender } from './set-up'

const { startMock } = mockCommand()
const folder = mkdtempSync(join(tmpdir(), 'rapport-mock-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** Writes a file and returns its path. */
function write(name: string, contents: unknown): string {
  const file = join(folder, name)
  writeFileSync(file, typeof contents === 'string' ? contents : JSON.stringify(contents))
  return file
}

const seed = {
  now: '2026-03-01T12:00:00Z',
  policy: { requireMfa: { 'Send Friend Request': true } },
  users: [
    { login: 'ada@example.com', username: 'ada', password, mfa: ['totp', 'backup'] },
    { login: 'grace@example.com', username: 'grace', password },
    { login: '+15555550100', username: 'linus', password, status: 'disabled' },
  ],
  applications: [{ owner: 'grace', name: 'Bridge Builder', authorizedBy: ['ada'] }],
  identities: [{ application: 'Bridge Builder', user: 'ada', externalUserId: 'ada-1815' }],
  relationships: [
    { action: 'befriend', user: 'ada', target: 'grace' },
    { action: 'request', user: 'linus', target: 'grace@example.com', note: 'Hi' },
  ],
  suggestions: [{ user: 'grace', target: 'linus' }],
  gameSuggestions: [{ user: 'ada', games: ['Bridge Builder'] }],
  faults: [{ endpoint: 'Get Auth Sessions', status: 503, times: 1, match: { user: 'grace' } }],
}

describe('the data of rapport-mock', () => {
  it('--seed with a file loads users, applications, relationships, suggestions, faults, policy and time', async () => {
    const { output } = startMock('--port', '0', '--seed', write('all.json', { $schema: 'ignored', seed: 7, ...seed }))
    const url = await urlOf(output)
    const login = { login: 'grace@example.com', password }
    const { token } = (await sender(fetch, url)('POST /auth/login', login)).body
    const asGrace = sender(fetch, url, String(token))
    const relationships = (
      await asGrace<{ type: number; since: string; note?: string }[]>('GET /users/@me/relationships')
    ).body
    expect(relationships).toMatchObject([
      { type: 1, user: { username: 'ada' }, since: '2026-03-01T12:00:00.000Z' },
      { type: 3, user: { username: 'linus' }, note: 'Hi' },
    ])
    expect((await asGrace('GET /friend-suggestions')).body).toHaveLength(1)
    expect((await asGrace('GET /auth/sessions')).status).toBe(503)
    expect((await asGrace('GET /auth/sessions')).status).toBe(200)
    const request = { username: 'ada', discriminator: null }
    expect((await asGrace('POST /users/@me/relationships', request)).body).toMatchObject({ code: 60003 })
    const disabled = await sender(fetch, url)('POST /auth/login', { login: '+15555550100', password })
    expect(disabled.body).toMatchObject({ code: 20013 })
    expect(output.stdout).toMatch(/ada@example\.com\n {4}ada\n {4}password {6}correct horse battery\n {4}TOTP secret/)
    expect(output.stdout).toContain('linus, disabled')
    expect(output.stdout).not.toContain('barbara')
  })

  it('--seed lists every mistake of a file with its path, and the command does not start', async () => {
    const file = write('mistakes.json', {
      $schema: 5,
      foo: 1,
      now: 'soon',
      seed: -1,
      policy: { lifetimes: { session: 'soon' } },
      users: [
        { logn: 'x' },
        { login: 'ada@example.com', pasword: 'x' },
        { username: 'x', mfa: ['fax'] },
        { login: 'grace@example.com', password: 'short' },
        { login: 5 },
        { login: ['a@b'] },
        { login: '+1 555' },
        7,
      ],
      relationships: [{ action: 'hug', user: 'a', target: 'b' }],
      gameSuggestions: 7,
      faults: [{ endpoint: 'Login Account', status: 5 }, { status: 500 }],
    })
    const { output, ended } = startMock('--port', '0', '--seed', file)
    expect(await ended).toEqual([2, null])
    const lines = output.stderr.trimEnd().split('\n')
    expect(lines.map((line) => line.replace(`rapport-mock: ${file}: `, '  ').slice(0, 40))).toEqual([
      '  $schema: expected a non-empty string, ',
      '  foo: unknown; expected one of $schema,',
      '  now: expected a time such as "2026-01-',
      '  seed: expected an integer from 0 to 21',
      '  policy.lifetimes.session: expected mil',
      '  users[0].logn: unknown; expected one o',
      '  users[0].login: required',
      '  users[1].pasword: unknown; expected on',
      '  users[2].mfa[0]: expected "totp" or "s',
      '  users[2].login: required',
      '  users[3].password: 5 characters, at le',
      '  users[4].login: expected an e-mail add',
      '  users[5].login: expected an e-mail add',
      '  users[6].login: expected an e-mail add',
      '  users[7]: expected an object, got 7',
      '  relationships[0].action: expected "bef',
      '  gameSuggestions: expected an array, go',
      '  faults[0].status: expected an integer ',
      '  faults[1].endpoint: required',
    ])
  })

  it.each([
    [{ users: [{ login: 'a@b.c' }, { login: 'a@b.c' }] }, 'users[1].login: a@b.c belongs to another account'],
    [
      { users: [{ login: 'a@b.c', username: 'ada' }], applications: [{ owner: 'nobody' }] },
      'applications[0].owner: no account has the ID, login or username "nobody"; known: ada',
    ],
    [
      { applications: [{ owner: 'nobody' }] },
      'applications[0].owner: no account has the ID, login or username "nobody"; known: none',
    ],
    [{ faults: [{ endpoint: 'Log in', status: 503 }] }, 'faults[0].endpoint: "Log in" is neither "METHOD '],
  ])(
    '--seed names the first entry of %j that the service refuses, and the command does not start',
    async (data, text) => {
      const file = write('refused.json', data)
      const { output, ended } = startMock('--port', '0', '--seed', file)
      expect(await ended).toEqual([2, null])
      expect(output.stderr).toContain(`rapport-mock: ${file}: ${text}`)
    },
  )

  it('a seed or policy file that is not JSON, has an unknown field, or does not exist is named with the problem', async () => {
    const cases = [
      ['--seed', write('syntax.json', '{\n  "users": [],\n}'), /syntax\.json:3:1: /],
      ['--seed', write('top.json', { user: [], now: 'soon', seed: -1 }), /user: unknown.*\n {2}now: .*\n|seed: /],
      [
        '--seed',
        write('policy-in-seed.json', { policy: { lifetimes: { session: 'soon' } } }),
        /policy\.lifetimes\.session: /,
      ],
      [
        '--policy',
        write('policy.json', { lifetimes: { sessions: '5m' } }),
        /policy\.json: lifetimes\.sessions: unknown/,
      ],
      [
        '--policy',
        write('policy-syntax.json', '{\n  "errors": {},\n}'),
        /^rapport-mock: \S+policy-syntax\.json:3:1: E/,
      ],
      ['--policy', write('list.json', '[]'), /list\.json: expected an object, got an array/],
      ['--policy', write('schema.json', { $schema: 5 }), /schema\.json: \$schema: expected a string, got a number/],
      ['--policy', join(folder, 'missing.json'), /--policy: \w+: no such file.*missing\.json/],
      ['--seed', join(folder, 'missing.json'), /--seed: \w+: no such file.*missing\.json/],
      ['--replay', join(folder, 'missing.json'), /--replay: \w+: no such file.*missing\.json/],
      ['--import', join(folder, 'missing'), /--import: \w+: no such file.*missing/],
      ['--seed', folder, /--seed: EISDIR: .*\(\S+\)/],
    ] as const
    const runs = cases.map(([option, file, message]) => ({ ...startMock('--port', '0', option, file), message }))
    for (const { output, ended, message } of runs) {
      expect(await ended).toEqual([2, null])
      expect(output.stderr).toMatch(message)
      expect(output.stdout).toBe('')
    }
  })

  it('--watch loads a changed seed file, and keeps the data while the file has a mistake', async () => {
    const file = write('watched.json', seed)
    const { output } = startMock('--port', '0', '--seed', file, '--watch')
    const url = await urlOf(output)
    const status = async (login: string) => (await sender(fetch, url)('POST /auth/login', { login, password })).status
    expect(await status('grace@example.com')).toBe(200)
    write('watched.json', { users: [{ login: 'grace@example.com', password, pasword: '' }] })
    await expect.poll(() => output.stderr).toContain('the data are unchanged')
    expect(output.stderr).toContain('users[0].pasword: unknown')
    expect(await status('grace@example.com')).toBe(200)
    write('watched.json', { policy: {}, users: [{ login: 'new@example.com', username: 'new', password }] })
    await expect.poll(() => output.stderr).toContain(`loaded ${file} again`)
    expect(await status('grace@example.com')).toBe(400)
    expect(await status('new@example.com')).toBe(200)
    const policy = async () => (await fetch(`${url}/_mock/policy`)).json()
    expect(await policy()).toMatchObject({ requireMfa: {} })
    expect((await fetch(`${url}/_mock/reset`, { method: 'POST' })).status).toBe(204)
    expect(await status('new@example.com')).toBe(200)
    expect(await policy()).toMatchObject({ requireMfa: {} })
  })

  it('--export writes the data of all namespaces at the end, and --import starts with them', async () => {
    const data = join(folder, 'data')
    const first = startMock('--port', '0', '--import', data, '--export', data)
    const registered = { username: 'ada', email: 'ada@example.com', password }
    const url = await urlOf(first.output)
    const { token } = (await sender(fetch, url)('POST /auth/register', registered)).body
    const inWorker = sender(fetch, `${url}/_ns/Worker-3`)
    const { token: other } = (await inWorker('POST /auth/register', { ...registered, username: 'grace' })).body
    await sender(fetch, `${url}/_ns/worker-3`)('GET /auth/location-metadata')
    first.child.kill('SIGTERM')
    expect(await first.ended).toEqual([0, null])
    expect(first.output.stderr).toBe(`rapport-mock: exported to ${data}\n`)
    expect(readdirSync(data)).toEqual(['namespaces.json'])
    const file = join(data, 'namespaces.json')
    const exported = () => Object.entries<unknown>(JSON.parse(readFileSync(file, 'utf8')))
    expect(exported().map(([name]) => name)).toEqual(['default', 'Worker-3', 'worker-3'])
    for (const [, snapshot] of exported()) expect(snapshot).toHaveProperty('database.users')
    if (process.platform !== 'win32') expect(statSync(file).mode & 0o777).toBe(0o600)
    writeFileSync(join(data, 'README.md'), 'kept')

    const now = '2030-01-01T00:00:00Z'
    const second = startMock('--port', '0', '--now', now, '--import', data, '--export', data)
    const again = await urlOf(second.output)
    const asAda = sender(fetch, again, String(token))
    const asGrace = sender(fetch, `${again}/_ns/Worker-3`, String(other))
    for (const send of [asAda, asGrace]) expect((await send('GET /users/@me/relationships')).status).toBe(200)
    for (const name of ['default', 'Worker-3', 'worker-3', 'new']) {
      const clock = await (await fetch(`${again}/_mock/namespaces/${name}/clock`)).json()
      expect([name, clock]).toEqual([name, expect.objectContaining({ now: '2030-01-01T00:00:00.000Z', frozen: true })])
    }
    expect((await fetch(`${again}/_mock/namespaces/worker-3`, { method: 'DELETE' })).status).toBe(204)
    second.child.kill('SIGTERM')
    expect(await second.ended).toEqual([0, null])
    expect(readdirSync(data).sort()).toEqual(['README.md', 'namespaces.json'])
    expect(exported().map(([name]) => name)).toEqual(['default', 'Worker-3', 'new'])
  })

  it('--import names the file that is invalid, and the command does not start', async () => {
    const data = join(folder, 'invalid-data')
    mkdirSync(data)
    const snapshot = createMockService().snapshot()
    const importing = async () => {
      const { output, ended } = startMock('--port', '0', '--import', data)
      expect(await ended).toEqual([2, null])
      expect(output.stdout).toBe('')
      return output.stderr
    }
    write('invalid-data/namespaces.json', '{"password": "secret"')
    const broken = await importing()
    expect(broken).toContain(`rapport-mock: ${join(data, 'namespaces.json')}`)
    expect(broken).not.toContain('secret')
    write('invalid-data/namespaces.json', { default: snapshot, broken: { ...snapshot, version: 7 } })
    expect(await importing()).toContain('namespaces.json: broken: the snapshot has version 7')
    const names = Array.from({ length: 65 }, (_, index) => `worker-${index}`)
    write('invalid-data/namespaces.json', Object.fromEntries(names.map((name) => [name, {}])))
    expect(await importing()).toContain('65 namespaces, at most 64; see --max-namespaces')
  })

  it('--export leaves a folder unchanged if its file cannot be written, and fails', async () => {
    const data = join(folder, 'full')
    mkdirSync(data)
    write('full/namespaces.json', 'earlier data')
    const { child, output, ended } = startMock('--port', '0', '--export', data)
    await urlOf(output)
    // A folder is where the file would be written first.
    mkdirSync(join(data, `namespaces.json.${child.pid}.tmp`))
    child.kill('SIGTERM')
    expect(await ended).toEqual([1, null])
    expect(output.stderr).toContain(`rapport-mock: cannot export to ${data}: `)
    expect(readFileSync(join(data, 'namespaces.json'), 'utf8')).toBe('earlier data')
  })

  it('--now lets the clock stand, and --policy changes decisions of the service', async () => {
    const policy = write('strict.json', {
      $schema: 'ignored',
      authorization: { scheme: 'Bearer' },
      password: { minLength: 12 },
    })
    const { output } = startMock('--port', '0', '--now', '2026-01-01T00:00:00Z', '--policy', policy)
    const url = await urlOf(output)
    const login = { login: 'grace@example.com', password: 'correct horse battery staple' }
    const { token } = (await sender(fetch, url)('POST /auth/login', login)).body
    expect((await sender(fetch, url, String(token))('GET /auth/sessions')).status).toBe(401)
    const sessions = (await sender(fetch, url, `Bearer ${token}`)('GET /auth/sessions')).body
    expect(sessions).toMatchObject({ user_sessions: [{ approx_last_used_time: '2026-01-01T00:00:00.000Z' }] })
    const weak = { username: 'x', email: 'x@example.com', password: 'elevenchars' }
    expect((await sender(fetch, url)('POST /auth/register', weak)).status).toBe(400)
  })
})
