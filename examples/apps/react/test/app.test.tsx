import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { setupServer } from 'msw/node'
import { createMockService } from 'rapport-sdk/mocks'
import { handlers } from 'rapport-sdk/mocks/msw'
import { StrictMode } from 'react'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { App } from '../src/app'

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
afterEach(cleanup)
afterAll(async () => {
  server.close()
  await service.close()
})

const type = (label: RegExp, value: string) => fireEvent.change(screen.getByLabelText(label), { target: { value } })

test('a wrong password is explained, and a code of the second factor completes the sign-in', async () => {
  render(
    <StrictMode>
      <App />
    </StrictMode>,
  )
  await screen.findByRole('heading', { name: 'Sign in' })
  type(/email/i, 'ada@example.com')
  type(/password/i, 'not my password')
  fireEvent.click(screen.getByRole('button', { name: 'Sign in' }))
  expect((await screen.findByRole('alert')).textContent).toBe('Login or password is invalid.')

  type(/password/i, password)
  fireEvent.click(screen.getByRole('button', { name: 'Sign in' }))
  await screen.findByLabelText(/authenticator/)
  type(/authenticator/, '000000')
  fireEvent.click(screen.getByRole('button', { name: 'Verify' }))
  await screen.findByText(/2 attempts left/)
  type(/authenticator/, service.users.totp(ada))
  fireEvent.click(screen.getByRole('button', { name: 'Verify' }))
  await screen.findByText('grace')

  fireEvent.click(screen.getByRole('button', { name: 'Sign out' }))
  await screen.findByRole('heading', { name: 'Sign in' })
  expect(screen.queryByText('grace')).toBeNull()
})

test('a session that another device ends leads to the sign-in page, without a call', async () => {
  render(<App />)
  await screen.findByRole('heading', { name: 'Sign in' })
  type(/email/i, 'grace@example.com')
  type(/password/i, password)
  fireEvent.click(screen.getByRole('button', { name: 'Sign in' }))
  await screen.findByText('ada')

  service.users.lock(grace) // ends all sessions of the account
  await screen.findByRole('heading', { name: 'Sign in' })
})
