import { Client, type ClientOptions, isMfaCancelledError, isMfaFailedError } from 'rapport-sdk'
import { createMockService } from 'rapport-sdk/mocks'
import { mfaPrompt, type PartialMfaPromptWords } from 'rapport-sdk/node'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { reasonOf, rejectionOf } from '../transport/rejection'
import { createTerminal } from './passed-terminal'

const CTRL_C = '\x03'
const BACKSPACE = '\x7f'
const ARROW_UP = '\x1b[A'

type Mfa = NonNullable<Parameters<ReturnType<typeof createMockService>['users']['create']>[0]['mfa']>

interface SetUpOptions extends Partial<ClientOptions> {
  readonly words?: PartialMfaPromptWords
  /** Whether the output is a terminal. */
  readonly isTTY?: boolean
}

/** A mock with Ada's account, and a client of hers that asks in `terminal`. */
function setUp(mfa: Mfa, { words, isTTY, ...options }: SetUpOptions = {}) {
  const service = createMockService()
  const user = service.users.create({ login: 'ada@example.com', password: 'correct horse', phone: '+15550100100', mfa })
  const terminal = createTerminal({ isTTY })
  const { input, output } = terminal
  const onMfaRequired = mfaPrompt({ input, output, words })
  const client = new Client({ baseUrl: service.baseUrl, fetch: service.fetch, onMfaRequired, ...options })
  onTestFinished(() => client.dispose())
  const login = () => client.auth.login({ login: 'ada@example.com', password: 'correct horse' })
  return { service, user, terminal, client, login, onMfaRequired }
}

