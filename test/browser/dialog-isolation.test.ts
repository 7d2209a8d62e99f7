import { describe, expect, it, vi } from 'vitest'
import { closed, type DialogPage, openDialogPage } from './dialog-page'
import { answer, shows, use } from './dialog-view'
import { browserHarness } from './harness/browser-harness'
import { waitOn } from './harness/wait-on'

const harness = browserHarness({ shared: {} })
const totp = { user: { mfa: ['totp', 'sms'], phone: '+15550100' } } as const
const EVENTS = [
  ...['keydown', 'keypress', 'keyup', 'pointerdown', 'pointerup', 'mousedown', 'mouseup', 'click', 'wheel'],
  ...['focusin', 'focusout', 'focus', 'blur', 'beforeinput', 'input', 'textInput', 'change', 'copy', 'paste'],
  ...['compositionstart', 'compositionupdate', 'compositionend', 'dragstart', 'drop'],
]

/** Adds a style sheet as an app or a framework may have one, and opens the dialog. */
async function openStyled(css: string): Promise<DialogPage> {
  const world = await openDialogPage(harness, totp)
  await world.page.evaluate((css) => {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(css)
    document.adoptedStyleSheets.push(sheet)
  }, css)
  await world.start('stepUp')
  return world
}

/** Returns what a user sees of the parts: places, sizes, and what a part inherits. */
function look({ page }: DialogPage) {
  return page.evaluate(() =>
    ['dialog', 'title', 'method', 'input', 'error', 'button cancel'].map((part) => {
      const element = document.querySelector('rapport-mfa-dialog')?.shadowRoot?.querySelector(`[part="${part}"]`)
      if (!element) throw new Error(`no part ${part}`)
      const style = getComputedStyle(element)
      const { x, y, width, height } = element.getBoundingClientRect()
      const { fontSize, letterSpacing, textAlign, whiteSpace, direction, textTransform, pointerEvents, visibility } =
        style
      const inherited = { fontSize, letterSpacing, textAlign, whiteSpace, direction, textTransform }
      return { part, x, y, width, height, ...inherited, pointerEvents, visibility, cursor: style.cursor }
    }),
  )
}

/** Returns what a user sees with a style sheet. The tests share the plain look. */
const lookWith = harness.remember(async (css) => look(await openStyled(css)))

