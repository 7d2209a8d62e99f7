import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { openDialogPage } from './dialog-page'
import { browserHarness } from './harness/browser-harness'
import { JOURNEYS, openAbove } from './modal-journeys'

const harness = browserHarness({ shared: {} })
const settings = { name: 'modals', user: { mfa: ['totp', 'backup'] } } as const
const LIBRARIES = [
  ...['Radix Dialog', 'MUI Modal', 'Bootstrap Modal'],
  ...['a native modal dialog', 'a popover that is its parent', 'a component with a shadow root'],
]
const rows = LIBRARIES.flatMap((library) =>
  Object.entries(JOURNEYS).map(([way, journey]) => ({ library, way, journey })),
)

it.each(rows)('the dialog above $library works by $way, leaves the modal open, and returns the focus', async (row) => {
  const world = await openDialogPage(harness, settings)
  await openAbove(world, row.library)
  await row.journey(world)
  expect(await world.page.locator('rapport-mfa-dialog').count()).toBe(0)
})

/** Opens a page of tests in a sandboxed iframe that fills the window. Returns the frame, with keyboard and mouse of the page. */
async function openInFrame(name: string): Promise<Page> {
  const page = await harness.open('page')
  await page.evaluate((name) => {
    const frame = document.createElement('iframe')
    frame.sandbox.add('allow-scripts')
    frame.src = `/${name}`
    frame.style.cssText = 'position: fixed; inset: 0; width: 100%; height: 100%; border: 0'
    document.body.append(frame)
    return new Promise((resolve) => {
      frame.onload = resolve
    })
  }, name)
  const frame = page.frames().find((one) => one !== page.mainFrame())
  if (!frame) throw new Error('there is no frame')
  return new Proxy(page, {
    get(_, key) {
      const owner = key in frame ? frame : page
      const value = Reflect.get(owner, key)
      return typeof value === 'function' ? value.bind(owner) : value
    },
  })
}

it.each(Object.entries(JOURNEYS))('the dialog above a modal in a sandboxed iframe works by %s', async (_, journey) => {
  const world = await openDialogPage(
    { open: openInFrame, serve: (options) => harness.serve(options, { cors: ['null'] }) },
    settings,
  )
  await openAbove(world, 'a native modal dialog')
  await journey(world)
  expect(await world.page.locator('rapport-mfa-dialog').count()).toBe(0)
})