describe('the prompt', () => {
  test('mfaPrompt asks for a code, which is not shown', async () => {
    const { service, user, terminal, login } = setUp(['totp'])
    const result = login()
    const code = service.users.totp(user)
    await terminal.type('Code of your authenticator app: ', `${code}\r`)

    expect(await result).toMatchObject({ status: 'complete' })
    expect(terminal.shown()).toBe('Signing in requires a second factor.\nCode of your authenticator app: \n')
  })

  test('mfaPrompt names the call that requires a second factor', async () => {
    const { service, user, terminal, client } = setUp(['totp'])
    await client.session.setToken(service.token(user))
    const call = client.auth.sessions.logout({ session_id_hashes: ['a hash'] })
    await terminal.type(': ', `${service.users.totp(user)}\r`)
    await call
    expect(terminal.shown()).toMatch(/^Logout Auth Sessions requires a second factor\.\n/)
  })

  test('a code may be pasted with spaces, and corrected before Enter', async () => {
    const { service, user, terminal, login } = setUp(['totp'])
    const result = login()
    const code = service.users.totp(user)
    await terminal.type(': ', `9${BACKSPACE} ${code.slice(0, 3)} ${code.slice(3)}4${BACKSPACE}\r`)
    expect(await result).toMatchObject({ status: 'complete' })
  })

  test('an empty code is not sent, and asked for again', async () => {
    const { service, user, terminal, login } = setUp(['totp'])
    const result = login()
    await terminal.type(': ', '\r')
    await terminal.type('Code of your authenticator app: ', ' \r')
    await terminal.type('Code of your authenticator app: ', `${service.users.totp(user)}\r`)
    await result
    expect(service.journal.find('Verify MFA Login')).toHaveLength(1)
  })

  test('a password is sent with its spaces', async () => {
    const service = createMockService({ policy: { requireMfa: () => true } })
    const user = service.users.create({ login: 'ada@example.com', password: ' correct horse ' })
    const { input, output, type } = createTerminal()
    const onMfaRequired = mfaPrompt({ input, output })
    const token = service.token(user)
    const client = new Client({ baseUrl: service.baseUrl, fetch: service.fetch, token, onMfaRequired })
    const call = client.auth.sessions.logout({ session_id_hashes: ['a hash'] })
    await type('Password: ', ' correct horse \r')
    await call
    expect(service.journal.find('Logout Auth Sessions')).toHaveLength(2)
  })

  test.each([
    ['with its Enter', '1\r', (code: string) => [`${code}\r`]],
    ['without its Enter', '1\r', (code: string) => [code, '\r']],
    ['in two chunks', '1\r', (code: string) => [code.slice(0, 2), `${code.slice(2)}\r`]],
    ['after an invalid choice', '9\r1\r', (code: string) => [code, '\r']],
  ])('a code that arrives with the choice of a method, %s, is not shown', async (_, choice, chunksOf) => {
    const { service, user, terminal, login } = setUp(['totp', 'sms'])
    const result = login()
    const code = service.users.totp(user)
    const [first = '', ...rest] = chunksOf(code)
    await terminal.type('[1]: ', `${choice}${first}`)
    if (rest[0] !== undefined) await terminal.type('Code of your authenticator app', rest[0])

    expect(await result).toMatchObject({ status: 'complete' })
    expect(terminal.lines().join('\n')).toMatch(/\[1\]: \d\n(Number.*\n)?Code of your [^\n]*: \n$/)
    expect(terminal.shown()).not.toMatch(new RegExp([...code].join('[^\\n]*')))
  })

  test('a method whose number was typed ahead can be corrected at the menu', async () => {
    const { service, user, terminal, login } = setUp(['totp', 'sms', 'backup'])
    const result = login()
    const [backup = ''] = service.users.backupCodes(user)
    await terminal.type('[1]: ', '9\r1')
    await terminal.type('[1]: 1', `2${BACKSPACE}${BACKSPACE}3\r`)
    await terminal.type('Backup code', `${backup}\r`)
    expect(await result).toMatchObject({ status: 'complete' })
  })

  test('an output that is not a terminal receives no control sequences, and numbers once they are entered', async () => {
    const { service, user, login, terminal } = setUp(['totp', 'sms', 'backup'], { isTTY: false })
    const result = login()
    const [backup = ''] = service.users.backupCodes(user)
    await terminal.type('[1]: ', '\u202e9\r')
    await terminal.type('[1]: ', `2${BACKSPACE}3\r`)
    await terminal.type('Backup code', `${backup}\r`)
    await result
    expect(terminal.shown().split('\n')).toEqual([
      'Signing in requires a second factor.',
      ...['  1  Code of your authenticator app', '  2  Send a code by SMS', '  3  Backup code'],
      ...['Number from 1 to 3 [1]:  9', 'Number from 1 to 3 [1]: 3'],
      ...['Backup code (Enter shows other methods): ', ''],
    ])
  })

  test('a refused code shows the message of the service and the number of attempts left', async () => {
    const { terminal, login } = setUp(['totp'])
    const failed = rejectionOf(login(), isMfaFailedError)
    await terminal.type(': ', '000000\r')
    await terminal.type('Code of your authenticator app: ', '000001\r')
    await terminal.type('Code of your authenticator app: ', '000002\r')

    expect((await failed).attempts).toBe(3)
    const question = 'Code of your authenticator app: '
    expect(terminal.shown().split('\n')).toEqual([
      ...['Signing in requires a second factor.', question],
      ...['Invalid two-factor code', '2 attempts left.', question],
      ...['Invalid two-factor code', '1 attempt left.', question, ''],
    ])
  })

  test('a refused code that is typed again is not sent, and asked for again', async () => {
    const { service, user, terminal, login } = setUp(['totp'])
    const result = login()
    const question = 'Code of your authenticator app: '
    await terminal.type(question, '000000\r')
    await terminal.type(question, '000 000\r')
    await terminal.type(question, `${service.users.totp(user)}\r`)

    expect(await result).toMatchObject({ status: 'complete' })
    expect(service.journal.find('Verify MFA Login')).toHaveLength(2)
    expect(terminal.lines()).toEqual([
      ...['Signing in requires a second factor.', question],
      ...['Invalid two-factor code', '2 attempts left.', question],
      ...['This was refused before. Enter another one.', question, ''],
    ])
  })

  test('the arrow keys do not show an earlier code', async () => {
    const { terminal, login } = setUp(['totp', 'backup'])
    const result = reasonOf(login())
    await terminal.type('[1]: ', '1\r')
    await terminal.type('app', '424242\r')
    await terminal.type('app', '\r')
    await terminal.type('[1]: ', `${ARROW_UP}${CTRL_C}`)
    await result
    expect(terminal.shown()).not.toContain('424242')
  })

  test('control characters in a message of the service are not printed', async () => {
    const { service, terminal, login } = setUp(['totp'])
    const message = 'Wrong\x1b[2J\r\ncode\x9b1A'
    service.faults.on('Verify MFA Login', { status: 400, body: { code: 60008, message } })
    const result = reasonOf(login())
    await terminal.type(': ', '000000\r')
    await terminal.type(': ', CTRL_C)
    await result
    expect(terminal.shown()).toContain('\nWrong [2J code 1A\n')
  })

  test('characters that reorder or hide text are not printed, and a long message is cut off', async () => {
    const { service, terminal, login } = setUp(['totp'])
    const message = `Wrong\u202e\u2066code\u200b\u2028next\u2029\u{e0041}${'x'.repeat(100_000)}`
    service.faults.on('Verify MFA Login', { status: 400, body: { code: 60008, message } })
    const result = reasonOf(login())
    await terminal.type(': ', '000000\r')
    await terminal.type(': ', CTRL_C)
    await result
    expect(terminal.shown()).toMatch(/\nWrong code next x{400,490}\n/)
  })

  test('the phone number that the service returns is printed without control characters', async () => {
    const { service, terminal, login } = setUp(['sms'])
    service.faults.on('Send MFA SMS', { status: 200, body: { phone: '+1\x1b[2J\u202e**00' } })
    const call = reasonOf(login())
    await terminal.type('Enter sends it', '\r')
    await terminal.type('Enter sends another', CTRL_C)
    await call
    expect(terminal.lines()).toContain('Sent to +1 [2J **00.')
  })
})

