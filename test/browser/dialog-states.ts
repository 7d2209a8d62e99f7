// States of the dialog, in any language, for the tests of its design and for its pictures.
import type { DialogPage, DialogPageOptions } from './dialog-page'

/** A state of the dialog. */
export interface DialogState {
  readonly user: NonNullable<DialogPageOptions['user']>
  /** Reaches it after the dialog has opened. */
  reach(world: DialogPage): Promise<void>
}

const all = { mfa: ['totp', 'sms', 'backup', 'webauthn'] } as const
const totp = { mfa: ['totp'] } as const

/** Methods that {@link choose} knows. */
export const METHODS = ['totp', 'sms', 'backup', 'webauthn'] as const

/** Chooses a method. */
export const choose = ({ page }: DialogPage, type: (typeof METHODS)[number]) =>
  page.locator(`[part=radio][value=${type}]`).check()

/** Submits a wrong code. */
export async function submitCode(world: DialogPage, code = '000000'): Promise<void> {
  await world.page.locator('[part=input]').fill(code)
  await world.submit.click()
}

/** Waits until the dialog shows an error. */
export const showsError = ({ page }: DialogPage) => page.locator('[part=error]:not(:empty)').waitFor()

/** Makes the service answer the next code with a status. */
export function refuseNext({ service }: DialogPage, status: number): void {
  service.faults.on('Verify MFA', { status, body: {}, headers: { 'retry-after': '20' }, times: 1 })
}

/** Sends an SMS, and waits until the service has sent it. */
export async function sendSms(world: DialogPage): Promise<void> {
  await choose(world, 'sms')
  await world.page.locator('[part~=send]').click()
  await world.page.locator('[part=status]').filter({ hasText: /\d\d/ }).waitFor()
}

const failing = (status: number): DialogState => ({
  user: totp,
  async reach(world) {
    refuseNext(world, status)
    await submitCode(world)
    await showsError(world)
  },
})

/** States of the dialog by their names. */
export const STATES: Readonly<Record<string, DialogState>> = {
  methods: { user: all, reach: async () => {} },
  code: { user: totp, reach: async () => {} },
  password: { user: {}, reach: async () => {} },
  sms: { user: all, reach: sendSms },
  passkey: { user: all, reach: (world) => choose(world, 'webauthn') },
  empty: {
    user: all,
    async reach(world) {
      await world.submit.click()
      await showsError(world)
    },
  },
  refused: {
    user: all,
    async reach(world) {
      await submitCode(world)
      await showsError(world)
    },
  },
  unavailable: failing(503),
  limited: failing(429),
  expired: failing(401),
  busy: {
    user: totp,
    async reach(world) {
      await world.holdVerification()
      await submitCode(world)
      await world.page.locator('[aria-busy=true]').waitFor()
    },
  },
}

/** Makes the dialog speak a language of the page `languages`. */
export async function speak({ page }: DialogPage, language: string): Promise<void> {
  await page.evaluate((language) => {
    const { dialog: words, errors } = window.locales[language] ?? {}
    const { explain } = window.rapport
    Object.assign(window.dialogOptions, {
      words,
      explain: (error: unknown) => explain(error, { words: errors }),
      account: () => 'ada@example.com',
    })
  }, language)
}
