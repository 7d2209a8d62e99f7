// The points of docs/guides/dialog-design.md, each measured in Chromium.
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { LANGUAGES } from '../../scripts/package/entries'
import { type DialogPage, type DialogPageOptions, openDialogPage } from './dialog-page'
import {
  contrast,
  type Look,
  look,
  METHODS,
  partOf,
  refuseNext,
  STATES,
  sendSms,
  showsError,
  speak,
} from './dialog-states'
import { answer, shows, use } from './dialog-view'
import { browserHarness } from './harness/browser-harness'

const all = { user: STATES.methods?.user } as DialogPageOptions
const PHONE = { width: 390, height: 844 }
const harness = browserHarness({ shared: { viewport: PHONE } })
const ALL_LANGUAGES = ['en', ...LANGUAGES]
const POINTS = {
  primary: 'The dialog has one filled button, its primary action.',
  glance: 'Each method has a row of its own with its name, and the chosen one a mark and a border.',
  target: 'Each target is at least 44 pixels wide and high.',
  gap: 'Targets are at least 8 pixels apart.',
  scale: 'Text has two sizes, 20 pixels for the heading and 16 for the rest.',
  measure: 'Lines have at most 45 characters of average width, and a height of at least 1.25.',
  contrast: 'Text has a contrast of at least 4.5, also in disabled buttons.',
  edges: 'Edges of fields, buttons and the chosen method have a contrast of at least 3.',
  focus: 'The focus has an outline of 2 pixels on everything that can have it.',
  order: 'The focus moves in the order in which the eye does.',
  still: 'Nothing moves when a method, a message or a countdown changes.',
  motion: 'There is no animation, so none to reduce.',
  color: 'No state is shown only by a color.',
  small: 'In a window of 320 by 256 pixels, everything can be reached, without sideways scrolling.',
  large: 'Text can be twice as large.',
  wrap: 'Long words wrap, also of the service and the account.',
  forced: 'In forced colors, everything has its edges.',
  mirror: 'From right to left, everything is mirrored.',
  about: 'It says what is confirmed and for whom before it asks for anything.',
  whole: 'No text is cut off, in any language.',
}

/** Opens the dialog in a language, on a phone unless a size is given. */
async function open(options: DialogPageOptions = all, language = 'en', size = PHONE): Promise<DialogPage> {
  const world = await openDialogPage(harness, { name: 'languages', ...options })
  await world.page.setViewportSize(size)
  await speak(world, language)
  await world.start('stepUp')
  return world
}

/** Opens the dialog in a state. */
async function openState(name: string): Promise<DialogPage> {
  const state = STATES[name]
  if (!state) throw new Error(`There is no state ${name}.`)
  const world = await openDialogPage(harness, { name: 'languages', user: state.user })
  await world.page.setViewportSize(PHONE)
  await speak(world, 'en')
  await world.start('stepUp')
  await state.reach(world)
  return world
}

/** Returns what a user sees of a state, in light and in dark colors. The tests that measure a state share its looks. */
const looksOf = harness.remember(async (name: string) => {
  const world = await openState(name)
  return { light: await look(world, { scheme: 'light' }), dark: await look(world, { scheme: 'dark' }) }
})

/** Returns what a user sees of a state. */
const lookAt = async (name: string) => (await looksOf(name)).light

/** Goes through the methods and messages in a language. Returns what a user sees of each. */
const tour = harness.remember(async (language: string) => {
  const world = await open(all, language)
  const opened = await look(world)
  const methods: Look[] = []
  for (const method of METHODS) methods.push(await look(world, { method }))
  await sendSms(world)
  const messages: Record<string, Look> = { 'an SMS that was sent': await look(world) }
  const add = async (when: string) => {
    await showsError(world)
    messages[when] = await look(world)
  }
  await answer(world, '')
  await add('an empty input')
  await answer(world, '000000')
  await add('a refused code')
  refuseNext(world, 503)
  await answer(world, '111111')
  await add('a service that does not answer')
  refuseNext(world, 429)
  await use(world, 'submit')
  await shows(world, { isBusy: false, submit: /\d/ })
  await add('a rate limit')
  return { opened, methods, messages }
})