describe('the choice of a method', () => {
  test('the user chooses one of several methods', async () => {
    const { service, user, terminal, login } = setUp(['totp', 'sms', 'backup'])
    const result = login()
    const [backup = ''] = service.users.backupCodes(user)
    await terminal.type('Number from 1 to 3 [1]: ', '4\r')
    await terminal.type('Number from 1 to 3 [1]: ', '3\r')
    await terminal.type('Backup code (Enter shows other methods): ', `${backup}\r`)

    expect(await result).toMatchObject({ status: 'complete' })
    expect(terminal.shown()).toContain(
      '\n  1  Code of your authenticator app\n  2  Send a code by SMS\n  3  Backup code\n',
    )
    expect(service.sms.all()).toEqual([])
  })

  test('Enter alone chooses the first method, and at a code another one', async () => {
    const { service, user, terminal, login } = setUp(['totp', 'backup'])
    const result = login()
    const [backup = ''] = service.users.backupCodes(user)
    await terminal.type('[1]: ', '\r')
    await terminal.type('Code of your authenticator app (Enter shows other methods): ', '\r')
    await terminal.type('[1]: ', '2\r')
    await terminal.type('Backup code', '\r')
    await terminal.type('[2]: ', '\r')
    await terminal.type('Backup code', `${backup}\r`)
    expect(await result).toMatchObject({ status: 'complete' })
  })

  test('after a refused code, the prompt stays with its method', async () => {
    const { service, user, terminal, login } = setUp(['totp', 'backup'])
    const result = login()
    const [backup = ''] = service.users.backupCodes(user)
    await terminal.type('[1]: ', '2\r')
    await terminal.type('Backup code', 'wrong\r')
    await terminal.type('Backup code', `${backup}\r`)
    expect(await result).toMatchObject({ status: 'complete' })
  })

  test('methods that a terminal cannot ask for are not offered', async () => {
    const { service, user, terminal, login } = setUp(['webauthn', 'totp'])
    const result = login()
    await terminal.type('Code of your authenticator app: ', `${service.users.totp(user)}\r`)
    expect(await result).toMatchObject({ status: 'complete' })
  })

  test('a call that requires a passkey is cancelled with an error that names what is supported', async () => {
    const { login, terminal } = setUp(['webauthn'])
    const { cause } = await rejectionOf(login(), isMfaCancelledError)
    expect(cause).toMatchObject({
      message:
        'Login Account requires a second factor that mfaPrompt does not support: webauthn. It supports totp, sms, backup, password.',
    })
    expect(terminal.shown()).toBe('')
  })

  test('a method that is unknown to mfaPrompt is named in the error without control characters', async () => {
    const { service, user, client } = setUp(['totp'])
    await client.session.setToken(service.token(user))
    const type = `\x1b]0;title\x07\u202eEVIL\n${'x'.repeat(10_000)}`
    const body = { code: 60003, message: 'MFA required', mfa: { ticket: 'ticket', methods: [{ type }] } }
    service.faults.on('Logout Auth Sessions', { status: 401, body })
    const call = client.auth.sessions.logout({ session_id_hashes: ['a hash'] })
    const { message } = await rejectionOf(call, isMfaCancelledError)
    expect(message).toMatch(/does not support: {2}\]0;title EVIL x{400,490}\. It supports totp/)
  })
})

