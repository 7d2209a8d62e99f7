import { createInterface } from 'node:readline/promises'
import { Duplex, PassThrough, Readable } from 'node:stream'
import { Client, type ClientOptions, isMfaCancelledError, isTimeoutError } from 'rapport-sdk'
import { createMockService } from 'rapport-sdk/mocks'
import { mfaPrompt } from 'rapport-sdk/node'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { reasonOf, rejectionOf } from '../transport/rejection'
import { createTerminal } from './passed-terminal'

const CTRL_C = '\x03'
const CTRL_D = '\x04'
const CTRL_Z = '\x1a'
const LISTENERS = ['data', 'end', 'error', 'keypress', 'readable', 'resize', 'close']

/** Numbers of listeners of an input from which keys were read: only Node's `data` listener for keys stays. */
const AFTERWARDS = [1, 0, 0, 0, 0, 0, 0]

/** A mock, and clients of its users that ask in one terminal. */
function setUp() {
  const service = createMockService()
  const terminal = createTerminal()
  const { input, output } = terminal
  const clients: Client[] = []
  onTestFinished(() => {
    for (const client of clients) client.dispose()
  })
  const account = (username: string, options: Partial<ClientOptions> = {}) => {
    const login = `${username}@example.com`
    const user = service.users.create({ login, username, password: 'correct horse', mfa: ['totp'] })
    const onMfaRequired = mfaPrompt({ input, output, words: { title: () => `${username}:` } })
    const client = new Client({ baseUrl: service.baseUrl, fetch: service.fetch, onMfaRequired, ...options })
    clients.push(client)
    const signIn = () => client.auth.login({ login, password: 'correct horse' })
    return { client, signIn, totp: () => service.users.totp(user) }
  }
  return { service, terminal, account }
}

