import { RapportProvider, useSession } from 'rapport-sdk/react'
import { useEffect, useState } from 'react'
import type { Route } from './+types/home'
import { Devices } from './devices'
import { Friends } from './friends'
import { client } from './rapport'
import { initialState } from './rapport.server'
import { SignIn } from './sign-in'
import { SignOut } from './sign-out'

export const headers = () => ({ 'cache-control': 'private, no-store' })

export async function loader({ request }: Route.LoaderArgs) {
  return { initial: await initialState(request) }
}

export default function Home({ loaderData }: Route.ComponentProps) {
  return (
    <RapportProvider client={client} initial={loaderData.initial}>
      <main>
        <Page />
      </main>
    </RapportProvider>
  )
}

function Page() {
  const { status } = useSession()
  const isHydrated = useHydrated()
  if (status === 'loading') return <p>Loading…</p>
  if (status === 'signedOut') return <SignIn disabled={!isHydrated} />
  return (
    <>
      <Friends disabled={!isHydrated} />
      <Devices />
      <SignOut disabled={!isHydrated} />
    </>
  )
}

/** Forms wait for the scripts: a browser would send them itself. */
function useHydrated(): boolean {
  const [isHydrated, setHydrated] = useState(false)
  useEffect(() => setHydrated(true), [])
  return isHydrated
}
