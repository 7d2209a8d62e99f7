import { useClient } from 'rapport-sdk/react'
import { useAction } from './use-action'

export function SignOut({ disabled }: { disabled: boolean }) {
  const { auth } = useClient()
  const signOut = useAction(() => auth.logout())
  return (
    <>
      <button type="button" name="sign-out" disabled={disabled || signOut.isRunning} onClick={() => signOut.start()}>
        Sign out
      </button>
      {signOut.alert}
    </>
  )
}
