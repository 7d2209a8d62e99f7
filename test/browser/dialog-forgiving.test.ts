import { describe, expect, it, vi } from 'vitest'
import { closed, type DialogPage, openDialogPage } from './dialog-page'
import { browserHarness } from './harness/browser-harness'

const harness = browserHarness({ shared: {} })
const totp = { user: { mfa: ['totp'] } } as const
const all = { user: { mfa: ['totp', 'sms', 'backup', 'webauthn'] } } as const

const UNAVAILABLE = 'The service cannot be reached. Try again.'
const DIGITS = 'Enter the 6 digits of the code.'

const shows = (world: DialogPage, error: string) =>
  vi.waitFor(async () => expect(await world.error.innerText()).toBe(error))

/** Enters a code and submits it. */
async function answer({ dialog, submit }: DialogPage, code: string): Promise<void> {
  await dialog.getByRole('textbox').fill(code)
  await submit.click()
}

const sent = ({ service }: DialogPage) => service.journal.find('Verify MFA')

describe('the dialog after a failure', () => {
  it('stays open after a status 5xx, and the same code can be sent again', async () => {
    const world = await openDialogPage(harness, totp)
    const { service, ada, dialog } = world
    service.faults.on('Verify MFA', { status: 503, body: { message: 'broken' }, times: 1 })
    await world.stepUp()
    const code = service.users.totp(ada)
    await answer(world, code)
    await shows(world, UNAVAILABLE)
    expect(await dialog.getByRole('textbox').inputValue()).toBe(code)
    expect(await dialog.getByRole('textbox').getAttribute('aria-invalid')).toBe('false')
    await world.submit.click()
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
    await shows(world, 'The service cannot be reached. Try again.')
    await world.submit.click()
    await closed(world)
    expect(await world.outcomes()).toEqual(['done'])
  })

  it('stays open after too many attempts, counts down, and then accepts another one', async () => {
    const world = await openDialogPage(harness, totp)
    const { page, service, ada, dialog } = world
    service.faults.on('Verify MFA', { status: 429, headers: { 'retry-after': '20' }, body: {}, times: 1 })
    await world.stepUp()
    await answer(world, service.users.totp(ada))
    await shows(world, 'Too many attempts.')
    expect(await world.submit.textContent()).toMatch(/^Try again in (?:20|1\d) s$/)
    expect(await world.submit.getAttribute('aria-disabled')).toBe('true')
    await page.keyboard.press('Enter')
    expect(await world.status.textContent()).toBe('')
    // The client keeps the limit by a clock of its own.
    await page.evaluate(() => {
      const now = performance.now.bind(performance)
      const dateNow = Date.now.bind(Date)
      performance.now = () => now() + 20_000
      Date.now = () => dateNow() + 20_000
    })
    await vi.waitFor(async () => expect(await world.submit.textContent()).toBe('Verify'))
    expect(await world.error.textContent()).toBe('')
    expect(await dialog.getByRole('textbox').inputValue()).not.toBe('')
  })

  it('keeps no code of an authenticator app beyond its time', async () => {
    const world = await openDialogPage(harness, all)
    const { service, dialog } = world
    service.faults.on('Verify MFA', { status: 503, body: {}, times: 2 })
    await world.stepUp()
    await dialog.getByRole('radio', { name: 'Backup code' }).check()
    await answer(world, 'kept-for-ever')
    await shows(world, UNAVAILABLE)
    await dialog.getByRole('radio', { name: 'Authenticator app' }).check()
    await answer(world, '123456')
    await shows(world, UNAVAILABLE)
    await world.skip(30_000)
    await vi.waitFor(async () => expect(await dialog.getByRole('textbox').inputValue()).toBe(''))
    await dialog.getByRole('radio', { name: 'Backup code' }).check()
    expect(await dialog.getByRole('textbox').inputValue()).toBe('kept-for-ever')
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
    const { page, dialog } = world
    await world.stepUp()
    const input = dialog.getByRole('textbox')
    await answer(world, code)
    expect(await world.error.textContent()).toBe(error)
    expect(await input.getAttribute('aria-invalid')).toBe('true')
    await page.keyboard.type('1')
    expect(await world.error.textContent()).toBe('')
    expect(await input.getAttribute('aria-invalid')).toBe('false')
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
    await shows(world, 'Invalid two-factor code\n2 attempts left.')
    await page.keyboard.type('000000')
    expect(await world.status.textContent()).toBe('')
    await page.keyboard.press('Enter')
    expect(await world.error.textContent()).toBe('This was refused before. Enter another one.')
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
    await world.dialog.getByRole('radio', { name: 'Backup code' }).check()
    await world.page.locator('[part=input]').click()
    await world.page.keyboard.type('123456')
    expect(await world.status.textContent()).toBe('')
    expect(await world.dialog.locator('form').getAttribute('aria-busy')).toBe('false')
  })
})