describe('the end of a prompt', () => {
  test('Ctrl-Z from a stream that is not the terminal of the process, such as an SSH session, is ignored', async () => {
    const kill = vi.spyOn(process, 'kill').mockReturnValue(true)
    onTestFinished(() => kill.mockRestore())
    const { terminal, account } = setUp()
    const { signIn, totp } = account('ada')
    const result = signIn()
    await terminal.type('app: ', `${CTRL_Z}${totp()}\r`)
    expect(await result).toMatchObject({ status: 'complete' })
    expect(kill).not.toHaveBeenCalled()
  })

  test.each([
    ['Ctrl-C', CTRL_C],
    ['Ctrl-D', CTRL_D],
    ['Ctrl-C after some characters', `123${CTRL_C}`],
  ])('%s cancels the call and restores the terminal', async (_, keys) => {
    const { terminal, account } = setUp()
    const result = reasonOf(account('ada').signIn())
    await expect.poll(() => terminal.input.isRaw).toBe(true)
    await terminal.type('Code', keys)

    expect(await result).toSatisfy(isMfaCancelledError)
    expect(terminal.input.isRaw).toBe(false)
    expect(terminal.input.isPaused()).toBe(true)
    expect(LISTENERS.map((type) => terminal.input.listenerCount(type))).toEqual(AFTERWARDS)
    expect(terminal.shown()).toMatch(/: \n$/)
  })

  test('the end of the input cancels the call, and later ones', async () => {
    const { terminal, account } = setUp()
    const { signIn } = account('ada')
    const result = reasonOf(signIn())
    await terminal.type('Code', '')
    terminal.input.end()
    expect(await result).toSatisfy(isMfaCancelledError)
    expect((await rejectionOf(signIn(), isMfaCancelledError)).cause).toBeUndefined()
  })

  test('the prompt closes when its call is aborted', async () => {
    const { terminal, account } = setUp()
    const { client, signIn } = account('ada')
    const result = reasonOf(signIn())
    await terminal.type('Code', '123')
    client.dispose()

    expect(await result).toMatchObject({ message: 'The client was disposed.' })
    await expect.poll(() => terminal.shown()).toMatch(/: \nAn answer is no longer needed\.\n$/)
    expect(terminal.input.isRaw).toBe(false)
  })

  test('the prompt closes after mfaTimeout', async () => {
    const { terminal, account } = setUp()
    await rejectionOf(account('ada', { mfaTimeout: 50 }).signIn(), isTimeoutError)
    await expect.poll(() => terminal.shown()).toMatch(/An answer is no longer needed\.\n$/)
    expect(terminal.input.isRaw).toBe(false)
  })

  test('a terminal that was in raw mode and read before is so again', async () => {
    const { terminal, account } = setUp()
    terminal.input.setRawMode(true)
    const keys: string[] = []
    terminal.input.on('data', (chunk) => keys.push(String(chunk)))
    const { signIn, totp } = account('ada')
    const result = signIn()
    await terminal.type('Code', `${totp()}\r`)
    await result

    expect([terminal.input.isRaw, terminal.input.isPaused()]).toEqual([true, false])
    terminal.input.write('q')
    await expect.poll(() => keys.at(-1)).toBe('q')
  })

  test('a readline interface of the app neither shows the code nor takes it, and goes on afterwards', async () => {
    const { terminal, account } = setUp()
    const shown: string[] = []
    const output = new PassThrough().on('data', (chunk) => shown.push(String(chunk)))
    const readline = createInterface({ input: terminal.input, output, terminal: true })
    const taken: string[] = []
    readline.on('line', (line) => taken.push(line))
    const { signIn, totp } = account('ada')
    const result = signIn()
    const code = totp()
    await terminal.type('Code', `${code}\r`)
    await result

    terminal.input.write('next\r')
    await expect.poll(() => taken).toEqual(['next'])
    expect(shown.join('')).not.toContain(code)
    readline.close()
    expect(terminal.input.listenerCount('keypress')).toBe(0)
  })

  test('several lines may come at once, as from a file', async () => {
    const { service, account } = setUp()
    const user = service.users.create({
      login: 'grace@example.com',
      password: 'correct horse',
      mfa: ['totp', 'backup'],
    })
    const input = Readable.from([`1\n${service.users.totp(user)}\n`])
    const output = new PassThrough()
    const { client } = account('ada', { onMfaRequired: mfaPrompt({ input, output }) })
    const { status } = await client.auth.login({ login: 'grace@example.com', password: 'correct horse' })
    expect(status).toBe('complete')
  })
})

