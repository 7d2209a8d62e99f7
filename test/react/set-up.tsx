import { cleanup, render } from '@testing-library/react'
import { Client, type ClientOptions, type MfaPrompt } from 'rapport-sdk'
import { createMockService } from 'rapport-sdk/mocks'
import { RapportProvider } from 'rapport-sdk/react'
import { type ComponentType, StrictMode } from 'react'
import { expect, onTestFinished, vi } from 'vitest'

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })

/** Fails the test if React logs an error, such as an update of an unmounted component or a mismatch while hydrating. */
export function expectNoReactErrors(): void {
  const errors = vi.spyOn(console, 'error').mockImplementation(() => {})
  onTestFinished(() => {
    const calls = [...errors.mock.calls]
    errors.mockRestore()
    expect(calls).toEqual([])
  })
}

/** Creates a service with two users, and a client of ada. */
export function setUp(options: Partial<ClientOptions> = {}) {
  const service = createMockService({ now: 0 })
  const [ada, grace] = ['ada', 'grace'].map((username) =>
    service.users.create({ login: `${username}@example.com`, username, password: 'correct horse', mfa: ['totp'] }),
  )
  if (!ada || !grace) throw new Error('The users were not created.')
  const client = new Client({
    baseUrl: service.baseUrl,
    fetch: service.fetch,
    gateway: { url: service.gateway.url, WebSocket: service.WebSocket },
    token: service.token(ada),
    retry: 0,
    ...options,
  })
  onTestFinished(async () => {
    client.dispose()
    await service.close()
  })
  return { service, ada, grace, client }
}

/** Renders a component with a client, under StrictMode, and fails the test if React logs an error. */
export function renderWith(client: Client, Component: ComponentType, mfaPrompt?: MfaPrompt) {
  expectNoReactErrors()
  onTestFinished(cleanup)
  const tree = (of: Client) => (
    <StrictMode>
      <RapportProvider client={of} mfaPrompt={mfaPrompt}>
        <Component />
      </RapportProvider>
    </StrictMode>
  )
  const view = render(tree(client))
  return { ...view, switchTo: (other: Client) => view.rerender(tree(other)) }
}
