import { describe, expect, it, vi } from 'vitest'
import { closed, type DialogPage, openDialogPage } from './dialog-page'
import { speak } from './dialog-states'
import { answer, shows, use } from './dialog-view'
import { browserHarness } from './harness/browser-harness'

const harness = browserHarness({ shared: {} })
const totp = { user: { mfa: ['totp'] } } as const
const all = { user: { mfa: ['totp', 'sms', 'backup', 'webauthn'] } } as const

const UNAVAILABLE = 'The service cannot be reached. Try again.'
const DIGITS = 'Enter the 6 digits of the code.'

const sent = ({ service }: DialogPage) => service.journal.find('Verify MFA')

describe('the dialog after a failure', () => {
  it('stays open after a status 5xx, and the same code can be sent again', async () => {
    const world = await openDialogPage(harness, totp)
    const { service, ada } = world
    service.faults.on('Verify MFA', { status: 503, body: { message: 'broken' }, times: 1 })
    await world.stepUp()
    const code = service.users.totp(ada)
    await answer(world, code)
    await shows(world, { error: UNAVAILABLE, value: code, isInvalid: false })
    await use(world, 'submit')
    await closed(world)
    expect(await world.outcomes()).toEqual(['done'])
  })

  it('stays open after a lost connection, and says so in the words of explain', async () => {
    const world = await openDialogPage(harness, totp)
    const { page, service, ada } = world
    await page.evaluate(() => void Object.assign(window.dialogOptions, { explain: window.rapport.explain }))
    await world.stepUp()
    await page.route('**/mfa/finish', (route) => route.abort(), { times: 1 })
    await answer(world, service.users.totp(ada))
    await shows(world, { error: UNAVAILABLE })
    await use(world, 'submit')
    await closed(world)
    expect(await world.outcomes()).toEqual(['done'])
  })

  it('stays open after too many attempts, counts down, and then accepts another one', async () => {
    const world = await openDialogPage(harness, totp)
    const { page, service, ada } = world
    service.faults.on('Verify MFA', { status: 429, headers: { 'retry-after': '20' }, body: {}, times: 1 })
    await world.stepUp()
    await answer(world, service.users.totp(ada))
    await shows(world, { error: 'Too many attempts.', submit: /^Try again in (?:20|1\d) seconds$/ })
    expect(await page.locator('[part~=submit]').getAttribute('aria-disabled')).toBe('true')
    await page.keyboard.press('Enter')
    await shows(world, { status: '' })
    // The client keeps the limit by a clock of its own.
    await page.evaluate(() => {
      const now = performance.now.bind(performance)
      const dateNow = Date.now.bind(Date)
      performance.now = () => now() + 20_000
      Date.now = () => dateNow() + 20_000
    })
    await shows(world, { submit: 'Verify', error: '', value: /./ })
  })

  it.each([
    ['en', 'Try again in 3 hours'],
    ['pl', 'Spróbuj ponownie za 3 godziny'],
    ['ja', '3 時間後に再試行'],
    ['ar', 'حاول بعد 3 ساعات'],
  ])('says in hours when another one is accepted, in %s', async (language, submit) => {
    const world = await openDialogPage(harness, { name: 'languages', ...totp })
    await speak(world, language)
    world.service.faults.on('Verify MFA', { status: 429, headers: { 'retry-after': '10800' }, body: {}, times: 1 })
    await world.stepUp()
    await answer(world, '000000')
    await shows(world, { submit })
  })

  it('keeps no code of an authenticator app beyond its time', async () => {
    const world = await openDialogPage(harness, all)
    world.service.faults.on('Verify MFA', { status: 503, body: {}, times: 2 })
    await world.stepUp()
    await use(world, 'backup', { input: 'kept-for-ever' }, 'submit')
    await shows(world, { error: UNAVAILABLE, isBusy: false })
    await use(world, 'totp', { input: '123456' }, 'submit')
    await shows(world, { error: UNAVAILABLE, isBusy: false })
    await world.skip(30_000)
    await shows(world, { value: '' })
    await use(world, 'backup')
    await shows(world, { value: 'kept-for-ever' })
  })
})