describe('a code by SMS', () => {
  test('an SMS is sent only when the user presses Enter, and shows the redacted number', async () => {
    const { service, terminal, login } = setUp(['sms'])
    const result = login()
    await expect.poll(() => terminal.lines().at(-1)).toBe('Code of the SMS (Enter sends it): ')
    expect(service.sms.all()).toEqual([])
    await terminal.type(': ', '\r')
    await expect.poll(() => terminal.lines().at(-1)).toBe('Code of the SMS (Enter sends another): ')
    await terminal.type(': ', `${service.sms.last('+15550100100', 'mfa').code}\r`)

    expect(await result).toMatchObject({ status: 'complete' })
    expect(terminal.shown()).toMatch(/\nSent to \S*\*+\S*\.\n/)
    expect(terminal.shown()).not.toContain('+15550100100')
  })

  test('the choice of SMS sends one', async () => {
    const { service, terminal, login } = setUp(['totp', 'sms'])
    const result = login()
    await terminal.type('[1]: ', '2\r')
    await expect.poll(() => terminal.lines().at(-1)).toContain('Code of the SMS (Enter shows other methods): ')
    await terminal.type(': ', `${service.sms.last('+15550100100', 'mfa').code}\r`)
    expect(await result).toMatchObject({ status: 'complete' })
  })

  test('another SMS is sent at most every 30 seconds, also after a refused code', async () => {
    const { service, terminal, login } = setUp(['sms'])
    const clock = vi.spyOn(performance, 'now')
    onTestFinished(() => clock.mockRestore())
    clock.mockReturnValue(0)
    const result = login()
    await terminal.type('Enter sends it', '\r')
    await terminal.type('Enter sends another', '000000\r')
    clock.mockReturnValue(21_500)
    await terminal.type('Enter sends another', '\r')
    await terminal.type('Enter sends another', '')
    expect(terminal.shown()).toContain('\nAnother SMS can be sent in 9 s.\n')
    expect(service.sms.all()).toHaveLength(1)

    clock.mockReturnValue(30_000)
    terminal.input.write('\r')
    await expect.poll(() => service.sms.all().length).toBe(2)
    await terminal.type('Enter sends another', `${service.sms.last('+15550100100', 'mfa').code}\r`)
    expect(await result).toMatchObject({ status: 'complete' })
  })

  test('an SMS that cannot be sent shows the error, and the prompt goes on', async () => {
    const { service, terminal, login } = setUp(['sms'], { retry: 0 })
    service.faults.on('Send MFA SMS', { status: 429, retryAfter: 7, times: 1 })
    const result = reasonOf(login())
    await terminal.type('Enter sends it', '\r')
    await terminal.type('Enter sends it', CTRL_C)
    expect(terminal.shown()).toContain('Try again in 7 seconds.')
    expect(await result).toSatisfy(isMfaCancelledError)
  })

  test('Ctrl-C cancels while an SMS is being sent', async () => {
    const { service, terminal, login } = setUp(['sms'])
    service.faults.on('Send MFA SMS', { latency: 60_000 })
    const result = reasonOf(login())
    await terminal.type('Enter sends it', '\r')
    terminal.input.write(`123456\r${CTRL_C}`)
    expect(await result).toSatisfy(isMfaCancelledError)
  })
})