describe('the look of the dialog', () => {
  it.each([
    ['a root font size of 62.5 %', 'html { font-size: 62.5% }'],
    [
      'inherited text styles',
      'body { text-align: center; letter-spacing: 4px; white-space: pre; direction: rtl; text-transform: uppercase; line-height: 3; cursor: wait }',
    ],
    ['a body without pointer events', 'body { pointer-events: none !important }'],
    [
      'a reset of all elements',
      '* { margin: 0 !important; padding: 0 !important; font-size: 9px !important; visibility: hidden !important; display: block !important; box-sizing: content-box !important }',
    ],
    ['a rule that hides unknown elements', 'body > :not(button) { display: none; opacity: 0; transform: scale(2) }'],
  ])('%s of the page does not change it', async (_, css) => {
    const plain = await lookWith('')
    expect(await lookWith(css)).toEqual(plain)
  })

  it('it is scaled by --rapport-font-size', async () => {
    const [plain] = await lookWith('')
    const [large] = await lookWith(':root { --rapport-font-size: 32px }')
    expect(large?.fontSize).toBe('32px')
    expect(large?.width).toBe((plain?.width ?? 0) * 2)
  })

  it('it is mirrored by a language that is written from right to left', async () => {
    const world = await openDialogPage(harness, totp)
    await world.page.evaluate(() => void Object.assign(window.dialogOptions, { words: { lang: 'ar', dir: 'rtl' } }))
    await world.stepUp()
    const at = async (part: string) => (await world.page.locator(`[part~=${part}]`).first().boundingBox())?.x ?? 0
    expect(await at('submit')).toBeLessThan(await at('cancel'))
    expect(await at('radio')).toBeGreaterThan(await at('submit'))
    expect(await world.page.locator('rapport-mfa-dialog').getAttribute('lang')).toBe('ar')
  })

  it('has edges in forced colors', async () => {
    const world = await openDialogPage(harness, totp)
    await world.page.emulateMedia({ forcedColors: 'active' })
    await world.stepUp()
    const edges = await world.page.locator('[part=dialog]').evaluate((dialog) => {
      const submit = dialog.querySelector('[part~=submit]')
      if (!submit) throw new Error('no button')
      const [outer, inner] = [getComputedStyle(dialog), getComputedStyle(submit)]
      return [outer.outlineStyle, outer.outlineColor, inner.borderTopStyle, inner.borderTopColor]
    })
    expect(edges).toEqual(['solid', expect.stringMatching(/^rgb\(/), 'solid', expect.stringMatching(/^rgb\(/)])
  })

  it('keeps everything in its place when a method is chosen, an error appears, or it is busy', async () => {
    const world = await openDialogPage(harness, { user: { mfa: ['totp', 'sms', 'backup', 'webauthn'] } })
    await world.stepUp()
    const places = () =>
      world.page.evaluate(() =>
        ['dialog', 'methods', 'label', 'actions'].map((part) => {
          const element = document.querySelector('rapport-mfa-dialog')?.shadowRoot?.querySelector(`[part=${part}]`)
          if (!element) throw new Error(`no part ${part}`)
          const { y, height } = element.getBoundingClientRect()
          return [part, y, height]
        }),
      )
    const before = await places()
    for (const method of ['webauthn', 'sms', 'backup', 'totp'] as const) {
      await use(world, method)
      expect(await places(), method).toEqual(before)
    }
    await use(world, 'submit')
    await shows(world, { error: 'Fill in this field.' })
    expect(await places()).toEqual(before)
    const release = await world.holdVerification()
    await answer(world, '000000')
    await shows(world, { status: 'Verifying…' })
    expect(await places()).toEqual(before)
    release()
    await shows(world, { error: /2 attempts left\.$/ })
    expect(await places()).toEqual(before)
  })
})

describe('the page around the dialog', () => {
  it('sees no event of the dialog, except by listeners that were on the capture phase of window before', async () => {
    const world = await openDialogPage(harness, totp)
    const { page, service, ada, dialog } = world
    await page.evaluate((events) => {
      for (const type of events) {
        const listener = (where: string) => (event: Event) => {
          if (event.composedPath().some((node) => node instanceof Element && node.matches('rapport-mfa-dialog')))
            window.outcomes.push(`${where} ${type}`)
        }
        document.addEventListener(type, listener('document'), true)
        document.addEventListener(type, listener('document'))
        window.addEventListener(type, listener('window'))
        if (type === 'keydown') window.addEventListener(type, listener('before'), true)
      }
    }, EVENTS)
    await world.stepUp()
    await dialog.getByRole('radio', { name: 'SMS' }).click()
    await dialog.getByRole('radio', { name: 'Authenticator app' }).click()
    await dialog.getByRole('textbox').click()
    await page.mouse.wheel(0, 10)
    await page.keyboard.press('Tab')
    await page.keyboard.press('Shift+Tab')
    await page.keyboard.type(service.users.totp(ada))
    // The clipboard is shared by all tests.
    await dialog.getByRole('textbox').evaluate((input) => {
      for (const type of ['copy', 'paste'])
        input.dispatchEvent(new ClipboardEvent(type, { bubbles: true, composed: true }))
      for (const type of ['dragstart', 'drop'])
        input.dispatchEvent(new DragEvent(type, { bubbles: true, composed: true }))
    })
    await world.submit.click()
    await closed(world)
    await vi.waitFor(async () => expect(new Set(await world.outcomes())).toEqual(new Set(['before keydown', 'done'])))
  })

  it.each(['open', 'closed'] as const)(
    'has no listener that sees what is typed and composed in the dialog (%s shadow root)',
    async (mode) => {
      const world = await openDialogPage(harness, { user: {} })
      const { page } = world
      await page.evaluate(
        ([mode, events]) => {
          const host = document.body.appendChild(document.createElement('div'))
          const root = host.attachShadow({ mode })
          Object.assign(window.dialogOptions, { parent: () => root.appendChild(document.createElement('div')) })
          const listener = ({ type }: Event) => window.outcomes.push(type)
          for (const type of events) {
            document.addEventListener(type, listener, true)
            window.addEventListener(type, listener)
          }
          window.startCall('stepUp')
        },
        [mode, EVENTS.filter((type) => /input|composition|change/i.test(type))] as const,
      )
      await waitOn(page, () => document.activeElement !== document.body)
      await page.keyboard.type('correct ')
      const devtools = await page.context().newCDPSession(page)
      await devtools.send('Input.imeSetComposition', { text: 'hor', selectionStart: 3, selectionEnd: 3 })
      await devtools.send('Input.insertText', { text: 'horse' })
      await page.keyboard.type(' batters')
      await page.keyboard.press('Backspace')
      await page.keyboard.type('y')
      await page.keyboard.press('Enter')
      await waitOn(page, () => window.outcomes.includes('done'))
      expect(await world.outcomes()).toEqual(['done'])
    },
  )

  it('does not see the release of the Escape that closed the dialog', async () => {
    const world = await openDialogPage(harness, totp)
    const { page } = world
    await page.evaluate(() => {
      for (const type of ['keydown', 'keyup'] as const)
        document.addEventListener(type, ({ key }) => window.outcomes.push(`${type} ${key}`))
    })
    await world.stepUp()
    await page.keyboard.press('Escape')
    await closed(world)
    await page.keyboard.press('a')
    expect(await world.outcomes(3)).toEqual(['MfaCancelledError', 'keydown a', 'keyup a'])
  })

  it('a library that makes everything else inert does not reach the dialog', async () => {
    const world = await openDialogPage(harness, totp)
    const { page, service, ada } = world
    await world.stepUp()
    await page.evaluate(() => {
      for (const element of document.body.children) {
        element.setAttribute('aria-hidden', 'true')
        element.setAttribute('inert', '')
      }
    })
    const element = page.locator('rapport-mfa-dialog')
    await vi.waitFor(async () => expect(await element.getAttribute('inert')).toBeNull())
    expect(await element.getAttribute('aria-hidden')).toBeNull()
    await world.dialog.getByRole('textbox').click()
    await page.keyboard.type(service.users.totp(ada))
    await page.keyboard.press('Enter')
    expect(await world.outcomes()).toEqual(['done'])
  })

  it('does not scroll while the dialog is open, and stays where it is', async () => {
    const world = await openDialogPage(harness, totp)
    const { page } = world
    await page.addStyleTag({ content: 'body { height: 5000px } button { position: fixed; inset: 0 auto auto 0 }' })
    await page.evaluate(() => scrollTo(0, 700))
    const place = () => page.evaluate(() => [scrollY, document.body.getBoundingClientRect().width])
    const before = await place()
    await world.stepUp()
    await page.mouse.move(5, 5)
    await page.mouse.wheel(0, 400)
    await page.keyboard.press('PageDown')
    // A frame later, a scroll would have happened.
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))))
    expect(await place()).toEqual(before)
    await page.keyboard.press('Escape')
    await closed(world)
    await page.mouse.wheel(0, 400)
    await waitOn(page, () => scrollY > 700)
    expect(await page.evaluate(() => document.adoptedStyleSheets.length)).toBe(0)
  })

  it('a dialog in a closed shadow root works with its buttons', async () => {
    const world = await openDialogPage(harness, totp)
    const { page } = world
    await page.evaluate(() => {
      const host = document.createElement('div')
      const root = host.attachShadow({ mode: 'closed' })
      document.body.append(host)
      const parent = document.createElement('div')
      root.append(parent)
      Object.assign(window.dialogOptions, { parent: () => parent, words: { cancel: 'Close' } })
      const opened = new MutationObserver(() => {
        const cancel = parent.querySelector('rapport-mfa-dialog')?.shadowRoot?.querySelector('[part~=cancel]')
        if (cancel instanceof HTMLElement) setTimeout(() => cancel.click())
      })
      opened.observe(parent, { childList: true })
      window.startCall('stepUp')
    })
    expect(await world.outcomes()).toEqual(['MfaCancelledError'])
  })
})
