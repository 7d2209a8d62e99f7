import { useClient } from 'rapport-sdk/react'
import { useAction } from './use-action'

export function SignIn({ disabled }: { disabled: boolean }) {
  const { auth } = useClient()
  // If the account has a second factor, the dialog asks for it.
  const signIn = useAction((form: FormData) =>
    auth.login({ login: String(form.get('login')), password: String(form.get('password')) }),
  )
  return (
    <form
      method="post"
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
      <button type="submit" disabled={disabled || signIn.isRunning}>
        Sign in
      </button>
    </form>
  )
}