const isTarget = ({ part }: Look[number]) => /^(?:method|input|button\b.*)$/.test(part)

it('the guide of the design lists these twenty points and no others', () => {
  const guide = readFileSync(new URL('../../docs/guides/dialog-design.md', import.meta.url), 'utf8')
  const listed = [...guide.matchAll(/^\d+\. \*\*(.+?)\*\*/gm)].map(([, point]) => point)
  expect(listed).toEqual(Object.values(POINTS))
  expect(listed).toHaveLength(20)
})

it(POINTS.primary, async () => {
  for (const name of ['methods', 'sms', 'passkey', 'limited', 'busy']) {
    const shown = await lookAt(name)
    const { background } = partOf(shown, 'dialog')
    const filled = shown.filter((one) => one.part.startsWith('button') && one.background !== background)
    expect(
      filled.map(({ part }) => part),
      name,
    ).toEqual(['button submit'])
  }
})

it(POINTS.glance, async () => {
  const { methods } = await tour('en')
  for (const [index, shown] of methods.entries()) {
    const rows = shown.filter(({ part }) => part === 'method')
    expect(new Set(rows.map(({ text }) => text)).size).toBe(METHODS.length)
    expect(new Set(rows.map(({ y }) => y)).size).toBe(METHODS.length)
    const isChosen = shown.filter(({ part }) => part === 'radio').map(({ isChecked }) => isChecked)
    expect(isChosen).toEqual(METHODS.map((_, method) => method === index))
    const common = rows
      .map(({ edge }) => edge)
      .find((edge, _, edges) => edges.indexOf(edge) !== edges.lastIndexOf(edge))
    expect(rows.map(({ edge }) => edge !== common)).toEqual(isChosen)
  }
})

it(POINTS.target, async () => {
  for (const name of ['methods', 'sms', 'password']) {
    const targets = (await lookAt(name)).filter(isTarget)
    expect(targets.length).toBeGreaterThan(2)
    for (const { part, width, height } of targets)
      expect(Math.min(width, height), `${part} of ${name}`).toBeGreaterThanOrEqual(44)
  }
})

it(POINTS.gap, async () => {
  const targets = (await lookAt('sms')).filter(isTarget)
  for (const [index, one] of targets.entries())
    for (const other of targets.slice(index + 1)) {
      const across = Math.max(one.x - other.right, other.x - one.right)
      const down = Math.max(one.y - other.bottom, other.y - one.bottom)
      expect(Math.max(across, down), `${one.part} ${one.text} and ${other.part} ${other.text}`).toBeGreaterThan(7.9)
    }
})

it(POINTS.scale, async () => {
  const shown = (await lookAt('refused')).filter(({ text }) => text !== '')
  expect(new Set(shown.map(({ fontSize }) => fontSize))).toEqual(new Set([20, 16]))
  expect(shown.filter(({ fontSize }) => fontSize === 20).map(({ part }) => part)).toEqual(['title'])
})

it(POINTS.measure, async () => {
  const shown = await look(await open(all, 'en', { width: 1440, height: 900 }))
  for (const { part, width, fontSize, lineHeight } of shown.filter(({ text }) => text !== '')) {
    expect(width / (fontSize / 2), part).toBeLessThanOrEqual(45)
    expect(lineHeight / fontSize, part).toBeGreaterThanOrEqual(1.25)
  }
})

describe.each(['light', 'dark'] as const)('the %s colors', (scheme) => {
  it(`${POINTS.contrast} (${scheme})`, async () => {
    for (const name of Object.keys(STATES)) {
      const shown = (await looksOf(name))[scheme]
      expect(new Set(shown.map(({ opacity }) => opacity))).toEqual(new Set(['1']))
      for (const { part, text, color, background } of shown)
        if (text !== '') expect(contrast(color, background), `${part} “${text}” of ${name}`).toBeGreaterThanOrEqual(4.5)
    }
  })

  it(`${POINTS.edges} (${scheme})`, async () => {
    for (const name of ['methods', 'sms', 'refused']) {
      const shown = (await looksOf(name))[scheme]
      const { background } = partOf(shown, 'dialog')
      for (const one of shown.filter(isTarget)) {
        const edge = one.part.includes('submit') ? one.background : one.edge
        expect(contrast(edge, background), `${one.part} of ${name}`).toBeGreaterThanOrEqual(3)
      }
    }
  })
})

