import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { createMfaPrompt } from 'rapport-sdk'
import { RapportProvider, useMfaPrompt } from 'rapport-sdk/react'
import { describe, expect, it, onTestFinished } from 'vitest'
import { renderWith, setUp } from './set-up'

/** The dialog of an app. */
function Dialog() {
  const { current, answer, cancel } = useMfaPrompt()
  if (!current) return <p>closed</p>
  const { challenge, state, attemptsLeft, lastError } = current
  return (
    <form
      aria-label={challenge.reason}
      onSubmit={(event) => {
        event.preventDefault()
        answer({ type: 'totp', code: screen.getByRole<HTMLInputElement>('textbox').value })
      }}
    >
      <input defaultValue="" />
      <output>{lastError ? `refused, ${attemptsLeft} left` : state}</output>
      <button type="submit">Verify</button>
      <button type="button" onClick={cancel}>
        Cancel
      </button>
    </form>
  )
}

function setUpPrompt() {
  const mfaPrompt = createMfaPrompt()
  const world = setUp({ onMfaRequired: mfaPrompt.handler })
  renderWith(world.client, Dialog, mfaPrompt)
  expect(screen.getByText('closed')).toBeTruthy()
  const enter = (code: string) => {
    fireEvent.change(screen.getByRole('textbox'), { target: { value: code } })
    fireEvent.click(screen.getByText('Verify'))
  }
  return { ...world, enter }
}

/** Starts a call in a handler of the app, whose rejection the test expects later. */
async function start<T>(call: () => Promise<T>): Promise<Promise<T>[]> {
  const promise = call()
  promise.catch(() => {})
  await screen.findByRole('form')
  return [promise]
}

describe('useMfaPrompt', () => {
  it('a polluted mfaPrompt of Object.prototype is not that of the provider', () => {
    const { client } = setUp()
    onTestFinished(cleanup)
    const polluted = { configurable: true, value: createMfaPrompt() }
    Object.defineProperty(Object.prototype, 'mfaPrompt', polluted)
    try {
      const tree = (
        <RapportProvider client={client}>
          <Dialog />
        </RapportProvider>
      )
      expect(() => render(tree)).toThrow(/useMfaPrompt/)
    } finally {
      Reflect.deleteProperty(Object.prototype, 'mfaPrompt')
    }
  })

  it('one dialog stays open from a refused code to the accepted one, and closes when the login completes', async () => {
    const { client, service, ada, enter } = setUpPrompt()
    await act(() => client.session.setToken(null))
    const [login] = await start(() => client.auth.login({ login: 'ada@example.com', password: 'correct horse' }))
    const form = screen.getByRole('form', { name: 'login' })
    expect(screen.getByText('waiting')).toBeTruthy()
    enter('000000')
    await screen.findByText('verifying')
    await screen.findByText('refused, 2 left')
    expect(screen.getByRole('form')).toBe(form)
    enter(service.users.totp(ada))
    expect(await screen.findByText('closed')).toBeTruthy()
    expect((await login)?.status).toBe('complete')
    expect(client.session.isAuthenticated).toBe(true)
  })

  it('the same dialog serves a step-up', async () => {
    const { client, service, ada, enter } = setUpPrompt()
    const [logout] = await start(() => client.auth.sessions.logout({ session_id_hashes: ['none'] }))
    expect(screen.getByRole('form', { name: 'elevation' })).toBeTruthy()
    enter(service.users.totp(ada))
    expect(await screen.findByText('closed')).toBeTruthy()
    await logout
  })

  it('cancel closes the dialog at once and rejects the call', async () => {
    const { client } = setUpPrompt()
    const [logout] = await start(() => client.auth.sessions.logout({ session_id_hashes: ['none'] }))
    fireEvent.click(screen.getByText('Cancel'))
    expect(screen.getByText('closed')).toBeTruthy()
    await expect(logout).rejects.toHaveProperty('name', 'MfaCancelledError')
  })

  it('the dialog closes when the call is aborted', async () => {
    const { client } = setUpPrompt()
    const controller = new AbortController()
    const [logout] = await start(() =>
      client.auth.sessions.logout({ session_id_hashes: ['none'] }, { signal: controller.signal }),
    )
    act(() => controller.abort())
    await waitFor(() => expect(screen.getByText('closed')).toBeTruthy())
    await expect(logout).rejects.toHaveProperty('name', 'AbortError')
  })
})
