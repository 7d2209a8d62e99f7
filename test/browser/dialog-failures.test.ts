import { afterEach, describe, expect, it, vi } from 'vitest'
import { closed, type DialogPage, type DialogPageOptions, openDialogPage } from './dialog-page'
import { browserHarness } from './harness/browser-harness'

const harness = browserHarness({ shared: {} })
const uncaught: string[] = []

/** Opens a page whose uncaught errors and unhandled rejections fail the test. */
async function open(options: DialogPageOptions): Promise<DialogPage> {
  const world = await openDialogPage(harness, options)
  world.page.on('pageerror', ({ message }) => uncaught.push(message))
  return world
}

/** Makes passkeys of a page wait forever; an attribute of the root element tells whether one was aborted. */
async function hangPasskeys({ page }: DialogPage): Promise<void> {
  await page.evaluate(() => {
    navigator.credentials.get = ({ signal } = {}) => {
      document.documentElement.dataset.ceremony = 'running'
      signal?.addEventListener('abort', () => {
        document.documentElement.dataset.ceremony = 'aborted'
      })
      return new Promise(() => {})
    }
  })
}

afterEach(() => expect(uncaught.splice(0)).toEqual([]))

describe('the dialog', () => {
  it.each(['accepted', 'cancelled'])('leaves no password in its input after it was %s', async (end) => {
    const world = await open({ user: { password: 'open sesame' } })
    await world.stepUp()
    await world.dialog.locator('[part=input]').fill('open sesame')
    const input = await world.dialog.locator('[part=input]').elementHandle()
    await (end === 'accepted' ? world.submit : world.dialog.getByRole('button', { name: 'Cancel' })).click()
    await closed(world)
    expect(await input?.evaluate((element) => Reflect.get(element, 'value'))).toBe('')
  })

  it('takes no option from a polluted Object.prototype', async () => {
    const world = await open({ user: { mfa: ['totp'] } })
    await world.page.evaluate(() => {
      const footer = () => Object.assign(document.createElement('p'), { textContent: 'polluted' })
      Object.assign(Object.prototype, { footer, words: { cancel: 'polluted' } })
    })
    await world.stepUp()
    expect(await world.dialog.getByText('polluted').count()).toBe(0)
  })

  it('shows the message of the service if `explain` throws, and the form can be used again', async () => {
    const world = await open({ user: { mfa: ['sms', 'webauthn'] } })
    const { page, service, dialog } = world
    service.faults.on('Send MFA SMS', { status: 400, body: { message: 'No reception' }, times: 1 })
    await page.evaluate(() => {
      const explain = () => {
        throw new Error('explain threw')
      }
      Object.assign(window.dialogOptions, { explain })
      navigator.credentials.get = () => Promise.reject(new DOMException('no', 'NotAllowedError'))
    })
    await world.stepUp()
    await dialog.getByLabel('SMS').check()
    await dialog.getByRole('button', { name: 'Send a code' }).click()
    await vi.waitFor(async () => expect(await world.error.textContent()).toBe('No reception'))

    await dialog.getByLabel('Passkey').check()
    await world.submit.click()
    await vi.waitFor(async () => expect(await world.error.textContent()).toBe('That did not work. Try again.'))
    expect(await dialog.locator('form').getAttribute('aria-busy')).toBe('false')
  })

  it('sends the SMS if the text of the cool-down throws, and shows the text without seconds', async () => {
    const world = await open({ user: { mfa: ['sms'] }, resendAfterMs: 600_000 })
    await world.page.evaluate(() => {
      const sendAgainIn = () => {
        throw new Error('sendAgainIn threw')
      }
      Object.assign(window.dialogOptions, { words: { sendAgainIn } })
    })
    await world.stepUp()
    const send = world.dialog.getByRole('button', { name: /^Send/ })
    await send.click()
    await vi.waitFor(async () => expect(await world.status.textContent()).toContain('Code sent'))
    expect(await send.textContent()).toBe('Send again')
    expect(await send.isDisabled()).toBe(true)
    await world.skip(600_000)
    await vi.waitFor(async () => expect(await send.isEnabled()).toBe(true))
    expect(world.service.sms.all()).toHaveLength(1)
  })

  it.each([
    ['the title throws', 'title', 'title threw'],
    ['its parent is not in the document', 'parent', 'InvalidStateError'],
    ['the text of the attempts throws', 'attemptsLeft', 'attemptsLeft threw'],
  ])('cancels the call with the error as its cause if %s', async (_, kind, cause) => {
    const world = await open({ user: { mfa: ['totp'] } })
    const { page, service, ada, url } = world
    await page.evaluate(
      ({ baseUrl, token, kind }) => {
        const { Client, dialog } = window.rapport
        const fail = () => {
          throw new Error(`${kind} threw`)
        }
        const detached = document.createElement('main')
        const options = kind === 'parent' ? { parent: () => detached } : { words: { [kind]: fail } }
        const client = new Client({ baseUrl, token, onMfaRequired: dialog.mfaDialog(options) })
        client.auth.sessions.logout({ session_id_hashes: ['none'] }).catch((error) => {
          window.outcomes.push(error.name, String(error.cause), String(detached.childElementCount))
        })
      },
      { baseUrl: url, token: service.token(ada), kind },
    )
    if (kind === 'attemptsLeft') {
      await world.dialog.getByRole('textbox').fill('000000')
      await world.submit.click()
    }
    expect(await world.outcomes(3)).toEqual(['MfaCancelledError', expect.stringContaining(cause), '0'])
    expect(await page.locator('rapport-mfa-dialog').count()).toBe(0)
  })

  it('stays busy if an SMS fails while an answer is being verified', async () => {
    const world = await open({ user: { mfa: ['sms'] } })
    const { service, dialog } = world
    service.faults.on('Send MFA SMS', { status: 400, body: { message: 'No reception' } })
    const release = await world.holdVerification()
    await world.stepUp()
    await dialog.getByRole('textbox').fill('000000')
    await world.submit.click()
    await dialog.getByRole('button', { name: 'Send a code' }).click()
    await vi.waitFor(async () => expect(await world.error.textContent()).toBe('No reception'))
    expect(await world.status.textContent()).toBe('Verifying…')
    expect(await dialog.locator('form').getAttribute('aria-busy')).toBe('true')
    expect(await dialog.getByRole('textbox').isEditable()).toBe(false)
    release()
    await vi.waitFor(async () => expect(await dialog.getByRole('textbox').isEditable()).toBe(true))
    expect(await world.error.textContent()).toContain('2 attempts left.')
  })

  it('a passkey that hangs is aborted by the choice of another method, which can be used at once', async () => {
    const world = await open({ user: { mfa: ['webauthn', 'totp'] } })
    const { page, service, ada, dialog } = world
    await hangPasskeys(world)
    await world.stepUp()
    const ceremony = (state: string) => page.locator(`[data-ceremony=${state}]`).waitFor({ state: 'attached' })
    await dialog.getByLabel('Passkey').check()
    await world.submit.click()
    await ceremony('running')
    await dialog.getByLabel('Authenticator app').check()
    await ceremony('aborted')
    expect(await dialog.locator('form').getAttribute('aria-busy')).toBe('false')
    expect(await world.error.textContent()).toBe('')
    await dialog.getByRole('textbox', { name: 'Code' }).fill(service.users.totp(ada))
    await world.submit.click()
    await closed(world)
    expect(await world.outcomes()).toEqual(['done'])
  })

  it('stays busy if another method is chosen while an answer is being verified', async () => {
    const world = await open({ user: { mfa: ['totp', 'backup'] } })
    const { service, ada, dialog } = world
    const release = await world.holdVerification()
    await world.stepUp()
    await dialog.getByLabel('Authenticator app').check()
    await dialog.getByRole('textbox').fill(service.users.totp(ada))
    await world.submit.click()
    await dialog.getByLabel('Backup code').check()
    expect(await dialog.locator('form').getAttribute('aria-busy')).toBe('true')
    release()
    await closed(world)
    expect(await world.outcomes()).toEqual(['done'])
  })

  it('shows types of methods literally, without empty ones, and at most 20', async () => {
    const odd = ['constructor', '__proto__', '', 'constructor', 'toString']
    const methods = [...odd, ...Array.from({ length: 40 }, (_, index) => `kind_${index}`)].map((type) => ({ type }))
    const world = await open({})
    const body = { code: 60003, message: 'MFA', mfa: { ticket: 'ticket', methods } }
    world.service.faults.on('Logout Auth Sessions', { status: 401, body })
    await world.stepUp()
    expect(await world.dialog.getByRole('textbox', { name: 'constructor' }).count()).toBe(1)
    const names = await world.dialog.locator('[part=method]').allTextContents()
    expect(names.slice(0, 4)).toEqual(['constructor', '__proto__', 'toString', 'kind_0'])
    // A duplicate counts toward the limit.
    expect(names).toHaveLength(19)
  })
})
