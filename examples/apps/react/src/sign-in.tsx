import { useClient } from 'rapport-sdk/react'
import { useAction } from './use-action'

export function SignIn() {
  const { auth } = useClient()
  // If the account has a second factor, the login waits for `MfaDialog`.
  const signIn = useAction((form: FormData) =>
    auth.login({ login: String(form.get('login')), password: String(form.get('password')) }),
  )
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        void signIn.start(new FormData(event.currentTarget))
      }}
    >
      <h1>Sign in</h1>
      <label>
        Email
        <input name="login" type="email" autoComplete="username" required />
      </label>
      <label>
        Password
        <input name="password" type="password" autoComplete="current-password" required />
      </label>
      {signIn.alert}
      <button type="submit" disabled={signIn.isRunning}>
        Sign in
      </button>
    </form>
  )
}