test('texts that are not replaced, or are undefined, stay as they are', async () => {
  const { service, user, terminal, login } = setUp(['totp', 'sms'], {
    words: {
      title: undefined,
      choices: { totp: 'App' },
      prompts: { totp: undefined },
      enter: { otherMethod: 'Enter: back' },
      errors: { codeRefused: { message: undefined } },
    },
  })
  const result = login()
  await terminal.type('[1]: ', '1\r')
  await terminal.type('app', '000000\r')
  await terminal.type('app', '\r')
  await terminal.type('[1]: ', `1\r${service.users.totp(user)}\r`)
  await result
  const question = 'Code of your authenticator app (Enter: back): '
  const menu = ['  1  App', '  2  Send a code by SMS', 'Number from 1 to 2 [1]: 1']
  expect(terminal.lines()).toEqual([
    ...['Signing in requires a second factor.', ...menu, question],
    ...['Invalid two-factor code', '2 attempts left.', question, ...menu, question, ''],
  ])
})

test('all texts can be replaced', async () => {
  const { service, terminal, login } = setUp(['totp', 'sms'], {
    words: {
      title: ({ endpoint }) => `${endpoint} verlangt einen zweiten Faktor.`,
      choices: { totp: 'App', sms: 'SMS senden', backup: 'Ersatzcode', password: 'Passwort' },
      choose: (count, preset) => `Nummer (1 bis ${count}, sonst ${preset})`,
      prompts: { totp: 'Code', sms: 'Code der SMS', backup: 'Ersatzcode', password: 'Passwort' },
      enter: { send: 'Enter: senden', sendAgain: 'Enter: nochmals senden', otherMethod: 'Enter: anders' },
      sent: () => 'Gesendet.',
      sendAgainIn: (seconds) => `Noch ${seconds} s.`,
      attemptsLeft: (count) => `Noch ${count} Versuche.`,
      repeated: 'Wurde schon abgelehnt.',
      closed: 'Nicht mehr nötig.',
      errors: { codeRefused: { message: 'Der Code ist falsch.' } },
    },
  })
  const result = reasonOf(login())
  await terminal.type('Nummer', '2\r')
  await terminal.type('Code', '\r')
  await terminal.type('Nummer', '2\r')
  await terminal.type('Code', '000000\r')
  await terminal.type('Code', '000000\r')
  await terminal.type('Code', CTRL_C)
  await result
  expect(service.sms.all()).toHaveLength(1)
  expect(terminal.lines()).toEqual([
    ...['Login Account verlangt einen zweiten Faktor.', '  1  App', '  2  SMS senden'],
    ...['Nummer (1 bis 2, sonst 1): 2', 'Gesendet.', 'Code der SMS (Enter: anders): '],
    ...['  1  App', '  2  SMS senden', 'Nummer (1 bis 2, sonst 2): 2', expect.stringMatching(/^Noch \d+ s\.$/)],
    ...['Code der SMS (Enter: anders): ', 'Der Code ist falsch.', 'Noch 2 Versuche.'],
    ...['Code der SMS (Enter: anders): ', 'Wurde schon abgelehnt.', 'Code der SMS (Enter: anders): ', ''],
  ])
})