describe('the dialog', () => {
  it('shows the operation and the account, and has names for password managers', async () => {
    const world = await openDialogPage(harness, all)
    const { page, dialog } = world
    await page.evaluate(() => void Object.assign(window.dialogOptions, { account: () => 'ada@example.com' }))
    await world.stepUp()
    expect(await dialog.locator('[part=about]').textContent()).toBe('Sign out of devices · ada@example.com')
    expect(await dialog.locator('[part=input]').getAttribute('name')).toBe('code')
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
    expect(await world.dialog.locator('[part=about]').isVisible()).toBe(false)
  })

  it('says that an SMS is on its way, and offers to send it again only after a rate limit', async () => {
    const world = await openDialogPage(harness, { user: { mfa: ['sms'] } })
    const { page, service, dialog } = world
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
    await dialog.getByRole('button', { name: 'Send a code' }).click()
    expect(await world.status.textContent()).toBe('Sending…')
    release()
    await vi.waitFor(async () =>
      expect(await dialog.locator('[part~=send]').textContent()).toMatch(/in (?:600|59\d) s$/),
    )
    expect(await world.status.textContent()).toBe('')
    expect(await dialog.locator('[part~=send]').isDisabled()).toBe(true)
    expect(await world.error.textContent()).toBe('Too many attempts.')
    await world.skip(600_000)
    await vi.waitFor(async () => expect(await world.error.textContent()).toBe(''))
    expect(await dialog.locator('[part~=send]').textContent()).toBe('Send again')
  })
})

it('the state of each method survives a switch to another one and back', async () => {
  const world = await openDialogPage(harness, { ...all, resendAfterMs: 600_000 })
  const { dialog } = world
  const choose = (name: string) => dialog.getByRole('radio', { name }).check()
  const input = dialog.getByRole('textbox')
  await world.stepUp()
  await choose('SMS')
  await dialog.getByRole('button', { name: 'Send a code' }).click()
  await vi.waitFor(async () => expect(await world.status.textContent()).toMatch(/^Code sent to/))
  const status = await world.status.textContent()
  await input.fill('12')
  await choose('Backup code')
  expect(await input.inputValue()).toBe('')
  expect(await world.status.textContent()).toBe('')
  await world.submit.click()
  expect(await world.error.textContent()).toBe('Fill in this field.')
  await choose('Passkey')
  expect(await world.error.textContent()).toBe('')
  await choose('SMS')
  expect(await input.inputValue()).toBe('12')
  expect(await world.status.textContent()).toBe(status)
  expect(await dialog.locator('[part~=send]').textContent()).toMatch(/^Send again in \d+ s$/)
  await choose('Backup code')
  expect(await world.error.textContent()).toBe('Fill in this field.')
})

it('a disabled button looks disabled, and radio buttons have the accent color', async () => {
  const world = await openDialogPage(harness, all)
  await world.page.addStyleTag({ content: ':root { --rapport-accent: rgb(1, 2, 3) }' })
  const release = await world.holdVerification()
  await world.stepUp()
  const look = () =>
    world.submit.evaluate((element) => {
      const { backgroundColor, borderTopStyle } = getComputedStyle(element)
      return [backgroundColor, borderTopStyle]
    })
  expect(await look()).toEqual(['rgb(1, 2, 3)', 'solid'])
  await answer(world, '000000')
  await vi.waitFor(async () => expect(await look()).toEqual(['rgb(118, 118, 118)', 'dashed']))
  const radio = world.dialog.locator('[part=radio]').first()
  expect(await radio.evaluate((element) => getComputedStyle(element).accentColor)).toBe('rgb(1, 2, 3)')
  const targets = world.dialog.locator('[part=method], [part=input], [part~=button]:not([hidden])')
  const heights = await targets.evaluateAll((elements) => elements.map((element) => element.clientHeight))
  expect(Math.min(...heights)).toBeGreaterThanOrEqual(42)
  release()
})