describe('an input of the dialog', () => {
  it.each([
    ['nothing', '', 'Fill in this field.'],
    ['spaces', '   ', 'Fill in this field.'],
    ['a letter', '12345a', DIGITS],
    ['five digits', '12345', DIGITS],
  ])('%s is not sent, marks the input, and the error leaves with the next key', async (_, code, error) => {
    const world = await openDialogPage(harness, totp)
    await world.stepUp()
    await answer(world, code)
    await shows(world, { error, isInvalid: true })
    await world.page.keyboard.type('1')
    await shows(world, { error: '', isInvalid: false })
    expect(sent(world)).toEqual([])
  })

  it.each([
    [
      'full-width digits',
      (code: string) => code.replace(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit))),
    ],
    ['digits with spaces and hyphens', (code: string) => ` ${code.slice(0, 3)} - ${code.slice(3)} `],
    [
      'digits with marks of direction and a dash',
      (code: string) => `\u200e\u2068${code.slice(0, 3)}\u2013${code.slice(3)}\u2069`,
    ],
  ])('%s are read as a code', async (_, write) => {
    const world = await openDialogPage(harness, totp)
    await world.stepUp()
    await answer(world, write(world.service.users.totp(world.ada)))
    await closed(world)
    expect(await world.outcomes()).toEqual(['done'])
  })

  it('a service with shorter or other codes sets codeLength', async () => {
    const world = await openDialogPage(harness, { ...totp, dialog: { codeLength: 0 } })
    await world.stepUp()
    await answer(world, 'abc')
    await vi.waitFor(() => expect(sent(world)).toHaveLength(1))
  })

  it('with autoSubmit, six digits are sent at once, and not again once they were refused', async () => {
    const world = await openDialogPage(harness, { ...totp, dialog: { autoSubmit: true } })
    const { page, service, ada } = world
    await world.stepUp()
    await page.keyboard.type('000000')
    await shows(world, { error: 'Invalid two-factor code\n2 attempts left.' })
    await page.keyboard.type('000000')
    expect((await shows(world)).status).toBe('')
    await page.keyboard.press('Enter')
    await shows(world, { error: 'This was refused before. Enter another one.' })
    await page.keyboard.type(service.users.totp(ada))
    await closed(world)
    expect(await world.outcomes()).toEqual(['done'])
    expect(sent(world)).toHaveLength(2)
  })

  it('autoSubmit never sends a backup code or a password', async () => {
    const world = await openDialogPage(harness, {
      user: { mfa: ['totp', 'backup'] },
      dialog: { autoSubmit: true },
    })
    await world.stepUp()
    await use(world, 'backup', { input: '' })
    await world.page.keyboard.type('123456')
    expect(await shows(world)).toMatchObject({ value: '123456', status: '', isBusy: false })
  })
})

describe('the dialog', () => {
  it('shows the operation and the account, and has names for password managers', async () => {
    const world = await openDialogPage(harness, all)
    const { page } = world
    await page.evaluate(() => void Object.assign(window.dialogOptions, { account: () => 'ada@example.com' }))
    await world.stepUp()
    await shows(world, { about: 'Sign out of devices · ada@example.com' })
    expect(await page.locator('[part=input]').getAttribute('name')).toBe('code')
  })

  it('shows nothing of an account and an operation that it does not know', async () => {
    const world = await openDialogPage(harness, totp)
    await world.page.evaluate(() => {
      const account = () => {
        throw new Error('account threw')
      }
      Object.assign(window.dialogOptions, { account, words: { operations: {} } })
    })
    await world.stepUp()
    await shows(world, { about: '' })
  })

  it('says that an SMS is on its way, and offers to send it again only after a rate limit', async () => {
    const world = await openDialogPage(harness, { user: { mfa: ['sms'] } })
    const { page, service } = world
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    await page.route('**/mfa/sms/send', async (route) => {
      await held
      await route.continue()
    })
    service.faults.on('Send MFA SMS', { status: 429, headers: { 'retry-after': '600' }, body: {}, times: 1 })
    await world.stepUp()
    await shows(world, { send: 'Send a code' })
    await use(world, 'send')
    await shows(world, { status: 'Sending…' })
    release()
    await shows(world, { send: 'Send again in 10 minutes', canSend: false, status: '', error: 'Too many attempts.' })
    await world.skip(600_000)
    await shows(world, { error: '', send: 'Send again' })
  })
})

it('the state of each method survives a switch to another one and back', async () => {
  const world = await openDialogPage(harness, { ...all, resendAfterMs: 600_000 })
  await world.stepUp()
  await use(world, 'sms', 'send')
  const { status } = await shows(world, { status: /^Code sent to/ })
  await use(world, { input: '12' }, 'backup')
  await shows(world, { value: '', status: '' })
  await use(world, 'submit')
  await shows(world, { error: 'Fill in this field.' })
  await use(world, 'webauthn')
  await shows(world, { error: '' })
  await use(world, 'sms')
  await shows(world, { value: '12', status, send: 'Send again in 10 minutes' })
  await use(world, 'backup')
  await shows(world, { error: 'Fill in this field.' })
})

it('a disabled button looks disabled, and radio buttons have the accent color', async () => {
  const world = await openDialogPage(harness, all)
  await world.page.addStyleTag({ content: ':root { --rapport-accent: rgb(1, 2, 3) }' })
  const release = await world.holdVerification()
  await world.stepUp()
  const style = (selector: string) =>
    world.page.evaluate((selector) => {
      const element = document.querySelector('rapport-mfa-dialog')?.shadowRoot?.querySelector(selector)
      if (!element) throw new Error(`There is no ${selector}.`)
      const { backgroundColor, borderTopStyle, accentColor } = getComputedStyle(element)
      return { backgroundColor, borderTopStyle, accentColor }
    }, selector)
  expect(await style('[part~=submit]')).toMatchObject({ backgroundColor: 'rgb(1, 2, 3)', borderTopStyle: 'solid' })
  await answer(world, '000000')
  await shows(world, { isBusy: true })
  const disabled = { backgroundColor: 'rgb(118, 118, 118)', borderTopStyle: 'dashed' }
  expect(await style('[part~=submit]')).toMatchObject(disabled)
  expect((await style('[part=radio]')).accentColor).toBe('rgb(1, 2, 3)')
  const heights = await world.page.evaluate(() => {
    const root = document.querySelector('rapport-mfa-dialog')?.shadowRoot
    const targets = root?.querySelectorAll('[part=method], [part=input], [part~=button]:not([hidden])') ?? []
    return [...targets].map((element) => element.clientHeight)
  })
  expect(Math.min(...heights)).toBeGreaterThanOrEqual(42)
  release()
})
