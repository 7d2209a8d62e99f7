import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import { inspect } from 'node:util'
import { isMainThread } from 'node:worker_threads'
import { isRapportError } from 'rapport-sdk'
import { fileTokenStore } from 'rapport-sdk/node'
import { describe, expect, onTestFinished, test } from 'vitest'
import { rejectionOf } from '../transport/rejection'

import { LOGIN, setUp } from './token-file'

const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8)

describe('a token in a file', () => {
  test('what is neither a file nor a folder, such as a pipe or a device, is neither read, changed, replaced nor removed', async () => {
    const { folder } = setUp()
    const pipe = join(folder, 'pipe')
    execFileSync('mkfifo', ['-m', '666', pipe])
    const { get, set } = fileTokenStore(pipe)
    const reason = `The token file ${pipe} cannot be`
    await expect(Promise.resolve(set({ token: 'ada' }))).rejects.toThrow(`${reason} written: it is not a file.`)
    await expect(Promise.resolve(set(null))).rejects.toThrow(`${reason} written: it is not a file.`)
    await expect(Promise.resolve(get())).rejects.toThrow(`${reason} read: it is not a file.`)
    expect([statSync(pipe).isFIFO(), modeOf(pipe)]).toEqual([true, '666'])
  })

  test('signs in the next client', async () => {
    const { createClient } = setUp()
    const first = createClient()
    await first.auth.login(LOGIN)
    first.dispose()

    const second = createClient()
    await second.ready
    expect(second.session.token).toBe(first.session.token)
    expect(await second.relationships.list()).toEqual([])
  })

  test('it is deleted with the file by a sign-out', async () => {
    const { createClient, file, folder } = setUp()
    const client = createClient()
    await client.auth.login(LOGIN)
    expect(readdirSync(join(folder, 'app'))).toEqual(['token.json'])
    await client.auth.logout()

    expect(readdirSync(join(folder, 'app'))).toEqual([])
    const next = createClient(file)
    await next.ready
    expect(next.session.isAuthenticated).toBe(false)
    await next.session.setToken(null)
  })

  test('the path may be a file URL, or relative to the folder in which the store was created', async () => {
    const { createClient, file } = setUp()
    await createClient(pathToFileURL(file)).auth.login(LOGIN)

    const client = createClient(relative(process.cwd(), file))
    await client.ready
    expect(client.session.isAuthenticated).toBe(true)
  })

  test('a path with the home folder of a shell is refused', () => {
    expect(() => fileTokenStore('~/.config/token.json')).toThrow(
      'fileTokenStore: "~" in the path ~/.config/token.json is not replaced; use `homedir()` of node:os.',
    )
  })
})

describe('the user of a token in a file', () => {
  test('it is stored with the token of a sign-in', async () => {
    const { file, user, createClient } = setUp()
    const first = createClient()
    await first.auth.login(LOGIN)
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ token: first.session.token, userId: user.id })

    const second = createClient()
    await second.ready
    expect(second.session.user?.id).toBe(user.id)
  })

  test('another token has no user until its own is known', async () => {
    const { service, user, createClient } = setUp()
    const client = createClient()
    await client.auth.login(LOGIN)
    await client.session.setToken(service.token(user))
    const next = createClient()
    await next.ready
    expect(next.session.user).toBeNull()
  })
})

describe('the mode of a token file', () => {
  test('it is 0600, and that of new folders 0700, whatever the umask', async () => {
    const { folder, createClient } = setUp()
    // Mutation tests run in a thread, which cannot change it.
    if (isMainThread) {
      const before = process.umask(0)
      onTestFinished(() => void process.umask(before))
    }
    await createClient(join(folder, 'new', 'nested', 'token.json')).auth.login(LOGIN)

    expect(modeOf(join(folder, 'new'))).toBe('700')
    expect(modeOf(join(folder, 'new/nested'))).toBe('700')
    expect(modeOf(join(folder, 'new/nested/token.json'))).toBe('600')
  })

  test('becomes 0600 when an existing file is read, and when it is replaced', async () => {
    const { folder, createClient } = setUp()
    const file = join(folder, 'token.json')
    writeFileSync(file, '{ "token": "a token" }')
    chmodSync(file, 0o644)
    const client = createClient(file)
    await client.ready
    expect([client.session.token, modeOf(file)]).toEqual(['a token', '600'])

    chmodSync(file, 0o666)
    await client.session.setToken('another token')
    expect(modeOf(file)).toBe('600')
  })

  test('the mode of an existing folder stays as it is', async () => {
    const { folder, createClient } = setUp()
    mkdirSync(join(folder, 'app'))
    chmodSync(join(folder, 'app'), 0o755)
    await createClient().auth.login(LOGIN)
    expect(modeOf(join(folder, 'app'))).toBe('755')
  })
})