/** Moves the focus through the dialog by `Tab`. Returns the focused parts, with their outlines and places. */
async function walk({ page }: DialogPage, count: number) {
  const stops: { part: string; outline: string; x: number; y: number; bottom: number }[] = []
  // After the last element, the focus is in the window of the browser before it returns.
  for (let presses = 0; stops.length < count && presses < count + 2; presses += 1) {
    await page.keyboard.press('Tab')
    const focused = await page.evaluate(() => {
      const element = document.activeElement?.shadowRoot?.activeElement
      if (!element) return undefined
      const { outlineStyle, outlineWidth } = getComputedStyle(element)
      const { x, y, bottom } = element.getBoundingClientRect()
      return { part: element.getAttribute('part') ?? '', outline: `${outlineWidth} ${outlineStyle}`, x, y, bottom }
    })
    if (focused) stops.push(focused)
  }
  expect(stops).toHaveLength(count)
  return stops
}

it(POINTS.focus, async () => {
  const world = await openState('methods')
  await use(world, 'sms')
  const stops = await walk(world, 5)
  expect(new Set(stops.map(({ part }) => part))).toEqual(
    new Set(['radio', 'input', 'button send', 'button cancel', 'button submit']),
  )
  for (const { part, outline } of stops) expect(outline, part).toBe('2px solid')
})

it(POINTS.order, async () => {
  const world = await openState('methods')
  await use(world, 'sms')
  await world.page.locator('[part=radio]:checked').focus()
  const stops = await walk(world, 4)
  expect(stops.map(({ part }) => part)).toEqual(['input', 'button send', 'button cancel', 'button submit'])
  for (const [index, { x, y }] of stops.slice(1).entries()) {
    const before = stops[index]
    expect(y > (before?.y ?? 0) || x > (before?.x ?? 0)).toBe(true)
  }
})

/** Returns the places of what does not move. */
const placesIn = (shown: Look) =>
  ['dialog', 'title', 'methods', 'field', 'cancel', 'submit'].flatMap((part) => {
    const found = shown.find((one) => one.part.split(' ').includes(part))
    return found ? [[part, found.x, found.y, found.width, found.height]] : []
  })

it.each(ALL_LANGUAGES)(`${POINTS.still} (%s)`, async (language) => {
  const { opened, methods, messages } = await tour(language)
  const before = placesIn(opened)
  for (const [index, shown] of methods.entries()) expect(placesIn(shown), METHODS[index]).toEqual(before)
  for (const [when, shown] of Object.entries(messages)) expect(placesIn(shown), when).toEqual(before)
})

it(POINTS.motion, async () => {
  const world = await openState('refused')
  const shown = await look(world)
  expect(new Set(shown.map(({ animation }) => animation))).toEqual(new Set(['none 0s']))
  expect(await world.page.evaluate(() => document.getAnimations().length)).toBe(0)
})

it(POINTS.color, async () => {
  const refused = await openState('refused')
  expect(await refused.error.textContent()).not.toBe('')
  expect(await refused.page.locator('[part=input]').getAttribute('aria-invalid')).toBe('true')
  expect(await refused.page.locator('[part=radio]:checked').count()).toBe(1)
  for (const name of ['limited', 'busy']) {
    const { edgeStyle, cursor } = partOf(await lookAt(name), 'submit')
    expect([edgeStyle, cursor], name).toEqual(['dashed', 'not-allowed'])
  }
})

/** Checks that the dialog is inside of the window, does not scroll sideways, and that the focus can reach all of it. */
async function expectReach(world: DialogPage, size: typeof PHONE, stops: number): Promise<void> {
  const { x, y, right, bottom, isCut } = partOf(await look(world), 'dialog')
  expect(Math.min(x, y)).toBeGreaterThanOrEqual(0)
  expect(right).toBeLessThanOrEqual(size.width)
  expect(bottom).toBeLessThanOrEqual(size.height)
  expect(isCut).toBe(false)
  for (const stop of await walk(world, stops)) {
    expect(stop.y, stop.part).toBeGreaterThanOrEqual(y)
    // Scrolling stops at whole pixels.
    expect(stop.bottom, stop.part).toBeLessThanOrEqual(bottom + 1)
  }
}