describe('a stream that breaks during a prompt', () => {
  const REASON = 'Login Account requires a second factor, which mfaPrompt can no longer ask for: '

  test.each([
    ['an input that is destroyed with an error', 'input', new Error('read EIO'), 'its input failed: read EIO.'],
    ['an input that is destroyed', 'input', undefined, 'its input was closed.'],
    [
      'an output that is destroyed with an error',
      'output',
      new Error('write EPIPE'),
      'its output failed: write EPIPE.',
    ],
    ['an output that is destroyed', 'output', undefined, 'its output was closed.'],
  ] as const)('%s cancels the call with the reason', async (_, side, error, reason) => {
    const { terminal, account } = setUp()
    const { signIn } = account('ada')
    const listeners = () => [terminal.output.listenerCount('error'), terminal.output.listenerCount('close')]
    const before = listeners()
    const result = rejectionOf(signIn(), isMfaCancelledError)
    await terminal.type('Code', '123')
    terminal[side].destroy(error)

    const { message, cause } = await result
    expect(message).toContain(`${REASON}${reason}`)
    expect(cause).toMatchObject({ name: 'RapportError', message: `${REASON}${reason}`, cause: error })
    expect(terminal.input.isRaw).toBe(false)
    expect(LISTENERS.map((type) => terminal.input.listenerCount(type))).toEqual(AFTERWARDS)
    expect(listeners()).toEqual(before)
  })

  test('a later prompt on a destroyed input is cancelled with the same reason', async () => {
    const { terminal, account } = setUp()
    const { signIn } = account('ada')
    const result = reasonOf(signIn())
    await terminal.type('Code', '')
    terminal.input.destroy()
    await result
    const { cause } = await rejectionOf(signIn(), isMfaCancelledError)
    expect(cause).toMatchObject({ message: `${REASON}its input was closed.` })
  })

  test('one stream for both directions, such as an SSH channel, cancels the call when the connection is lost', async () => {
    const { account } = setUp()
    const written: string[] = []
    const channel = new Duplex({
      read() {},
      write(chunk, _, done) {
        written.push(String(chunk))
        done()
      },
    })
    const onMfaRequired = mfaPrompt({ input: channel, output: channel })
    const result = rejectionOf(account('ada', { onMfaRequired }).signIn(), isMfaCancelledError)
    await expect.poll(() => written.join('')).toContain('Code')
    channel.destroy(new Error('read ECONNRESET'))
    expect((await result).cause).toMatchObject({ message: `${REASON}its input failed: read ECONNRESET.` })
  })

  test('a terminal whose raw mode can no longer be left, because it hung up, cancels the call', async () => {
    const { terminal, account } = setUp()
    const { input } = terminal
    input.setRawMode(true)
    const result = rejectionOf(account('ada').signIn(), isMfaCancelledError)
    await terminal.type('Code', '123')
    // As tty.ReadStream does.
    input.setRawMode = () => input.emit('error', new Error('setRawMode EIO'))
    input.destroy(new Error('read EIO'))
    expect((await result).cause).toMatchObject({ message: `${REASON}its input failed: read EIO.` })
  })

  test('a line that was entered before the input broke is still an answer', async () => {
    const { terminal, account } = setUp()
    const { signIn, totp } = account('ada')
    const result = signIn()
    await terminal.type('Code', `${totp()}\r`)
    terminal.input.destroy()
    expect(await result).toMatchObject({ status: 'complete' })
  })
})

describe('two prompts at once', () => {
  test('a prompt waits until the one before it has its last answer', async () => {
    const { terminal, account } = setUp()
    const [ada, grace] = [account('ada'), account('grace')]
    const results = [ada.signIn(), grace.signIn()]
    await terminal.type('Code', '000000\r')
    await terminal.type('Code', `${ada.totp()}\r`)
    await terminal.type('Code', `${grace.totp()}\r`)
    await Promise.all(results)

    const question = 'Code of your authenticator app: '
    expect(terminal.shown().split('\n')).toEqual([
      ...['ada:', question, 'Invalid two-factor code', '2 attempts left.', question],
      ...['grace:', question, ''],
    ])
  })

  test('a prompt that is aborted while it waits is not shown', async () => {
    const { terminal, account } = setUp()
    const [ada, grace, barbara] = [account('ada'), account('grace'), account('barbara')]
    const results = [ada.signIn(), reasonOf(grace.signIn()), barbara.signIn()]
    await terminal.type('Code', '')
    grace.client.dispose()
    terminal.input.write(`${ada.totp()}\r`)
    await terminal.type('Code', `${barbara.totp()}\r`)
    await Promise.all(results)
    expect(terminal.shown()).not.toContain('grace')
  })

  test('a challenge that the app verifies itself does not hold up the next prompt', async () => {
    const { terminal, account, service } = setUp()
    const prompt = mfaPrompt(terminal)
    const ada = account('ada', { onMfaRequired: undefined })
    const result = await ada.signIn()
    if (result.status !== 'mfa') throw new Error('the login requires no second factor')
    const answer = prompt(result.challenge as Parameters<typeof prompt>[0])
    await terminal.type('Code', `${ada.totp()}\r`)
    const given = await answer

    const grace = account('grace')
    const second = grace.signIn()
    await terminal.type('Code', `${grace.totp()}\r`)
    await second
    expect(given && (await result.challenge.verify(given))).toMatchObject({ status: 'complete' })
    expect(service.journal.find('Verify MFA Login')).toHaveLength(2)
  })
})
