import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TokenStore } from 'rapport-sdk'
import { fileTokenStore } from 'rapport-sdk/node'
import { expect, test } from 'vitest'

import { LOGIN, setUp } from './token-file'

/** Resolves once a write that starts now has ended three times, for a file that is not locked: an earlier one that has not waits. */
async function unlocked(folder: string, write: (store: TokenStore) => void | Promise<void>): Promise<void> {
  const store = fileTokenStore(join(folder, 'unlocked.json'))
  for (let count = 0; count < 3; count++) {
    await store.set({ token: 'token' })
    await write(store)
  }
}

test('a client follows a sign-in of another one with a single change, which contains the user', async () => {
  const { user, createClient } = setUp()
  const [one, other] = [createClient(), createClient()]
  await other.ready
  const changes: unknown[] = []
  other.session.onChange(({ type, user, source }) => changes.push([type, user?.id, source]))
  await one.auth.login(LOGIN)
  await expect.poll(() => other.session.token).toBe(one.session.token)
  await one.session.setToken(null)
  await expect.poll(() => other.session.token).toBeNull()
  expect(changes).toEqual([
    ['signedIn', user.id, 'store'],
    ['signedOut', undefined, 'store'],
  ])
})

test('a client that starts with the token of another one reports a single change, which contains the user', async () => {
  const { file, user, createClient } = setUp()
  await createClient().auth.login(LOGIN)
  const client = createClient()
  const changes: unknown[][] = []
  client.session.onChange(({ type, user, source }) => changes.push([type, user?.id, source]))
  await client.ready
  await fileTokenStore(file).set({ token: 'the next' })
  await expect.poll(() => client.session.token).toBe('the next')
  expect(changes.filter(([type]) => type === 'signedIn')).toEqual([['signedIn', user.id, 'store']])
  expect(changes).toHaveLength(2)
})

test('a sign-out without a token keeps the token that another client has stored in the meantime', async () => {
  const { file, createClient } = setUp()
  const client = createClient()
  await client.ready
  await fileTokenStore(file).set({ token: 'token of another process' })
  await client.session.setToken(null)
  expect(readFileSync(file, 'utf8')).toContain('token of another process')
  await expect.poll(() => client.session.token).toBe('token of another process')
  await client.session.setToken(null)
  expect(existsSync(file)).toBe(false)
})

test('a sign-out whose client does not know the stored token deletes the file', async () => {
  const { file, createClient } = setUp()
  await fileTokenStore(file).set({ token: 'token' })
  await createClient().session.setToken(null)
  expect(existsSync(file)).toBe(false)
})

test.each([
  ['sign-in', (store: TokenStore) => store.set({ token: 'mine' })],
  ['sign-out', (store: TokenStore) => store.set(null, { token: 'token' })],
])('a %s waits while another process writes', async (_, write) => {
  const { file, folder } = setUp()
  const store = fileTokenStore(file)
  await store.set({ token: 'token' })
  const before = readFileSync(file, 'utf8')
  mkdirSync(`${file}.lock`)
  let isDone = false
  const done = Promise.resolve(write(store)).then(() => {
    isDone = true
  })
  await unlocked(folder, write)
  expect([isDone, readFileSync(file, 'utf8')]).toEqual([false, before])

  rmdirSync(`${file}.lock`)
  await done
  expect(existsSync(`${file}.lock`)).toBe(false)
  expect(existsSync(file) && readFileSync(file, 'utf8')).not.toBe(before)
})

test('a sign-out that waited keeps the token that another process wrote', async () => {
  const { file, folder } = setUp()
  const store = fileTokenStore(file)
  await store.set({ token: 'token' })
  mkdirSync(`${file}.lock`)
  const done = store.set(null, { token: 'token' })
  await unlocked(folder, (other) => other.set(null, { token: 'token' }))
  writeFileSync(file, '{"token":"of another process"}')
  rmdirSync(`${file}.lock`)
  await done
  expect(await store.get()).toEqual({ token: 'of another process' })
})

test('the lock of a process that was killed ends after 5 seconds', async () => {
  const { file, folder } = setUp()
  const store = fileTokenStore(file)
  await store.set({ token: 'token' })
  mkdirSync(`${file}.lock`)
  const lockedAt = Date.now() / 1000 - 4.5
  utimesSync(`${file}.lock`, lockedAt, lockedAt)
  await store.set({ token: 'next' })
  expect(Date.now() - lockedAt * 1000).toBeGreaterThan(4_999)
  expect(await store.get()).toEqual({ token: 'next' })
  expect(readdirSync(join(folder, 'app'))).toEqual(['token.json'])
})

test('a lock of the future is stale too, since the clock may have been set back', async () => {
  const { file } = setUp()
  const store = fileTokenStore(file)
  await store.set({ token: 'token' })
  mkdirSync(`${file}.lock`)
  const lockedAt = Date.now() / 1000 + 3600
  utimesSync(`${file}.lock`, lockedAt, lockedAt)
  await store.set({ token: 'next' })
  expect(await store.get()).toEqual({ token: 'next' })
})

test('a file of another program that is named like the lock stays', async () => {
  const { file } = setUp()
  const store = fileTokenStore(file)
  await store.set({ token: 'token' })
  writeFileSync(`${file}.lock`, 'not ours')
  utimesSync(`${file}.lock`, 0, 0)
  await expect(store.set({ token: 'next' })).rejects.toThrow(/cannot be written: ENOTDIR/)
  expect(readFileSync(`${file}.lock`, 'utf8')).toBe('not ours')
})

test('a client does not notify of its own changes twice', async () => {
  const { file, createClient } = setUp()
  const client = createClient()
  const changes: unknown[] = []
  client.session.onChange(({ type, source }) => changes.push([type, source]))
  for (const [index, token] of ['one', 'two'].entries()) {
    await client.session.setToken(token)
    // The client finds the token of another process when it next reads the file.
    await fileTokenStore(file).set({ token: `other ${index}` })
    await expect.poll(() => client.session.token).toBe(`other ${index}`)
  }
  expect(changes).toEqual([
    ['signedIn', 'client'],
    ['tokenChanged', 'store'],
    ['tokenChanged', 'client'],
    ['tokenChanged', 'store'],
  ])
})

test('a client that was disposed no longer follows the file', async () => {
  const { createClient } = setUp()
  const [one, other, follower] = [createClient(), createClient(), createClient()]
  await Promise.all([one.ready, follower.ready])
  one.dispose()
  // The client would have read the file by the time another one has followed two changes.
  for (const token of ['token', 'the next']) {
    await other.session.setToken(token)
    await expect.poll(() => follower.session.token).toBe(token)
  }
  expect(one.session.token).toBeNull()
})
