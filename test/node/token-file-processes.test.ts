import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Client } from 'rapport-sdk'
import { fileTokenStore } from 'rapport-sdk/node'
import { expect, onTestFinished, test } from 'vitest'
import { bundledScript } from '../temporary-files'
import { setUp } from './token-file'

const script = bundledScript('test/node/token-file-process.ts')

/** Starts another process with the same file. `end` resolves with its output; it must exit by itself. */
function startProcess(...args: string[]) {
  const child = spawn(process.execPath, [script(), ...args])
  onTestFinished(() => void child.kill('SIGKILL'))
  let output = ''
  child.stdout.on('data', (chunk) => {
    output += chunk
  })
  child.stderr.on('data', (chunk) => {
    output += chunk
  })
  const closed = once(child, 'close')
  const end = async () => {
    expect([await closed, output]).toEqual([[0, null], expect.any(String)])
    return output.trim()
  }
  return { output: () => output, closed, end }
}

const runProcess = (...args: string[]) => startProcess(...args).end()

/** Resolves with the types of the next `count` changes of a session. */
function changesOf({ session }: Client, count: number): Promise<string[]> {
  const types: string[] = []
  return new Promise((resolve) => {
    session.onChange(({ type }) => {
      if (types.push(type) === count) resolve(types)
    })
  })
}

test('a client follows the sign-in and the sign-out of another process', async () => {
  const { file, createClient } = setUp()
  const client = createClient()
  await client.ready
  const changes = changesOf(client, 2)
  expect(await runProcess(file, 'sign in', 'token-of-another-process')).toBe('true')
  await expect.poll(() => client.session.token).toBe('token-of-another-process')
  expect(await runProcess(file, 'sign out')).toBe('false')

  expect(await changes).toEqual(['signedIn', 'signedOut'])
})

test('a sign-out keeps the token that another process has stored in the meantime, and the client follows it', async () => {
  const { file } = setUp()
  await fileTokenStore(file).set({ token: 'old token' })
  const late = startProcess(file, 'sign out late', 'new token')
  await expect.poll(late.output).toContain('loaded')
  expect(await runProcess(file, 'sign in', 'new token')).toBe('true')

  expect((await late.end()).split('\n')).toEqual(['loaded', 'kept', 'new token', 'true'])
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ token: 'new token' })
})

test.each([null, 'next token'])(
  'the token of a process that was killed while it saved is removed by set(%j)',
  async (token) => {
    const { file, folder } = setUp()
    const store = fileTokenStore(file)
    await store.set({ token: 'token' })
    const filesOfApp = () => readdirSync(join(folder, 'app')).sort()
    expect(await startProcess(file, 'die during a sign-in', 'secret').closed).toEqual([null, 'SIGKILL'])
    const [, temporary = ''] = filesOfApp()
    expect(temporary).toMatch(/^token\.json\..+\.tmp$/)
    // Perhaps of a process that is still writing.
    await store.set({ token: 'another token' })
    expect(filesOfApp()).toEqual(['token.json', temporary])

    writeFileSync(join(folder, 'app/token.json.backup.tmp'), 'not ours')
    // Also of the future, if the clock was set back.
    const date = (name: string, seconds: number) =>
      utimesSync(join(folder, 'app', name), 0, Date.now() / 1000 + seconds)
    writeFileSync(join(folder, 'app/token.json.0123456789ab.tmp'), 'another token')
    for (const name of filesOfApp()) date(name, -61)
    date('token.json.0123456789ab.tmp', 61)
    await store.set(token === null ? null : { token })
    expect(filesOfApp()).toEqual(token === null ? ['token.json.backup.tmp'] : ['token.json', 'token.json.backup.tmp'])
  },
)

test('processes that write at the same time never read half a token, and agree in the end', async () => {
  const { file, folder, createClient } = setUp()
  const tokens = ['short', 'x'.repeat(100_000), 'y'.repeat(50_000)]
  const client = createClient()
  await client.ready
  const store = fileTokenStore(file)
  const read = new Set<string | null>()
  let isDone = false
  const writers = Promise.all([1, 2].map(() => runProcess(file, 'sign in often', ...tokens)))
  const reader = (async () => {
    while (!isDone) read.add((await store.get())?.token ?? null)
  })()
  await writers
  isDone = true
  await reader

  expect([...read].filter((token) => token !== null && !tokens.includes(token))).toEqual([])
  expect(tokens.every((token) => read.has(token))).toBe(true)
  await expect.poll(async () => client.session.token === (await store.get())?.token).toBe(true)
  expect(readdirSync(join(folder, 'app'))).toEqual(['token.json'])
})
