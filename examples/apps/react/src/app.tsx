import { RapportProvider, useClient, useSession } from 'rapport-sdk/react'
import { Devices } from './devices'
import { Friends } from './friends'
import { MfaDialog } from './mfa-dialog'
import { client, mfaPrompt } from './rapport'
import { SignIn } from './sign-in'
import { useAction } from './use-action'

export function App() {
  return (
    <RapportProvider client={client} mfaPrompt={mfaPrompt}>
      <main>
        <Page />
      </main>
      <MfaDialog />
    </RapportProvider>
  )
}

function Page() {
  const { status } = useSession()
  if (status === 'loading') return <p>Loading…</p>
  return status === 'signedIn' ? <Home /> : <SignIn />
}

function Home() {
  const { auth } = useClient()
  const signOut = useAction(() => auth.logout())
  return (
    <>
      <Friends />
      <Devices />
      <button type="button" onClick={signOut.start} disabled={signOut.isRunning}>
        Sign out
      </button>
      {signOut.alert}
    </>
  )
}
