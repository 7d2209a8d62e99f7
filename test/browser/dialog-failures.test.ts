import { afterEach, describe, expect, it } from 'vitest'
import { closed, type DialogPage, type DialogPageOptions, openDialogPage } from './dialog-page'
import { answer, shows, use } from './dialog-view'
import { browserHarness } from './harness/browser-harness'
import { waitOn } from './harness/wait-on'

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
    const input = await world.page.evaluateHandle(() =>
      document.querySelector('rapport-mfa-dialog')?.shadowRoot?.querySelector<HTMLInputElement>('[part=input]'),
    )
    await use(world, { input: 'open sesame' }, end === 'accepted' ? 'submit' : 'cancel')
    await closed(world)
    expect(await input.evaluate((element) => element?.value)).toBe('')
  })

  it('takes no option from a polluted Object.prototype', async () => {
    const world = await open({ user: { mfa: ['totp'] } })
    await world.page.evaluate(() => {
      const footer = () => Object.assign(document.createElement('p'), { textContent: 'polluted' })
      Object.assign(Object.prototype, { footer, words: { cancel: 'polluted' } })
    })
    await world.stepUp()
    const texts = await world.page.evaluate(() => {
      const element = document.querySelector('rapport-mfa-dialog')
      return [element?.textContent, element?.shadowRoot?.textContent]
    })
    expect(texts).toEqual(['', expect.stringContaining('Cancel')])
    expect(texts.join()).not.toContain('polluted')
  })

  it('shows the message of the service if `explain` throws, and the form can be used again', async () => {
    const world = await open({ user: { mfa: ['sms', 'webauthn'] } })
    const { page, service } = world
    service.faults.on('Send MFA SMS', { status: 400, body: { message: 'No reception' }, times: 1 })
    await page.evaluate(() => {
      const explain = () => {
        throw new Error('explain threw')
      }
      Object.assign(window.dialogOptions, { explain })
      navigator.credentials.get = () => Promise.reject(new DOMException('no', 'NotAllowedError'))
    })
    await world.stepUp()
    await use(world, 'sms', 'send')
    await shows(world, { error: 'No reception' })
    await use(world, 'webauthn', 'submit')
    await shows(world, { error: 'That did not work. Try again.', isBusy: false })
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
    await use(world, 'send')
    await shows(world, { status: /^Code sent/, send: 'Send again', canSend: false })
    await world.skip(600_000)
    await shows(world, { canSend: true })
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
      await world.opened()
      await answer(world, '000000')
    }
    expect(await world.outcomes(3)).toEqual(['MfaCancelledError', expect.stringContaining(cause), '0'])
    await closed(world)
  })

  it('stays busy if an SMS fails while an answer is being verified', async () => {
    const world = await open({ user: { mfa: ['sms'] } })
    world.service.faults.on('Send MFA SMS', { status: 400, body: { message: 'No reception' } })
    const release = await world.holdVerification()
    await world.stepUp()
    await answer(world, '000000')
    await use(world, 'send')
    await shows(world, { error: 'No reception', status: 'Verifying…', isBusy: true, isEditable: false })
    release()
    await shows(world, { isEditable: true, error: /2 attempts left\.$/ })
  })

  it('a passkey that hangs is aborted by the choice of another method, which can be used at once', async () => {
    const world = await open({ user: { mfa: ['webauthn', 'totp'] } })
    const { page, service, ada } = world
    await hangPasskeys(world)
    await world.stepUp()
    const ceremony = (state: string) =>
      waitOn(page, (state) => document.documentElement.dataset.ceremony === state, state)
    await use(world, 'webauthn', 'submit')
    await ceremony('running')
    await use(world, 'totp')
    await ceremony('aborted')
    await shows(world, { isBusy: false, error: '' })
    await answer(world, service.users.totp(ada))
    await closed(world)
    expect(await world.outcomes()).toEqual(['done'])
  })

  it('stays busy if another method is chosen while an answer is being verified', async () => {
    const world = await open({ user: { mfa: ['totp', 'backup'] } })
    const release = await world.holdVerification()
    await world.stepUp()
    await use(world, 'totp', { input: world.service.users.totp(world.ada) }, 'submit')
    await shows(world, { isBusy: true })
    await use(world, 'backup')
    await shows(world, { isBusy: true })
    release()
    await closed(world)
    expect(await world.outcomes()).toEqual(['done'])
  })

  it('shows types of methods literally, once, and without empty ones', async () => {
    const odd = ['constructor', '__proto__', '', 'constructor', 'toString']
    const methods = [...odd, 'kind_0'].map((type) => ({ type }))
    const world = await open({})
    const body = { code: 60003, message: 'MFA', mfa: { ticket: 'ticket', methods } }
    world.service.faults.on('Logout Auth Sessions', { status: 401, body })
    await world.stepUp()
    const { methods: names } = await shows(world, { label: 'constructor' })
    expect(names).toEqual(['constructor', '__proto__', 'toString', 'kind_0'])
  })
})