describe('a token file that is damaged or cannot be used', () => {
  const DAMAGED: [string, string][] = [
    ['is empty', ''],
    ['is cut off', '{"token":"secret-of-ada'],
    ['is no object', '"secret-of-ada"'],
    ['is null', 'null'],
    ['has no token', '{"access":"secret-of-ada"}'],
    ['has a token that is no string', '{"token":{"value":"secret-of-ada"}}'],
  ]

  test.each(DAMAGED)('rejects calls with its path, never with its content: it %s', async (_, content) => {
    const { folder, createClient } = setUp()
    const file = join(folder, 'token.json')
    writeFileSync(file, content)
    const client = createClient(file)

    const error = await rejectionOf(client.relationships.list(), isRapportError)
    expect(error.message).toMatch(/^The token store failed to load the token\./)
    expect(error.cause).toMatchObject({
      name: 'RapportError',
      message: `The token file ${file} is damaged: it is not a JSON object with a \`token\`. Sign in again or delete it.`,
    })
    expect(inspect(error, { depth: 9, showHidden: true })).not.toMatch(/secret|cut off|Unexpected/)
  })

  test('it is replaced by a sign-in', async () => {
    const { folder, createClient } = setUp()
    const file = join(folder, 'token.json')
    writeFileSync(file, 'damaged')
    const client = createClient(file)
    await client.auth.login(LOGIN)
    expect(await client.relationships.list()).toEqual([])
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ token: client.session.token })
  })

  test('a client keeps its token while the file is damaged, and follows the next valid one', async () => {
    const { file, createClient } = setUp()
    const client = createClient()
    const warned = new Promise((resolve) => client.on('warning', resolve))
    await client.session.setToken('token')
    writeFileSync(file, '{"tok')
    await warned
    expect(client.session.token).toBe('token')

    writeFileSync(file, '{"token":"by hand"}')
    await expect.poll(() => client.session.token).toBe('by hand')
  })

  test('a client keeps its token and warns while the file has an invalid one', async () => {
    const { file, createClient } = setUp()
    const client = createClient()
    const warnings: string[] = []
    client.on('warning', ({ code }) => warnings.push(code))
    await client.session.setToken('token')
    writeFileSync(file, '{"token":"a\\nb"}')
    await expect.poll(() => warnings).toEqual(['invalid_token'])
    expect(client.session.token).toBe('token')

    writeFileSync(file, '{"token":"by hand"}')
    await expect.poll(() => client.session.token).toBe('by hand')
  })

  test('a client keeps its token and warns once if another process damages the file', async () => {
    const damage = async (content: string) => {
      const { file, createClient } = setUp()
      const client = createClient()
      const warnings: unknown[] = []
      client.on('warning', (warning) => warnings.push(warning))
      await client.session.setToken('token')
      writeFileSync(file, content)
      await expect.poll(() => warnings).toHaveLength(1)
      // A store that starts to follow the file now reads it after the client has read it again.
      const store = fileTokenStore(file)
      await new Promise((resolve) => onTestFinished(store.subscribe?.(() => {}, resolve) ?? (() => {})))
      const message = `The token file ${file} is damaged: it is not a JSON object with a \`token\`. Sign in again or delete it.`
      expect(warnings).toEqual([{ code: 'invalid_token', message }])
      expect(client.session.token).toBe('token')
    }
    await Promise.all([...DAMAGED.map(([, content]) => content), 'secret-of-ada\n'].map(damage))
  })

  test('rejects calls with its path and the reason if it cannot be read', async () => {
    const { folder, createClient } = setUp()
    const error = await rejectionOf(createClient(folder).relationships.list(), isRapportError)
    expect(error.cause).toMatchObject({
      message: `The token file ${folder} cannot be read: EISDIR: illegal operation on a directory.`,
      cause: { code: 'EISDIR' },
    })
  })

  test('rejects the sign-in with its path if it cannot be written, and leaves no copy of the token', async () => {
    const { folder, createClient } = setUp()
    mkdirSync(join(folder, 'token.json/nested'), { recursive: true })
    const client = createClient(join(folder, 'token.json'))
    const error = await rejectionOf(client.auth.login(LOGIN), isRapportError)

    expect(error.message).toMatch(
      /^The token is in use, but the token store failed to save it\. .*token\.json cannot be written: E[A-Z]+: /,
    )
    expect(inspect(error, { depth: 9, showHidden: true })).not.toContain(client.session.token)
    expect(readdirSync(folder)).toEqual(['token.json'])
  })

  test('a folder that cannot be created rejects the sign-in with the path of the file', async () => {
    const { folder, createClient } = setUp()
    writeFileSync(join(folder, 'app'), '')
    const error = await rejectionOf(createClient().auth.login(LOGIN), isRapportError)
    expect(error.cause).toMatchObject({ message: expect.stringContaining(join(folder, 'app/token.json')) })
  })
})

test('with a symbolic link, the token is in its target only, and a sign-out removes it there', async () => {
  const { folder, service, user, createClient } = setUp()
  const [link, target] = [join(folder, 'link.json'), join(folder, 'target.json')]
  writeFileSync(target, JSON.stringify({ token: service.token(user) }))
  symlinkSync(target, link)
  const client = createClient(link)
  await client.auth.login(LOGIN)
  expect(JSON.parse(readFileSync(target, 'utf8'))).toEqual({ token: client.session.token, userId: user.id })
  await client.session.setToken(null)
  expect(readdirSync(folder)).toEqual(['link.json'])
})
