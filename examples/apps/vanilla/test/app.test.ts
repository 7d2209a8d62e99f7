import { setupServer } from 'msw/node'
import { createMockService } from 'rapport-sdk/mocks'
import { handlers } from 'rapport-sdk/mocks/msw'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'

// The app in happy-dom. msw answers its requests with the mock service, and the gateway is in memory.

const service = createMockService({ baseUrl: 'http://localhost:4817' })
const password = 'correct horse'
const ada = service.users.create({ login: 'ada@example.com', username: 'ada', password, mfa: ['totp'] })
const grace = service.users.create({ login: 'grace@example.com', username: 'grace', password })
service.relationships.befriend(ada, grace)
const server = setupServer(...handlers(service))

beforeAll(() => {
  server.listen({ onUnhandledRequest: 'error' })
  vi.stubGlobal('WebSocket', service.WebSocket)
})
afterAll(async () => {
  server.close()
  await service.close()
})

/** The page, or the dialog above it. */
const main = () => document.querySelector('main')
const dialog = () => document.querySelector('rapport-mfa-dialog')?.shadowRoot

/** Fills the inputs of the form in order, and submits it. */
function submit(root: ParentNode | null | undefined, ...values: readonly string[]): void {
  const inputs = root?.querySelectorAll<HTMLInputElement>('input:not([type=radio])')
  for (const [index, value] of values.entries()) Object.assign(inputs?.[index] ?? {}, { value })
  root?.querySelector('form')?.requestSubmit()
}

test('a wrong password is explained, and a code of the second factor completes the sign-in', async () => {
  document.body.innerHTML = '<main></main>'
  await import('../src/main')
  await expect.poll(() => main()?.textContent).toContain('Sign in')
  submit(main(), 'ada@example.com', 'not my password')
  await expect.poll(() => main()?.querySelector('[role=alert]')?.textContent).toBe('Login or password is invalid.')

  submit(main(), 'ada@example.com', password)
  await expect.poll(() => dialog()?.textContent).toContain('Confirm your sign-in')
  submit(dialog(), '000000')
  await expect.poll(() => dialog()?.textContent).toContain('2 attempts left')
  submit(dialog(), service.users.totp(ada))
  await expect.poll(() => main()?.textContent).toContain('grace')
  expect(dialog()).toBeUndefined()

  const buttons = Array.from(main()?.querySelectorAll('button') ?? [])
  buttons.find(({ textContent }) => textContent === 'Sign out')?.click()
  await expect.poll(() => main()?.textContent).toContain('Password')
  expect(main()?.textContent).not.toContain('grace')
})

test('a session that another device ends leads to the sign-in page, without a call', async () => {
  submit(main(), 'grace@example.com', password)
  await expect.poll(() => main()?.textContent).toContain('ada')

  service.users.lock(grace) // ends all sessions of the account
  await expect.poll(() => main()?.textContent).toContain('Password')
})
