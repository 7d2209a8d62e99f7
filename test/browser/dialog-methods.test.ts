import type { Page } from 'playwright-core'
import { describe, expect, it, vi } from 'vitest'
import { addAuthenticator } from '../../mocks/fixtures/authenticator'
import { axeViolations } from './axe'
import { closed, login, openDialogPage } from './dialog-page'
import { answer, shows, use } from './dialog-view'
import { browserHarness } from './harness/browser-harness'

const harness = browserHarness({ shared: {} })
const BUTTON = 'Sign out everywhere'

/** Replaces the text of the clipboard and pastes it into the focused element. */
async function paste(page: Page, text: string): Promise<void> {
  await page.evaluate((text) => {
    const data = new DataTransfer()
    data.setData('text/plain', text)
    const input = document.activeElement?.shadowRoot?.activeElement
    if (!(input instanceof HTMLInputElement)) throw new Error('no input has the focus')
    // A synthetic event has no default action, so the text is inserted as the browser would.
    if (input.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true })))
      document.execCommand('insertText', false, data.getData('text/plain'))
  }, text)
}

describe('the methods of the dialog', () => {
  it('they are the same, in the same order, in a login and a step-up', async () => {
    const world = await openDialogPage(harness, { user: { mfa: ['webauthn', 'backup', 'sms', 'totp'] } })
    const offered = { methods: ['Authenticator app', 'SMS', 'Backup code', 'Passkey'], chosen: 'totp' }
    await world.stepUp()
    await shows(world, offered)
    await use(world, 'cancel')
    await closed(world)
    await world.start('login')
    await shows(world, offered)
  })

  it.each([
    ['a browser offers the methods in the order of the service', true, false, ['webauthn', 'totp']],
    ['a browser without WebAuthn does not offer a passkey', false, false, ['totp']],
    ['a browser without WebAuthn offers the passkey of an adapter', false, true, ['webauthn', 'totp']],
  ])('%s', async (_, hasWebAuthn, hasAdapter, expected) => {
    const world = await openDialogPage(harness, { user: { mfa: ['totp'] } })
    const methods = [{ type: 'webauthn', challenge: '{"challenge":"AAAA"}' }, { type: 'totp' }]
    const required = { code: 60003, message: 'MFA', mfa: { ticket: 'ticket', methods } }
    world.service.faults.on('Logout Auth Sessions', { status: 401, body: required })
    await world.page.evaluate(
      ({ baseUrl, token, hasWebAuthn, hasAdapter }) => {
        if (!hasWebAuthn) Reflect.deleteProperty(window, 'PublicKeyCredential')
        const { Client, dialog } = window.rapport
        const webauthn = hasAdapter ? { get: async () => ({}) } : undefined
        const client = new Client({ baseUrl, token, onMfaRequired: dialog.mfaDialog(), webauthn })
        client.auth.sessions.logout({ session_id_hashes: ['none'] }).catch(() => {})
      },
      { baseUrl: world.url, token: world.service.token(world.ada), hasWebAuthn, hasAdapter },
    )
    await world.opened()
    const radios = await world.page.evaluate(() => {
      const root = document.querySelector('rapport-mfa-dialog')?.shadowRoot
      return [...(root?.querySelectorAll('input[type=radio]') ?? [])].map((input) => input.getAttribute('value'))
    })
    expect(radios).toEqual(expected)
    await shows(world, { chosen: expected[0] ?? '' })
  })

  it('a browser without WebAuthn still offers a passkey that is the only method, and shows why it fails', async () => {
    const world = await openDialogPage(harness, { user: { mfa: ['webauthn'] } })
    await world.page.evaluate(() => void Reflect.deleteProperty(window, 'PublicKeyCredential'))
    await world.page.evaluate(() => void Object.assign(window.dialogOptions, { explain: window.rapport.explain }))
    await world.stepUp()
    await use(world, 'submit')
    await shows(world, { error: 'This device or browser cannot use passkeys here.' })
  })

  it('a pasted TOTP code with a space passes a step-up, and the focus returns to the button', async () => {
    const world = await openDialogPage(harness, { user: { mfa: ['totp'] } })
    const { page, service, ada, dialog } = world
    await world.stepUp()

    const input = dialog.getByRole('textbox', { name: 'Code' })
    expect(await dialog.getAttribute('aria-labelledby')).toBe('title')
    expect(await page.getByRole('dialog', { name: 'Confirm that it’s you' }).count()).toBe(1)
    expect(await input.getAttribute('inputmode')).toBe('numeric')
    expect(await input.getAttribute('autocomplete')).toBe('one-time-code')
    expect(await page.getByRole('radio').count()).toBe(0)
    expect(await axeViolations(page, 'rapport-mfa-dialog')).toEqual([])
    const code = service.users.totp(ada)
    await paste(page, `${code.slice(0, 3)} ${code.slice(3)} `)
    await page.keyboard.press('Enter')

    expect(await closed(world)).toBe(BUTTON)
    expect(await world.outcomes()).toEqual(['done'])
  })

  it('an SMS is sent by a button, which then waits for its cool-down', async () => {
    const world = await openDialogPage(harness, { user: { mfa: ['sms'] }, resendAfterMs: 600_000 })
    const { page, service, dialog } = world
    await world.stepUp()
    expect(await axeViolations(page, 'rapport-mfa-dialog')).toEqual([])
    expect(service.sms.all()).toEqual([])
    await shows(world, { send: 'Send a code', focus: 'button send' })

    await page.keyboard.press('Enter')
    const send = 'Send again in 10 minutes'
    await shows(world, { status: /^Code sent to \+.*\d\d\.$/, canSend: false, send })
    expect(await axeViolations(page, 'rapport-mfa-dialog')).toEqual([])
    await world.skip(600_000)
    await shows(world, { send: 'Send again' })
    await dialog.getByRole('button', { name: /^Send/ }).click()
    await vi.waitFor(() => expect(service.sms.all()).toHaveLength(2))

    const [, sms] = service.sms.all()
    if (sms?.kind !== 'mfa') throw new Error('there is no SMS')
    expect(await dialog.getByRole('textbox', { name: 'Code' }).getAttribute('autocomplete')).toBe('one-time-code')
    // The button left the focus to the input.
    await page.keyboard.type(sms.code)
    await page.keyboard.press('Enter')
    await closed(world)
    expect(await world.outcomes()).toEqual(['done'])
  })

  it('an SMS that cannot be sent shows the error, and can be requested again at once', async () => {
    const world = await openDialogPage(harness, { user: { mfa: ['sms'] } })
    world.service.faults.on('Send MFA SMS', { status: 400, body: { message: 'No reception' }, times: 1 })
    await world.stepUp()
    await use(world, 'send')
    await shows(world, { error: 'No reception', send: 'Send again' })
    await use(world, 'send')
    await shows(world, { status: /^Code sent/, error: '' })
  })

  it('a backup code passes a login', async () => {
    const world = await openDialogPage(harness, { user: { mfa: ['totp', 'backup'] }, signedIn: false })
    const { page, service, ada, dialog } = world
    await world.start('login')
    expect(await dialog.getByRole('heading').textContent()).toBe('Confirm your sign-in')
    await dialog.getByRole('radio', { name: 'Backup code' }).check()
    expect(await axeViolations(page, 'rapport-mfa-dialog')).toEqual([])
    const input = dialog.getByRole('textbox', { name: 'Backup code' })
    expect(await input.getAttribute('autocomplete')).toBe('off')
    expect(await input.getAttribute('autocapitalize')).toBe('off')
    const [code] = service.users.backupCodes(ada)
    await input.fill(` ${code} `)
    const [request] = await Promise.all([page.waitForRequest('**/auth/mfa/backup'), world.submit.click()])
    expect(request.postDataJSON()).toMatchObject({ code })

    await closed(world)
    expect(await world.outcomes()).toEqual(['done'])
  })

  it('a password passes a step-up of an account without other methods', async () => {
    const world = await openDialogPage(harness, { user: { password: 'two  spaces ' } })
    await world.stepUp()
    const input = world.dialog.locator('[part=input]')
    expect(await input.getAttribute('type')).toBe('password')
    expect(await world.dialog.locator('[part=label]').textContent()).toBe('Password')
    expect(await input.getAttribute('autocomplete')).toBe('current-password')
    expect(await axeViolations(world.page, 'rapport-mfa-dialog')).toEqual([])
    await input.fill('two  spaces ')
    await world.submit.click()

    await closed(world)
    expect(await world.outcomes()).toEqual(['done'])
  })

  it('a passkey passes a password reset', async () => {
    const world = await openDialogPage(harness, { signedIn: false })
    const { service, ada, page, dialog } = world
    const authenticator = await addAuthenticator(page)
    service.users.addPasskey(ada, await authenticator.addPasskey(ada))
    await fetch(`${world.url}/auth/forgot`, { method: 'POST', body: JSON.stringify({ login }) })
    await world.start('reset', service.mail.last(login, 'password_reset').token)

    expect(await dialog.getByRole('heading').textContent()).toBe('Confirm your new password')
    expect(await dialog.getByRole('textbox').count()).toBe(0)
    expect(await axeViolations(page, 'rapport-mfa-dialog')).toEqual([])
    await page.keyboard.press('Enter')
    await closed(world)
    expect(await world.outcomes()).toEqual(['done'])
  })

  it('a passkey that the device does not have leaves the dialog open for another method', async () => {
    const world = await openDialogPage(harness, { user: { mfa: ['totp'] } })
    const { service, ada, page, dialog } = world
    const { addPasskey } = await addAuthenticator(page)
    const { id, publicKey } = await addPasskey(ada)
    service.users.addPasskey(ada, { id: id.split('').reverse().join(''), publicKey })
    await world.stepUp()
    await dialog.getByLabel('Passkey').check()
    await world.submit.click()
    await shows(world, { error: 'That did not work. Try again.' })
    await use(world, 'totp')
    await shows(world, { error: '', label: 'Code' })
    await answer(world, service.users.totp(ada))
    await closed(world)
    expect(await world.outcomes()).toEqual(['done'])
  })

  it('can be chosen and used with the keyboard only', async () => {
    const world = await openDialogPage(harness, { user: { mfa: ['totp', 'sms', 'backup'] } })
    const { page, service, ada } = world
    await page.getByRole('button', { name: BUTTON }).focus()
    await page.keyboard.press('Enter')
    await world.dialog.waitFor()
    const focused = () =>
      page.evaluate(() => {
        const { activeElement: element } = document.activeElement?.shadowRoot ?? document
        return element?.closest('label')?.textContent || element?.textContent
      })

    expect(await focused()).toBe('Code')
    await page.keyboard.press('Shift+Tab')
    expect(await focused()).toBe('Authenticator app')
    await page.keyboard.press('ArrowUp')
    expect(await focused()).toBe('Backup code')
    expect(await world.dialog.getByRole('radio', { checked: true }).count()).toBe(1)
    await page.keyboard.press('Tab')
    await page.keyboard.type(String(service.users.backupCodes(ada)[0]))
    await page.keyboard.press('Tab')
    expect(await focused()).toBe('Cancel')
    await page.keyboard.press('Tab')
    expect(await focused()).toBe('Verify')
    await page.keyboard.press('Space')

    expect(await closed(world)).toBe(BUTTON)
    expect(await world.outcomes()).toEqual(['done'])
  })

  it.each(['light', 'dark'])('a refused code in the %s color scheme violates no rule of axe', async (scheme) => {
    const world = await openDialogPage(harness, { user: { mfa: ['totp', 'sms', 'backup', 'webauthn'] } })
    await world.page.addStyleTag({ content: `:root { color-scheme: ${scheme} }` })
    await world.stepUp()
    await use(world, 'totp', { input: '000000' }, 'submit')
    await shows(world, { error: /^Invalid two-factor code/ })
    expect(await axeViolations(world.page, 'rapport-mfa-dialog')).toEqual([])
  })

  it('an empty input is not sent', async () => {
    const world = await openDialogPage(harness, { user: { mfa: ['totp'] } })
    await world.stepUp()
    await use(world, 'submit')
    await shows(world, { status: '', error: 'Fill in this field.' })
    expect(world.service.journal.find('Verify MFA')).toEqual([])
  })

  it('include one that this package does not know, by its wire name', async () => {
    const world = await openDialogPage(harness)
    const required = { code: 60003, message: 'MFA', mfa: { ticket: 'ticket', methods: [{ type: 'retina_scan' }] } }
    world.service.faults.on('Logout Auth Sessions', { status: 401, body: required })
    await world.stepUp()
    await shows(world, { hint: '', label: 'retina_scan' })
    await answer(world, 'iris')
    await vi.waitFor(() => expect(world.service.journal.find('Verify MFA')).toHaveLength(1))
  })

  it('a challenge without methods can only be cancelled', async () => {
    const world = await openDialogPage(harness)
    const required = { code: 60003, message: 'MFA', mfa: { ticket: 'ticket', methods: [] } }
    world.service.faults.on('Logout Auth Sessions', { status: 401, body: required })
    await world.stepUp()
    expect(await world.dialog.getByRole('button').allTextContents()).toEqual(['Cancel'])
    expect(await world.dialog.textContent()).toContain('This account has no method to confirm with.')
    await world.dialog.getByRole('button').click()
    await closed(world)
  })
})
