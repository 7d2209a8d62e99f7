import { expect, it } from 'vitest'
import { openDialogPage } from './dialog-page'
import { browserHarness } from './harness/browser-harness'
import { JOURNEYS, openAbove } from './modal-journeys'

const harness = browserHarness()
const LIBRARIES = [
  ...['Radix Dialog', 'MUI Modal', 'Bootstrap Modal'],
  ...['a native modal dialog', 'a popover that is its parent', 'a component with a shadow root'],
]
const rows = LIBRARIES.flatMap((library) =>
  Object.entries(JOURNEYS).map(([way, journey]) => ({ library, way, journey })),
)

it.each(rows)('the dialog above $library works by $way, leaves the modal open, and returns the focus', async (row) => {
  const world = await openDialogPage(harness, { name: 'modals', user: { mfa: ['totp', 'backup'] } })
  await openAbove(world, row.library)
  await row.journey(world)
  expect(await world.page.locator('rapport-mfa-dialog').count()).toBe(0)
})