it(POINTS.small, async () => {
  const size = { width: 320, height: 256 }
  await expectReach(await open(all, 'en', size), size, 4)
})

it(POINTS.large, async () => {
  const world = await openDialogPage(harness, { name: 'languages', ...all })
  await world.page.setViewportSize(PHONE)
  await world.page.addStyleTag({ content: ':root { --rapport-font-size: 32px }' })
  await world.stepUp()
  await expectReach(world, PHONE, 4)
})

it(POINTS.wrap, async () => {
  const long = 'Donaudampfschifffahrtsgesellschaft'.repeat(20)
  const world = await openDialogPage(harness, { name: 'languages' })
  const methods = [{ type: 'totp' }, { type: long }]
  const body = { code: 60003, message: 'MFA', mfa: { ticket: 'ticket', methods } }
  world.service.faults.on('Logout Auth Sessions', { status: 401, body })
  world.service.faults.on('Verify MFA', { status: 400, body: { code: 60008, message: long } })
  await world.page.setViewportSize(PHONE)
  await world.page.evaluate((long) => void Object.assign(window.dialogOptions, { account: () => long }), long)
  await world.stepUp()
  await answer(world, '000000')
  await showsError(world)
  const shown = await look(world)
  expect(partOf(shown, 'error').text).toContain(long)
  expect(shown.filter(({ isCut }) => isCut).map(({ part }) => part)).toEqual([])
  await expectReach(world, PHONE, 4)
})

it(POINTS.forced, async () => {
  const world = await openDialogPage(harness, { name: 'languages', ...all })
  await world.page.emulateMedia({ forcedColors: 'active' })
  await world.stepUp()
  const shown = await look(world)
  const { background } = partOf(shown, 'dialog')
  for (const one of shown.filter(isTarget)) {
    expect(one.edgeStyle, one.part).toBe('solid')
    expect(contrast(one.edge, background), one.part).toBeGreaterThanOrEqual(3)
  }
  const [outline, mark] = await world.page.locator('[part=dialog]').evaluate((dialog) => {
    const label = dialog.querySelector('label:has(:checked)')
    return [dialog, label].map((element) => element && getComputedStyle(element).outlineStyle)
  })
  expect([outline, mark]).toEqual(['solid', 'solid'])
})

it(POINTS.mirror, async () => {
  const parts = ['title', 'radio', 'input', 'cancel', 'submit', 'error']
  const places = async (language: string) => {
    const world = await open(all, language)
    await answer(world, '')
    await showsError(world)
    const shown = await look(world)
    const { x, right } = partOf(shown, 'dialog')
    const bar = await world.error.evaluate((error) => {
      const { borderLeftWidth, borderRightWidth } = getComputedStyle(error)
      return [borderLeftWidth, borderRightWidth]
    })
    const sides = parts.map((part) => partOf(shown, part)).map((one) => [one.x - x, right - one.right])
    return [...sides, bar.map(Number.parseFloat)]
  }
  const [ltr, rtl] = [await places('de'), await places('ar')]
  expect(rtl).toEqual(ltr.map(([left, right]) => [right, left]))
})

it(POINTS.about, async () => {
  const shown = await lookAt('methods')
  const order = ['title', 'about', 'methods', 'field', 'hint', 'actions'].map((part) => partOf(shown, part).y)
  expect(order).toEqual([...order].sort((one, other) => one - other))
  expect(partOf(shown, 'about').text).toBe('Sign out of devices · ada@example.com')
})

it.each(ALL_LANGUAGES)(`${POINTS.whole} (%s)`, async (language) => {
  const { methods } = await tour(language)
  for (const shown of methods) {
    const { right, x } = partOf(shown, 'dialog')
    for (const one of shown.filter(({ text }) => text !== '')) {
      expect(one.isCut, `${one.part} “${one.text}”`).toBe(false)
      expect(one.x, one.text).toBeGreaterThanOrEqual(x)
      expect(one.right, one.text).toBeLessThanOrEqual(right)
    }
    expect(partOf(shown, 'dialog').bottom).toBeLessThanOrEqual(PHONE.height)
  }
})
