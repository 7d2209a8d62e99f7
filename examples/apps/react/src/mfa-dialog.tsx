import { explain } from 'rapport-sdk'
import { useMfaPrompt } from 'rapport-sdk/react'
import { useEffect, useRef } from 'react'

/** Asks for the second factor of a login or of a sensitive call. Stays open until an answer is accepted. */
export function MfaDialog() {
  const { current, answer, cancel } = useMfaPrompt()
  const dialog = useRef<HTMLDialogElement>(null)
  const isOpen = current !== null
  useEffect(() => {
    if (isOpen) dialog.current?.showModal()
    else dialog.current?.close()
  }, [isOpen])
  return (
    <dialog
      ref={dialog}
      aria-labelledby="mfa-title"
      onCancel={(event) => {
        event.preventDefault()
        cancel()
      }}
    >
      {current && (
        <form
          onSubmit={(event) => {
            event.preventDefault()
            const form = new FormData(event.currentTarget)
            answer({ type: 'totp', code: String(form.get('code')).replaceAll(/\s/g, '') })
          }}
        >
          <h2 id="mfa-title">{current.challenge.reason === 'login' ? 'Sign in' : 'Confirm that it is you'}</h2>
          <label>
            Code from your authenticator app
            <input name="code" inputMode="numeric" autoComplete="one-time-code" required />
          </label>
          {current.lastError && (
            <p role="alert">
              {explain(current.lastError).message} {current.attemptsLeft} attempts left.
            </p>
          )}
          <button type="submit" disabled={current.state === 'verifying'}>
            Verify
          </button>
          <button type="button" onClick={cancel}>
            Cancel
          </button>
        </form>
      )}
    </dialog>
  )
}
