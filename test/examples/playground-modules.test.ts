import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { completeModule } from '../../examples/playground/code/setup'
import type { Values } from '../../examples/playground/code/source'
import { bundle } from '../../scripts/docs/bundle'
import { inParallel, type Run, runModule } from '../../scripts/docs/run-child'
import { compilerErrors } from '../compiler-errors'

/** The functions whose code the playground shows, by file; the values that the page has for them. */
const SHOWN: Readonly<Record<string, Readonly<Record<string, Values>>>> = {
  client: { inMemory: {}, inThisTab: { key: 'k' }, inAllTabs: { key: 'k' }, createClient: {}, followOtherTabs: {} },
  failures: {
    serverError: {},
    rateLimit: {},
    lostConnection: {},
    refusedCode: {},
    invalidInput: { note: 'Shall we play chess? '.repeat(7) },
  },
  friends: {
    followFriends: {},
    sendRequest: { username: 'ada', note: 'It’s me' },
    acceptRequest: { userId: '1' },
    removeFriend: { userId: '1' },
  },
  passkeys: { registerDevice: {} },
  sessions: {
    endTenSessions: {},
    listSessions: {},
    endSessions: { hashes: [] },
    signInElsewhere: {},
    waitFiveMinutes: {},
  },
  'sign-in': {
    signIn: { login: 'ada@example.test' },
    signInWithPasskey: {},
    signOut: {},
    requestReset: { login: 'ada@example.test' },
    resetPassword: {},
  },
  widgets: { replaceWidgets: { widgets: [{ data: { type: 'favorite_games', games: [{ game_id: '1' }] } }] } },
}

/** What the program prints, if anything. */
const PRINTED: Readonly<Record<string, string>> = {
  lostConnection: '0\n',
  invalidInput: 'at most 120',
  signIn: 'complete\n',
  serverError: 'id_hash',
  listSessions: 'id_hash',
  replaceWidgets: 'favorite_games',
  followFriends: "username: 'grace'",
  requestReset: 'password_reset',
}

const modules: Record<string, string> = {}
let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'playground-modules-'))
  for (const [file, functions] of Object.entries(SHOWN)) {
    const source = await readFile(join('examples/playground/snippets', `${file}.ts`), 'utf8')
    const names = [...source.matchAll(/^export (?:async )?function (\w+)/gm)].map(([, name]) => name)
    expect(Object.keys(functions)).toEqual(names)
    for (const [name, values] of Object.entries(functions)) modules[name] = completeModule(source, name, values)
  }
})
afterAll(() => rm(folder, { recursive: true }))

test('each copied module of the playground compiles by itself', () => {
  expect(compilerErrors(modules, '')).toEqual([])
})

test('each copied module of the playground that needs no browser runs in Node and exits', async () => {
  const names = Object.keys(modules).filter((name) => name !== 'registerDevice')
  const files = names.map((name) => join(folder, `${name}.mts`))
  for (const [at, file] of files.entries()) await writeFile(file, modules[names[at] ?? ''] ?? '')
  const programs = await bundle(files, join(folder, 'bundles'))
  const runs = await inParallel(programs, 2, (program) => runModule(program))
  const results = Object.fromEntries(names.map((name, at): [string, Run | undefined] => [name, runs[at]]))
  for (const [name, run] of Object.entries(results)) {
    expect(run, name).toMatchObject({ failed: false, stderr: '' })
    expect(run?.stdout, name).toContain(PRINTED[name] ?? '')
  }
})
