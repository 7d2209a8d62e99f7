// States of the dialog, in any language, and what a user sees of it, for the tests of its design and for its pictures.
import type { DialogPage, DialogPageOptions } from './dialog-page'
import { answer, shows, use } from './dialog-view'

/** A state of the dialog. */
export interface DialogState {
  readonly user: NonNullable<DialogPageOptions['user']>
  /** Reaches it after the dialog has opened. */
  reach(world: DialogPage): Promise<void>
}

const all = { mfa: ['totp', 'sms', 'backup', 'webauthn'] } as const
const totp = { mfa: ['totp'] } as const

/** Methods of the dialog, in its order. */
export const METHODS = ['totp', 'sms', 'backup', 'webauthn'] as const

/** Waits until the dialog shows an error. */
export const showsError = (world: DialogPage) => shows(world, { error: /./, isBusy: false })

/** Makes the service answer the next code with a status. */
export function refuseNext({ service }: DialogPage, status: number): void {
  service.faults.on('Verify MFA', { status, body: {}, headers: { 'retry-after': '20' }, times: 1 })
}

/** Sends an SMS, and waits until the service has sent it. */
export async function sendSms(world: DialogPage): Promise<void> {
  await use(world, 'sms', 'send')
  await shows(world, { status: /\d\d/ })
}

const failing = (status: number): DialogState => ({
  user: totp,
  async reach(world) {
    refuseNext(world, status)
    await answer(world, '000000')
    await showsError(world)
  },
})

/** States of the dialog by their names. */
export const STATES: Readonly<Record<string, DialogState>> = {
  methods: { user: all, reach: async () => {} },
  code: { user: totp, reach: async () => {} },
  password: { user: {}, reach: async () => {} },
  sms: { user: all, reach: sendSms },
  passkey: { user: all, reach: (world) => use(world, 'webauthn') },
  empty: {
    user: all,
    async reach(world) {
      await use(world, 'submit')
      await showsError(world)
    },
  },
  refused: {
    user: all,
    async reach(world) {
      await answer(world, '000000')
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
      await answer(world, '000000')
      await shows(world, { isBusy: true })
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

/** What happens before a look: a method is chosen, the colors change. */
interface LookOptions {
  readonly method?: (typeof METHODS)[number]
  readonly scheme?: 'light' | 'dark'
}

/** Returns what a user sees of each visible element of the dialog, in one message: a locator needs several. */
export const look = ({ page }: Pick<DialogPage, 'page'>, options: LookOptions = {}) =>
  page.evaluate(({ method, scheme = '' }) => {
    const dialog = document.querySelector('rapport-mfa-dialog')?.shadowRoot?.querySelector('[part=dialog]')
    if (!dialog) throw new Error('there is no dialog')
    if (method) dialog.querySelector<HTMLElement>(`[part=radio][value=${method}]`)?.click()
    document.documentElement.style.colorScheme = scheme
    const backgroundOf = (element: Element): string => {
      const { backgroundColor } = getComputedStyle(element)
      const { parentElement: parent } = element
      return backgroundColor === 'rgba(0, 0, 0, 0)' && parent ? backgroundOf(parent) : backgroundColor
    }
    return [dialog, ...dialog.querySelectorAll('*')]
      .filter((element) => element.checkVisibility({ visibilityProperty: true }) && element.clientWidth > 0)
      .map((element) => {
        const style = getComputedStyle(element)
        const { x, y, width, height, right, bottom } = element.getBoundingClientRect()
        const own = [...element.childNodes].flatMap((node) => (node instanceof Text ? node.data : []))
        return {
          ...{ x, y, width, height, right, bottom },
          part: element.getAttribute('part') ?? '',
          text: own.join('').trim(),
          isChecked: element.matches(':checked'),
          isCut: element.scrollWidth > element.clientWidth && style.display !== 'inline',
          fontSize: Number.parseFloat(style.fontSize),
          lineHeight: Number.parseFloat(style.lineHeight),
          color: style.color,
          background: backgroundOf(element),
          edge: style.borderTopStyle === 'none' ? '' : style.borderTopColor,
          edgeStyle: style.borderTopStyle,
          opacity: style.opacity,
          cursor: style.cursor,
          animation: `${style.animationName} ${style.transitionDuration}`,
        }
      })
  }, options)

/** What {@link look} returns. */
export type Look = Awaited<ReturnType<typeof look>>

/** Returns the element that is a part. */
export const partOf = (shown: Look, part: string) => {
  const found = shown.find((one) => one.part.split(' ').includes(part))
  if (!found) throw new Error(`no part ${part}`)
  return found
}

/** Returns the contrast of two colors, as WCAG defines it. */
export function contrast(one: string, other: string): number {
  const [a = 0, b = 0] = [one, other].map((color) => {
    const [red = 0, green = 0, blue = 0] = (color.match(/[\d.]+/g) ?? []).map((part) => {
      const value = Number(part) / (color.startsWith('color(srgb') ? 1 : 255)
      return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
    })
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
  })
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)
}
